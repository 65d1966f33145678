import {
  foldDispatch,
  Kernel,
  ParamRing,
  ReadBack,
  type BySpeed,
  type Gpu,
  type GpuRun,
  type Scratch,
} from '@epsball/gpu';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import {trajectoryStructs} from './trajectory.wgsl.ts';
import {climbWgsl} from './climb.wgsl.ts';
import {climbByWorkgroupWgsl} from './climbByWorkgroup.wgsl.ts';
import type {VectorScale} from '../points/vectorScale.ts';

/**
 * Most steps between two read-backs of the host. On hardware a read-back costs about as much as ten short steps. A run
 * can be aborted only at a read-back.
 */
const STEPS_PER_BATCH = {hardware: 16, software: 2};

/** Target times between two read-backs and of a dispatch. The device runs nothing else during a dispatch. */
const BATCH_MS = 200;
const DISPATCH_MS = 50;

/** Approximate limit on the pairs of a trajectory and a point in the first dispatches. */
export const FIRST_PAIRS: BySpeed<number> = {hardware: 2 ** 36, software: 2 ** 30};

/**
 * Fewer trajectories than these get a workgroup each: so many invocations would not fill a large device. Software
 * adapters run invocations one after another anyway.
 */
export const WORKGROUPS_BELOW: BySpeed<number> = {hardware: 2 ** 14, software: 0};

/** Buffers and parameters of trajectories over points. */
export interface PointTrajectories {
  /** Points in the order of their cells, and their number n. */
  readonly points: GPUBuffer;
  readonly n: number;
  /** Current positions, and their number m. Written. */
  readonly positions: GPUBuffer;
  readonly m: number;
  /** m sums of weights. Written. */
  readonly weights: GPUBuffer;
  readonly scale: VectorScale;
  /** Undefined: every point is a candidate. */
  readonly grid: GpuGrid | undefined;
  /** Most cells of the grid in a radius. */
  readonly cellsPerRadius: number;
  readonly isFlat: boolean;
  readonly maxSteps: number;
  /** In squared device units, as `minStep2`. */
  readonly radius2: number;
  readonly minStep2: number;
}

export interface TrajectoryCounts {
  /** Steps of the longest trajectory. */
  readonly longest: number;
  /** Steps of all trajectories. */
  readonly shifts: number;
  /** Trajectories that ended before `maxSteps`. */
  readonly arrived: number;
}

/**
 * Moves trajectories over points until all have arrived. The device keeps the list of active ones; the host reads its
 * length every few steps.
 */
export class PointClimber {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;
  readonly #reader: ReadBack;

  readonly #workgroupsBelow: number;
  readonly #firstPairs: number;

  /**
   * @param scratch          borrowed, as `gpu` is
   * @param workgroupsBelow  fewer trajectories get a workgroup each
   * @param firstPairs       approximate limit on pairs of a trajectory and a point in the first dispatches
   */
  constructor(
    gpu: Gpu,
    scratch: Scratch,
    {workgroupsBelow, firstPairs}: {readonly workgroupsBelow: number; readonly firstPairs: number},
  ) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#workgroupsBelow = workgroupsBelow;
    this.#firstPairs = firstPairs;
    this.#params = new ParamRing(gpu, 'mean-shift/climb.params', 64);
    this.#reader = new ReadBack(gpu, 'mean-shift/climb');
  }

  /**
   * Moves all trajectories to their ends. `positions` and `weights` hold the result.
   *
   * @throws RunAbortedError  if the signal has fired
   */
  async run(trajectories: PointTrajectories, run: GpuRun<MeanShiftPhase>): Promise<TrajectoryCounts> {
    const {m, maxSteps} = trajectories;
    const kernels = await this.#createKernels(trajectories);
    const most = this.#gpu.pick(STEPS_PER_BATCH);
    const words = new Uint32Array(most + 1);
    const activeCounts = this.#scratch.take('activeCounts', words.byteLength);
    let pace: Pace = {span: this.#firstSpan(trajectories), batch: 1};
    let active = m;
    let steps = 0;
    let shifts = 0;
    let unfinished = 0;
    while (active > 0 && steps < maxSteps) {
      run.throwIfAborted('shift');
      const batch = Math.min(pace.batch, maxSteps - steps);
      words.fill(0);
      words[0] = active;
      this.#gpu.device.queue.writeBuffer(activeCounts, 0, words);
      const isByWorkgroup = active < this.#workgroupsBelow;
      const start = performance.now();
      await this.#step({kernels, trajectories, isByWorkgroup, span: pace.span, active}, {steps, batch}, run);
      await this.#reader.read(activeCounts, words);
      let made = 0;
      for (let word = 0; word < batch && words[word] > 0; word++) {
        made += words[word];
        steps++;
        if (steps === maxSteps) unfinished = words[word];
      }
      shifts += made;
      active = words[batch];
      pace = paceOf((performance.now() - start) / made, active, most);
      run.report('shift', m - active);
    }
    return {longest: steps, shifts, arrived: m - unfinished};
  }

  /** Submits `batch` steps: in one submission, or dispatch by dispatch if a step takes several dispatches. */
  async #step(
    recording: Recording,
    {steps, batch}: {steps: number; batch: number},
    run: GpuRun<MeanShiftPhase>,
  ): Promise<void> {
    const {active} = recording;
    const start = performance.now();
    let {span} = recording;
    await run.makeRoom();
    let encoder = this.#gpu.device.createCommandEncoder();
    let pass = run.passes('shift')(encoder);
    for (let word = 0; word < batch; word++) {
      for (let first = 0; first < active;) {
        const items = Math.min(span, active - first);
        this.#record(pass, recording, {word, first, items, steps: steps + word});
        first += items;
        if (first === active) continue;
        // Wait for a long dispatch, so that an abort need not wait for all of them. Its time sets the length of the
        // next ones.
        pass.end();
        this.#gpu.device.queue.submit([encoder.finish()]);
        await run.settle('shift');
        span = spanOf((performance.now() - start) / (word * active + first));
        await run.makeRoom();
        encoder = this.#gpu.device.createCommandEncoder();
        pass = run.passes('shift')(encoder);
      }
    }
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  /** Trajectories in the first dispatches. Their number of candidates is not known yet: at worst all points. */
  #firstSpan({n}: PointTrajectories): number {
    return 256 * Math.max(1, Math.floor(this.#firstPairs / (256 * n)));
  }

  async #createKernels({grid, cellsPerRadius, scale, isFlat}: PointTrajectories): Promise<ClimbKernels> {
    const ofGrid =
      grid === undefined
        ? {}
        : {DIM: grid.overrides.DIM, IS_SPARSE: grid.overrides.IS_SPARSE, CELLS_PER_RADIUS: cellsPerRadius};
    const overrides = {
      BLOCKS: scale.blocks,
      IS_WIDE: scale.quantum > 0,
      IS_FLAT: isFlat,
      HAS_GRID: grid !== undefined,
      ...ofGrid,
    };
    // Software adapters compile slowly, so kernels that will not run are not created.
    const [byInvocation, byWorkgroup] = await Promise.all([
      Kernel.create(this.#gpu, climbWgsl, 'climb', overrides),
      this.#workgroupsBelow > 0
        ? Kernel.create(this.#gpu, climbByWorkgroupWgsl, 'climbByWorkgroup', overrides)
        : undefined,
    ]);
    return {byInvocation, byWorkgroup};
  }

  /** Records one dispatch of a step. */
  #record(
    pass: GPUComputePassEncoder,
    {kernels, trajectories, isByWorkgroup}: Recording,
    {word, first, items, steps}: {word: number; first: number; items: number; steps: number},
  ): void {
    const {points, positions, weights, grid, scale, n, m, radius2, minStep2, maxSteps} = trajectories;
    const scratch = this.#scratch;
    const lists = [scratch.take('activeList', 4 * m), scratch.take('nextList', 4 * m)];
    const unused = scratch.take('unused', 256);
    const geometry = grid?.geometry;
    const params = this.#params.write(trajectoryStructs.ClimbParams, {
      cellCounts: geometry === undefined ? [] : [...geometry.cellCounts],
      origin: geometry === undefined ? [] : [...geometry.origin],
      invSide: geometry === undefined ? [] : [...geometry.invSide],
      side: geometry === undefined ? [] : [...geometry.invSide].map((inverse) => (inverse === 0 ? 0 : 1 / inverse)),
      n,
      radius2: Math.min(radius2, 3e38),
      minStep2,
      word,
      first,
      isFirst: steps === 0 ? 1 : 0,
      isLast: steps + 1 === maxSteps ? 1 : 0,
      quantum: scale.quantum,
    });
    const bindings = {
      points,
      positions,
      weights,
      activeList: lists[steps % 2],
      nextList: lists[(steps + 1) % 2],
      activeCounts: scratch.take('activeCounts', 4),
      params,
      grid: grid?.bindings.grid ?? unused,
      cellStart: grid?.bindings.cellStart ?? unused,
      cellAxes: grid?.bindings.cellAxes ?? unused,
    };
    const {byInvocation, byWorkgroup} = kernels;
    if (isByWorkgroup && byWorkgroup !== undefined)
      byWorkgroup.dispatch(pass, byWorkgroup.bind(bindings), foldDispatch(items));
    else byInvocation.dispatch(pass, byInvocation.bind(bindings), foldDispatch(Math.ceil(items / 256)));
  }

  destroy(): void {
    this.#params.destroy();
    this.#reader.destroy();
  }
}

/** How much to submit at a time: trajectories in a dispatch, and steps between two read-backs. */
interface Pace {
  readonly span: number;
  readonly batch: number;
}

/** The pace for a measured time of one step of one trajectory. The result of a run does not depend on it. */
function paceOf(trajectoryMs: number, active: number, mostSteps: number): Pace {
  const batch = Math.floor(BATCH_MS / (trajectoryMs * active));
  return {span: spanOf(trajectoryMs), batch: Math.max(1, Math.min(mostSteps, batch))};
}

function spanOf(trajectoryMs: number): number {
  return 256 * Math.max(1, Math.floor(Math.min(DISPATCH_MS / trajectoryMs, 2 ** 31) / 256));
}

interface ClimbKernels {
  readonly byInvocation: Kernel<typeof climbWgsl, 'climb'>;
  /** Undefined if `workgroupsBelow` is 0. */
  readonly byWorkgroup: Kernel<typeof climbByWorkgroupWgsl, 'climbByWorkgroup'> | undefined;
}

/** What all dispatches between two read-backs share. */
interface Recording {
  readonly kernels: ClimbKernels;
  readonly trajectories: PointTrajectories;
  readonly isByWorkgroup: boolean;
  /** Most trajectories in a dispatch; active trajectories at the last read-back. */
  readonly span: number;
  readonly active: number;
}
