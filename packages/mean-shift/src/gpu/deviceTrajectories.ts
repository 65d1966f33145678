import {pointCount, type PointSet} from '@epsball/clustering';
import {Uploader, type Gpu, type GpuRun, type Scratch} from '@epsball/gpu';
import {pointBounds} from '@epsball/spatial-grid';
import type {CheckedRun} from '../checkRun.ts';
import type {MeanShiftPhase} from '../algorithm.ts';
import {PointClimber, type TrajectoryCounts} from './climb/pointClimber.ts';
import type {PointSource} from './points/devicePoints.ts';
import {LatticeEndBound} from './lattice/latticeEndBound.ts';
import {LatticeField} from './lattice/latticeField.ts';
import {chooseLattice, type LatticeLayout} from './lattice/latticeLayout.ts';
import {LatticeClimber, type LatticeTrajectories} from './lattice/latticeClimber.ts';
import {Portions} from './lattice/portions.ts';
import {cellsForSearch, type IndexedVectors, type VectorIndex} from './points/vectorIndex.ts';
import {vectorScale, vectorWords, widen, type VectorScale} from './points/vectorScale.ts';

/** Trajectories that have ended. */
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
  /** Over a lattice: the largest length of one more step of the whole Gaussian from any end, in bandwidths. */
  readonly latticeEnd: number | undefined;
}

/** How trajectories move; see `MeanShiftTuning` and `MeanShiftGpuOptions`. */
export interface TrajectoryChoices {
  readonly workgroupsBelow: number;
  readonly firstPairs: number;
  /** Nodes in a bandwidth. 0: no lattice. */
  readonly lattice: number;
  /** Approximate limit on reads and writes of a submission in sums over a lattice. */
  readonly operations: number;
}

/** Sends points to the device and moves them, or seeds, to their modes: over points, or over a lattice. */
export class DeviceTrajectories {
  /** Nodes in a bandwidth. 0: no lattice. */
  readonly latticeWidth: number;
  readonly #operations: number;
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #index: VectorIndex;
  readonly #search: PointClimber;
  readonly #field: LatticeField;
  readonly #latticeClimber: LatticeClimber;
  readonly #latticeEndBound: LatticeEndBound;
  readonly #uploader: Uploader;

  /**
   * @param scratch  borrowed, as `gpu` is
   * @param index    borrowed: of the points
   */
  constructor(gpu: Gpu, scratch: Scratch, index: VectorIndex, {lattice, operations, ...choices}: TrajectoryChoices) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#index = index;
    this.latticeWidth = lattice;
    this.#operations = operations;
    this.#search = new PointClimber(gpu, scratch, choices);
    this.#field = new LatticeField(gpu, scratch);
    this.#latticeClimber = new LatticeClimber(gpu, scratch, operations);
    this.#latticeEndBound = new LatticeEndBound(gpu, scratch);
    this.#uploader = new Uploader(gpu, 'mean-shift/seeds');
  }

  /**
   * @throws RunAbortedError  if the signal has fired
   */
  async run(source: PointSource, checked: CheckedRun, run: GpuRun<MeanShiftPhase>): Promise<FinishedTrajectories> {
    const {rules, seeds} = checked;
    const {n, box} = source;
    const m = seeds === undefined ? n : pointCount(seeds);
    run.enter('upload');
    const beginUpload = run.passes('upload');
    const {scale, layout} = await this.#layOut(source, checked, beginUpload);
    // Kernels compile while points are sent. A failure is reported where the kernels are used.
    const compiling =
      layout && [this.#field, this.#latticeClimber, this.#latticeEndBound].map((part) => part.prepare(box.dim));
    compiling?.forEach((kernels: Promise<unknown>) => kernels.catch(() => undefined));
    const bytes = 16 * scale.quads;
    const uploaded = this.#scratch.take('points', bytes * n);
    await source.write(uploaded, scale, beginUpload);
    run.enter('index');
    // Over a lattice trajectories need no candidates, only an order in which neighbours are close.
    const radius = (layout === undefined ? rules.radius : rules.bandwidth) * scale.factor;
    const cellsPerRadius = layout === undefined ? cellsForSearch(scale, n, box.dim, radius) : 1;
    const toIndex = {points: uploaded, n, dim: box.dim, scale, radius, cellsPerRadius};
    const indexed = await this.#index.build(toIndex, run, 'index');
    const positions = await this.#startPositions(indexed.points, seeds, {m, scale});
    const field = layout && (await this.#field.build(indexed.points, n, layout, this.#portions('index', run)));
    run.enter('shift');
    const weights = this.#scratch.take('weights', 4 * m);
    const trajectories = {
      positions,
      m,
      weights,
      maxSteps: rules.maxSteps,
      minStep2: (rules.minStep * scale.factor) ** 2,
    };
    const finished = {positions, weights, m, indexed, uploaded, scale, layout};
    if (layout !== undefined && field !== undefined) {
      const weighing = {points: indexed.points, n};
      return {...finished, ...(await this.#climbLattice(weighing, {...trajectories, field, layout}, run))};
    }
    const {points, grid} = indexed;
    const isFlat = rules.kernel === 'flat';
    const overPoints = {
      ...trajectories,
      points,
      n,
      scale,
      grid,
      cellsPerRadius,
      isFlat,
      radius2: radius * radius,
    };
    return {...finished, counts: await this.#search.run(overPoints, run), latticeEnd: undefined};
  }

  /** The first positions: a copy of the points, in the order of their cells, or the seeds. */
  async #startPositions(
    points: GPUBuffer,
    seeds: PointSet | undefined,
    {m, scale}: {readonly m: number; readonly scale: VectorScale},
  ): Promise<GPUBuffer> {
    const bytes = 16 * scale.quads * m;
    const positions = this.#scratch.take('positions', bytes);
    if (seeds === undefined) {
      const encoder = this.#gpu.device.createCommandEncoder();
      encoder.copyBufferToBuffer(points, 0, positions, 0, bytes);
      this.#gpu.device.queue.submit([encoder.finish()]);
    } else {
      await this.#uploader.fill(bytes, positions, vectorWords(seeds, scale));
    }
    return positions;
  }

  /** The scale of the vectors, and the lattice over them. Without a lattice sums are over points. */
  async #layOut(
    source: PointSource,
    run: CheckedRun,
    beginUpload: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
  ): Promise<{scale: VectorScale; layout: LatticeLayout | undefined}> {
    const {n, isSingle, isWidened} = source;
    const {dim} = source.box;
    const bounds = await source.bounds(beginUpload);
    const narrow = vectorScale({dim, bounds, isSingle}, run);
    const width = this.latticeWidth;
    const layout = width === 0 ? undefined : chooseLattice(this.#gpu, run, narrow, {n, dim, width});
    // The bound of the end covers rounding of trajectories over a lattice.
    if (layout !== undefined || !isWidened) return {scale: narrow, layout};
    return {scale: widen(narrow, run.seeds === undefined ? bounds : pointBounds(run.seeds)), layout};
  }

  #portions(phase: MeanShiftPhase, run: GpuRun<MeanShiftPhase>): Portions {
    return new Portions(run, {phase, most: this.#operations});
  }

  async #climbLattice(
    weighing: {readonly points: GPUBuffer; readonly n: number},
    trajectories: LatticeTrajectories,
    run: GpuRun<MeanShiftPhase>,
  ): Promise<{counts: TrajectoryCounts; latticeEnd: number}> {
    const counts = await this.#latticeClimber.run(trajectories, run);
    await run.makeRoom();
    return {
      counts,
      latticeEnd: await this.#latticeEndBound.measure(weighing, trajectories, this.#portions('shift', run)),
    };
  }

  destroy(): void {
    for (const owned of [this.#search, this.#field, this.#latticeClimber, this.#latticeEndBound, this.#uploader])
      owned.destroy();
  }
}
