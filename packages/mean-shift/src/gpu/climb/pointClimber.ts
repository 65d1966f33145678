import {throwIfAborted} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, Reader, type DeviceTimer, type Gpu, type Scratch} from '@epsball/gpu';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import type {MeanShiftPhase, ShiftOptions} from '../../algorithm.ts';
import {trajectoryStructs} from './trajectory.wgsl.ts';
import {climbWgsl} from './climb.wgsl.ts';
import {climbByWorkgroupWgsl} from './climbByWorkgroup.wgsl.ts';
import type {VectorScale} from '../points/vectorScale.ts';

/** Steps between two looks of the host, at most: a look costs about as much as ten short steps, on hardware. Between looks nobody can end the run. */
const STEPS_PER_LOOK = 16;
const STEPS_PER_LOOK_SOFTWARE = 2;

/** Milliseconds between two looks, and of a dispatch, about: a device serves nobody else meanwhile. */
const LOOK_MS = 200;
const DISPATCH_MS = 50;

/** Pairs of a climb and a point in one of the first dispatches, at most about. */
export const FIRST_PAIRS_HARDWARE: number = 2 ** 36;
export const FIRST_PAIRS_SOFTWARE: number = 2 ** 30;

/** Fewer trajectories than these take a workgroup each: so many invocations would not fill a large device. */
export const WORKGROUPS_BELOW_HARDWARE: number = 2 ** 14;

/** What trajectories need on the device. */
export interface PointTrajectories {
  /** Points that weigh, in the order of their cells, and their number. */
  readonly points: GPUBuffer;
  readonly n: number;
  /** Where the trajectories are, and their number. */
  readonly positions: GPUBuffer;
  readonly m: number;
  /** m words, written. */
  readonly weights: GPUBuffer;
  readonly scale: VectorScale;
  /** Undefined where every point is a candidate. */
  readonly grid: GpuGrid | undefined;
  /** Cells of it that the radius spans, at most. */
  readonly cellsPerRadius: number;
  readonly isFlat: boolean;
  readonly maxSteps: number;
  /** Squares in device units. */
  readonly radius2: number;
  readonly minStep2: number;
}

export interface TrajectoryCounts {
  /** Steps of the longest climb. */
  readonly longest: number;
  /** Steps of all trajectories. */
  readonly shifts: number;
  /** Trajectories that ended before the last step. */
  readonly arrived: number;
}

/** Steps trajectories until all have arrived. Those that go on are listed on the device; the host looks every few steps. */
export class PointClimber {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;
  readonly #reader: Reader;

  readonly #workgroupsBelow: number;
  readonly #firstPairs: number;

  /**
   * @param scratch     borrowed, as `gpu` is
   * @param workgroupsBelow  fewer trajectories take a workgroup each
   * @param firstPairs  pairs of a climb and a point in one of the first dispatches, at most about
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
    this.#reader = new Reader(gpu, 'mean-shift/climb');
  }

  /**
   * Trajectories to the ends; `positions` and `weights` hold them.
   *
   * @throws RunAbortedError  if the signal has fired
   */
  async run(
    trajectories: PointTrajectories,
    timer: DeviceTimer<MeanShiftPhase>,
    options: ShiftOptions,
  ): Promise<TrajectoryCounts> {
    const {m, maxSteps} = trajectories;
    const kernels = await this.#createKernels(trajectories);
    const activeCounts = this.#scratch.take('activeCounts', 4 * (STEPS_PER_LOOK + 1));
    const words = new Uint32Array(STEPS_PER_LOOK + 1);
    const most = this.#gpu.info.kind === 'hardware' ? STEPS_PER_LOOK : STEPS_PER_LOOK_SOFTWARE;
    let pace: Pace = {span: this.#firstSpan(trajectories), look: 1};
    let active = m;
    let steps = 0;
    let shifts = 0;
    let unfinished = 0;
    while (active > 0 && steps < maxSteps) {
      throwIfAborted(options.signal, 'shift');
      const look = Math.min(pace.look, maxSteps - steps);
      words.fill(0);
      words[0] = active;
      this.#gpu.device.queue.writeBuffer(activeCounts, 0, words);
      const isByWorkgroup = active < this.#workgroupsBelow;
      const start = performance.now();
      await this.#step({kernels, trajectories, isByWorkgroup, span: pace.span, active}, {steps, look}, timer, options);
      await this.#reader.read(activeCounts, words);
      let made = 0;
      for (let word = 0; word < look && words[word] > 0; word++) {
        made += words[word];
        steps++;
        if (steps === maxSteps) unfinished = words[word];
      }
      shifts += made;
      active = words[look];
      pace = paceOf((performance.now() - start) / made, active, most);
      options.onProgress?.({phase: 'shift', done: m - active, total: m});
    }
    return {longest: steps, shifts, arrived: m - unfinished};
  }

  /** Hands `look` steps over to the device: in one piece, or dispatch by dispatch where a step takes several. */
  async #step(
    recording: Recording,
    {steps, look}: {steps: number; look: number},
    timer: DeviceTimer<MeanShiftPhase>,
    options: ShiftOptions,
  ): Promise<void> {
    const {active} = recording;
    const start = performance.now();
    let {span} = recording;
    await timer.makeRoom();
    let encoder = this.#gpu.device.createCommandEncoder();
    let pass = timer.beginPass(encoder, 'shift');
    for (let word = 0; word < look; word++) {
      for (let first = 0; first < active;) {
        const items = Math.min(span, active - first);
        this.#record(pass, recording, {word, first, items, steps: steps + word});
        first += items;
        if (first === active) continue;
        // Long ones are waited for, so that a fired signal need not wait for all; and how long they take says how many trajectories the next ones may have.
        pass.end();
        this.#gpu.device.queue.submit([encoder.finish()]);
        await this.#settle(options);
        span = spanOf((performance.now() - start) / (word * active + first));
        await timer.makeRoom();
        encoder = this.#gpu.device.createCommandEncoder();
        pass = timer.beginPass(encoder, 'shift');
      }
    }
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  async #settle({signal}: ShiftOptions): Promise<void> {
    await this.#gpu.device.queue.onSubmittedWorkDone();
    this.#gpu.throwIfLost();
    throwIfAborted(signal, 'shift');
  }

  /** Trajectories in the first dispatches, of which nobody knows yet how many candidates they have: all points, at worst. */
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
    // Software adapters take their time to compile what they will not run.
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

/** How much is handed over at a time: trajectories a dispatch, and steps between two looks. */
interface Pace {
  readonly span: number;
  readonly look: number;
}

/** By what a step of a climb took before. What is computed does not hang on it. */
function paceOf(trajectoryMs: number, active: number, mostSteps: number): Pace {
  const look = Math.floor(LOOK_MS / (trajectoryMs * active));
  return {span: spanOf(trajectoryMs), look: Math.max(1, Math.min(mostSteps, look))};
}

function spanOf(trajectoryMs: number): number {
  return 256 * Math.max(1, Math.floor(Math.min(DISPATCH_MS / trajectoryMs, 2 ** 31) / 256));
}

interface ClimbKernels {
  readonly byInvocation: Kernel<typeof climbWgsl, 'climb'>;
  /** Undefined where no number of trajectories is below the limit. */
  readonly byWorkgroup: Kernel<typeof climbByWorkgroupWgsl, 'climbByWorkgroup'> | undefined;
}

/** What the dispatches between two looks have in common. */
interface Recording {
  readonly kernels: ClimbKernels;
  readonly trajectories: PointTrajectories;
  readonly isByWorkgroup: boolean;
  /** Trajectories in a dispatch, at most; and trajectories at the look before. */
  readonly span: number;
  readonly active: number;
}
