import {pointCount, type PointSet} from '@epsball/clustering';
import type {GpuRun} from '@epsball/gpu';
import {pointBounds} from '@epsball/spatial-grid';
import type {MeanShiftPhase} from '../algorithm.ts';
import type {CheckedClimb} from '../checkRun.ts';
import type {Trajectories} from '../climb/climber.ts';
import {climbPoints, type ClimbTuning, type TrajectoryCounts} from './climb/pointClimber.ts';
import type {Device} from './device.ts';
import {climbLattice, latticeKernel} from './lattice/latticeClimber.ts';
import {buildField, compileField} from './lattice/latticeField.ts';
import {chooseLattice, type LatticeLayout} from './lattice/latticeLayout.ts';
import {Portions} from './portions.ts';
import type {PointSource} from './points/devicePoints.ts';
import {cellsForSearch, type IndexedVectors, type VectorIndex} from './points/vectorIndex.ts';
import {coordsOfVectors, vectorScale, vectorWords, widen, type VectorScale} from './points/vectorScale.ts';

export interface FinishedTrajectories {
  readonly positions: GPUBuffer;
  readonly weights: GPUBuffer;
  readonly m: number;
  readonly indexed: IndexedVectors;
  /** The buffer that the points were sent to. It is no longer needed. */
  readonly uploaded: GPUBuffer;
  readonly scale: VectorScale;
  /** Undefined if sums were over points. */
  readonly layout: LatticeLayout | undefined;
  readonly counts: TrajectoryCounts;
}

export interface TrajectoryChoices {
  readonly climb: ClimbTuning;
  /** Nodes in a bandwidth. 0: no lattice. */
  readonly lattice: number;
  /** Approximate limit on reads and writes of a submission in sums over a lattice. */
  readonly operations: number;
  readonly wideFrom: number;
}

interface TrajectoryRun {
  readonly source: PointSource;
  readonly checked: CheckedClimb;
  readonly choices: TrajectoryChoices;
}

/** Sends points to the device and moves them, or seeds, to their modes: over points, or over a lattice. */
export async function climbOnDevice(
  device: Device,
  index: VectorIndex,
  request: TrajectoryRun,
  run: GpuRun<MeanShiftPhase>,
): Promise<FinishedTrajectories> {
  const {source, checked, choices} = request;
  const {rules, seeds} = checked;
  const {n, box} = source;
  const {gpu, scratch} = device;
  const m = seeds === undefined ? n : pointCount(seeds);
  run.enter('upload');
  const {scale, layout} = await layOut(device, request, run);
  // Kernels compile while points are sent. A failure is reported where the kernels are used.
  const compiling = layout && Promise.all([compileField(gpu, box.dim), latticeKernel(gpu, box.dim)]);
  compiling?.catch(() => undefined);
  const uploaded = scratch.take('points', 16 * scale.quads * n);
  await source.write(uploaded, scale, run);
  run.enter('index');
  run.reportPart('index', 0);
  // Over a lattice trajectories need no candidates, only an order in which neighbours are close.
  const radius = (layout === undefined ? rules.radius : rules.bandwidth) * scale.factor;
  const cellsPerRadius = layout === undefined ? cellsForSearch(scale, n, box.dim, radius) : 1;
  const toIndex = {points: uploaded, n, dim: box.dim, scale, radius, cellsPerRadius};
  const indexed = await index.build(toIndex, run, 'index');
  const {points, grid} = indexed;
  const positions = await startPositions(device, points, seeds, {m, scale});
  const {operations} = choices;
  const portions = new Portions(run, {phase: 'index', most: operations});
  const field = layout && (await buildField(device, {points, n, layout}, portions));
  run.enter('shift');
  const weights = scratch.take('weights', 4 * m);
  const minStep2 = (rules.minStep * scale.factor) ** 2;
  const trajectories = {positions, m, weights, maxSteps: rules.maxSteps, minStep2};
  const overPoints = {...trajectories, points, n, scale, grid, cellsPerRadius};
  const ofKernel = {isFlat: rules.kernel === 'flat', radius2: radius * radius};
  const counts =
    layout !== undefined && field !== undefined
      ? await climbLattice(device, {...trajectories, field, layout, operations}, run)
      : await climbPoints(device, {...overPoints, ...ofKernel}, choices.climb, run);
  return {positions, weights, m, indexed, uploaded, scale, layout, counts};
}

/** The first positions: a copy of the points, in the order of their cells, or the seeds. */
async function startPositions(
  {gpu, scratch, uploader}: Device,
  points: GPUBuffer,
  seeds: PointSet | undefined,
  {m, scale}: {readonly m: number; readonly scale: VectorScale},
): Promise<GPUBuffer> {
  const bytes = 16 * scale.quads * m;
  const positions = scratch.take('positions', bytes);
  if (seeds === undefined) {
    const encoder = gpu.device.createCommandEncoder();
    encoder.copyBufferToBuffer(points, 0, positions, 0, bytes);
    gpu.device.queue.submit([encoder.finish()]);
  } else {
    await uploader.fill(bytes, positions, vectorWords(seeds, scale));
  }
  return positions;
}

/** The scale of the vectors, and the lattice over them. Without a lattice sums are over points. */
async function layOut(
  {gpu}: Device,
  {source, checked, choices}: TrajectoryRun,
  run: GpuRun<MeanShiftPhase>,
): Promise<{scale: VectorScale; layout: LatticeLayout | undefined}> {
  const {n, isSingle, isWidened} = source;
  const {dim} = source.box;
  const bounds = await source.bounds(run);
  const narrow = vectorScale({dim, bounds, isSingle}, checked);
  const {lattice: width, wideFrom} = choices;
  const layout = width === 0 ? undefined : chooseLattice(gpu, checked, narrow, {n, dim, width});
  if (layout !== undefined || !isWidened) return {scale: narrow, layout};
  return {scale: widen(narrow, checked.seeds === undefined ? bounds : pointBounds(checked.seeds), wideFrom), layout};
}

export async function readEnds(
  {reader}: Device,
  index: VectorIndex,
  {dim, finished, checked}: {dim: number; finished: FinishedTrajectories; checked: CheckedClimb},
  run: GpuRun<MeanShiftPhase>,
): Promise<Trajectories> {
  const {m, scale, indexed, uploaded} = finished;
  // The buffer of the upload has room for points. Without cells the order needs no change.
  const isOrdered = checked.seeds !== undefined || indexed.grid === undefined;
  const ordered = isOrdered ? finished : await index.scatter(finished, uploaded, run);
  const words = await reader.read(ordered.positions, new Float32Array(4 * scale.quads * m));
  const weights = await reader.read(ordered.weights, new Float32Array(m));
  return {ends: coordsOfVectors(words, dim, scale), weights, steps: new Uint32Array(0)};
}
