import {GpuLimitError} from '@epsball/clustering';
import {foldDispatch, Kernel, type BySpeed, type Gpu, type GpuRun} from '@epsball/gpu';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import type {Device} from '../device.ts';
import type {VectorScale} from '../points/vectorScale.ts';
import {climbByWorkgroupWgsl} from './climbByWorkgroup.wgsl.ts';
import {climbTiledWgsl} from './climbTiled.wgsl.ts';
import {climbWgsl} from './climb.wgsl.ts';
import {trajectoryStructs} from './trajectory.wgsl.ts';

/** On hardware a read-back costs about as much as ten short steps. A run can be aborted only at a read-back. */
const STEPS_PER_BATCH = {hardware: 16, software: 2};

/** Target times between two read-backs and of a dispatch. The device runs nothing else during a dispatch. */
const BATCH_MS = 200;
const DISPATCH_MS = 50;

/** Limit on pairs before the first timing, when every point may be a candidate. */
const FIRST_PAIRS: BySpeed<number> = {hardware: 2 ** 36, software: 2 ** 30};

/** Fewer trajectories get a workgroup each: so many invocations would not fill a large device. */
const WORKGROUPS_BELOW: BySpeed<number> = {hardware: 2 ** 14, software: 0};

/** How work is divided. The result does not depend on it, except for rounding. */
export interface ClimbTuning {
  /** Tiles of so many points go through workgroup memory. 0: every invocation reads its candidates from memory. */
  readonly tileWidth: number;
  readonly workgroupsBelow: number;
  readonly firstPairs: number;
}

export function defaultTuning(gpu: Gpu): ClimbTuning {
  return {tileWidth: 0, workgroupsBelow: gpu.pick(WORKGROUPS_BELOW), firstPairs: gpu.pick(FIRST_PAIRS)};
}

export interface DeviceTrajectories {
  readonly positions: GPUBuffer;
  readonly m: number;
  readonly weights: GPUBuffer;
  readonly maxSteps: number;
  /** A trajectory ends with a shorter squared step. In device units, as `radius2`. */
  readonly minStep2: number;
}

export interface PointTrajectories extends DeviceTrajectories {
  /** Points in the order of their cells, and their number n. */
  readonly points: GPUBuffer;
  readonly n: number;
  readonly scale: VectorScale;
  /** Undefined: every point is a candidate. */
  readonly grid: GpuGrid | undefined;
  readonly cellsPerRadius: number;
  readonly isFlat: boolean;
  readonly radius2: number;
}

export interface TrajectoryCounts {
  readonly longest: number;
  readonly shifts: number;
  /** Trajectories that ended before `maxSteps`. */
  readonly arrived: number;
}

/** The device keeps the list of active trajectories; the host reads its length every few steps. */
export async function climbPoints(
  device: Device,
  trajectories: PointTrajectories,
  tuning: ClimbTuning,
  run: GpuRun<MeanShiftPhase>,
): Promise<TrajectoryCounts> {
  const {m, n, maxSteps} = trajectories;
  const {gpu, scratch, reader} = device;
  const kernels = await createKernels(gpu, trajectories, tuning);
  const most = gpu.pick(STEPS_PER_BATCH);
  const words = new Uint32Array(most + 1);
  const activeCounts = scratch.take('activeCounts', words.byteLength);
  let span = tuning.firstPairs / n;
  let batch = 1;
  let active = m;
  let steps = 0;
  let shifts = 0;
  let unfinished = 0;
  while (active > 0 && steps < maxSteps) {
    run.throwIfAborted('shift');
    batch = Math.min(batch, maxSteps - steps);
    words.fill(0);
    words[0] = active;
    gpu.device.queue.writeBuffer(activeCounts, 0, words);
    const kernel = (active < tuning.workgroupsBelow ? kernels.byWorkgroup : undefined) ?? kernels.all;
    const start = performance.now();
    await submitSteps({device, kernel, trajectories, active, span}, {steps, batch}, run);
    await reader.read(activeCounts, words);
    let made = 0;
    for (let word = 0; word < batch && words[word] > 0; word++) {
      made += words[word];
      steps++;
      if (steps === maxSteps) unfinished = words[word];
    }
    shifts += made;
    active = words[batch];
    // The pace for the measured time of one step of one trajectory.
    const trajectoryMs = (performance.now() - start) / made;
    span = DISPATCH_MS / trajectoryMs;
    batch = Math.max(1, Math.min(most, Math.floor(BATCH_MS / (trajectoryMs * active))));
    reportSteps(run, trajectories, active, steps);
  }
  return {longest: steps, shifts, arrived: m - unfinished};
}

interface StepKernel {
  readonly kernel:
    | Kernel<typeof climbWgsl, 'climb'>
    | Kernel<typeof climbByWorkgroupWgsl, 'climbByWorkgroup'>
    | Kernel<typeof climbTiledWgsl, 'climbTiled'>;
  readonly span: number;
}

interface Recording {
  readonly device: Device;
  readonly kernel: StepKernel;
  readonly trajectories: PointTrajectories;
  /** Active trajectories at the last read-back, and about how many of them a dispatch takes. */
  readonly active: number;
  readonly span: number;
}

/** Submits `batch` steps: in one submission, or dispatch by dispatch if a step takes several dispatches. */
async function submitSteps(
  recording: Recording,
  {steps, batch}: {steps: number; batch: number},
  run: GpuRun<MeanShiftPhase>,
): Promise<void> {
  const {active, kernel, trajectories} = recording;
  const {device} = recording.device.gpu;
  const start = performance.now();
  let {span} = recording;
  await run.makeRoom();
  let encoder = device.createCommandEncoder();
  let pass = run.passes('shift')(encoder);
  for (let word = 0; word < batch; word++) {
    for (let first = 0; first < active;) {
      const items = Math.min(kernel.span * Math.max(1, Math.floor(span / kernel.span)), active - first);
      recordStep(pass, recording, {word, first, items, steps: steps + word});
      first += items;
      if (first === active) continue;
      // Wait for a long dispatch, so that an abort need not wait for all of them. Its time sets the length of the next
      // ones.
      pass.end();
      device.queue.submit([encoder.finish()]);
      await run.settle('shift');
      reportSteps(run, trajectories, active, steps + word + first / active);
      span = (DISPATCH_MS * (word * active + first)) / (performance.now() - start);
      await run.makeRoom();
      encoder = device.createCommandEncoder();
      pass = run.passes('shift')(encoder);
    }
  }
  pass.end();
  device.queue.submit([encoder.finish()]);
}

function reportSteps(
  run: GpuRun<MeanShiftPhase>,
  {m, maxSteps}: PointTrajectories,
  active: number,
  steps: number,
): void {
  run.report('shift', Math.floor(m - active + (active * steps) / (maxSteps + 1)));
}

/** Software adapters compile slowly, so kernels that will not run are not created. */
async function createKernels(
  gpu: Gpu,
  {grid, cellsPerRadius, scale, isFlat}: PointTrajectories,
  {tileWidth, workgroupsBelow}: ClimbTuning,
): Promise<{all: StepKernel; byWorkgroup?: StepKernel | undefined}> {
  const vectors = {BLOCKS: scale.blocks, IS_WIDE: scale.quantum > 0, IS_FLAT: isFlat};
  if (tileWidth > 0) {
    const bytes = 16 * tileWidth * scale.quads + TILED_SUMS_BYTES;
    const allowed = gpu.device.limits.maxComputeWorkgroupStorageSize;
    if (bytes > allowed) {
      throw new GpuLimitError('bytes of a tile in workgroup memory', bytes, allowed, 'a smaller tileWidth would fit');
    }
    const shape = {...vectors, TILE_WIDTH: tileWidth, QUADS: scale.quads};
    const kernel = await Kernel.create(gpu, climbTiledWgsl, 'climbTiled', shape);
    return {all: {kernel, span: Math.min(tileWidth, 32)}};
  }
  const {DIM = 1, IS_SPARSE = false} = grid?.overrides ?? {};
  const overrides = {...vectors, HAS_GRID: grid !== undefined, DIM, IS_SPARSE, CELLS_PER_RADIUS: cellsPerRadius};
  const [one, team] = await Promise.all([
    Kernel.create(gpu, climbWgsl, 'climb', overrides),
    workgroupsBelow > 0 ? Kernel.create(gpu, climbByWorkgroupWgsl, 'climbByWorkgroup', overrides) : undefined,
  ]);
  return {all: {kernel: one, span: 256}, byWorkgroup: team && {kernel: team, span: 1}};
}

/** Of `sums` in climbTiled.wgsl. */
const TILED_SUMS_BYTES = 32 * 80;

function recordStep(
  pass: GPUComputePassEncoder,
  {device, kernel: {kernel, span}, trajectories}: Recording,
  {word, first, items, steps}: {word: number; first: number; items: number; steps: number},
): void {
  const {points, positions, weights, grid, scale, n, m, radius2, minStep2, maxSteps} = trajectories;
  const {scratch} = device;
  const lists = [scratch.take('activeList', 4 * m), scratch.take('nextList', 4 * m)];
  const unused = scratch.take('unused', 256);
  const {cellCounts = [], origin = [], invSide = []} = grid?.geometry ?? {};
  const params = device.params.write(trajectoryStructs.ClimbParams, {
    cellCounts: [...cellCounts],
    origin: [...origin],
    invSide: [...invSide],
    side: [...invSide].map((inverse) => (inverse === 0 ? 0 : 1 / inverse)),
    n,
    radius2: Math.min(radius2, 3e38),
    minStep2,
    word,
    first,
    isFirst: steps === 0 ? 1 : 0,
    isLast: steps + 1 === maxSteps ? 1 : 0,
    quantum: scale.quantum,
  });
  const group = kernel.bind({
    points,
    positions,
    weights,
    activeList: lists[steps % 2],
    nextList: lists[(steps + 1) % 2],
    activeCounts: scratch.take('activeCounts', 4),
    params,
    ...(grid?.bindings ?? {grid: unused, cellStart: unused, cellAxes: unused}),
  });
  kernel.dispatch(pass, group, foldDispatch(Math.ceil(items / span)));
}
