import {throwIfAborted} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, Reader, type DeviceTimer, type Gpu, type Scratch} from '@epsball/gpu';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import type {MeanShiftPhase, ShiftOptions} from '../../algorithm.ts';
import {ascentStructs} from './ascent.wgsl.ts';
import {climbWgsl} from './climb.wgsl.ts';
import {climbTeamWgsl} from './climbTeam.wgsl.ts';
import type {PlaceScale} from '../points/placeScale.ts';

/** Steps between two looks of the host, at most: a look costs about as much as ten short steps, on hardware. Between looks nobody can end the run. */
const STEPS_PER_LOOK = 16;
const STEPS_PER_LOOK_SOFTWARE = 2;

/** Milliseconds between two looks, and of a dispatch, about: a device serves nobody else meanwhile. */
const LOOK_MS = 200;
const DISPATCH_MS = 50;

/** Pairs of a climb and a point in one of the first dispatches, at most about. */
export const FIRST_PAIRS_HARDWARE: number = 2 ** 36;
export const FIRST_PAIRS_SOFTWARE: number = 2 ** 30;

/** Fewer climbs than these take a workgroup each: so many invocations would not fill a large device. */
export const TEAMS_BELOW_HARDWARE: number = 2 ** 14;

/** What climbs need on the device. */
export interface DeviceClimbs {
  /** Points that weigh, in the order of their cells, and their number. */
  readonly points: GPUBuffer;
  readonly n: number;
  /** Where the climbs are, and their number. */
  readonly places: GPUBuffer;
  readonly m: number;
  /** m words, written. */
  readonly weights: GPUBuffer;
  readonly scale: PlaceScale;
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

export interface ClimbCounts {
  /** Steps of the longest climb. */
  readonly longest: number;
  /** Steps of all climbs. */
  readonly shifts: number;
  /** Climbs that ended before the last step. */
  readonly arrived: number;
}

/** Steps climbs until all have arrived. Those that go on are listed on the device; the host looks every few steps. */
export class ClimbSearch {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;
  readonly #reader: Reader;

  readonly #teamsBelow: number;
  readonly #firstPairs: number;

  /**
   * @param scratch     borrowed, as `gpu` is
   * @param teamsBelow  fewer climbs take a workgroup each
   * @param firstPairs  pairs of a climb and a point in one of the first dispatches, at most about
   */
  constructor(
    gpu: Gpu,
    scratch: Scratch,
    {teamsBelow, firstPairs}: {readonly teamsBelow: number; readonly firstPairs: number},
  ) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#teamsBelow = teamsBelow;
    this.#firstPairs = firstPairs;
    this.#params = new ParamRing(gpu, 'mean-shift/climb.params', 64);
    this.#reader = new Reader(gpu, 'mean-shift/climb');
  }

  /**
   * Climbs to the ends; `places` and `weights` hold them.
   *
   * @throws RunAbortedError  if the signal has fired
   */
  async run(climbs: DeviceClimbs, timer: DeviceTimer<MeanShiftPhase>, options: ShiftOptions): Promise<ClimbCounts> {
    const {m, maxSteps} = climbs;
    const kernels = await this.#createKernels(climbs);
    const lengths = this.#scratch.take('lengths', 4 * (STEPS_PER_LOOK + 1));
    const words = new Uint32Array(STEPS_PER_LOOK + 1);
    const most = this.#gpu.info.kind === 'hardware' ? STEPS_PER_LOOK : STEPS_PER_LOOK_SOFTWARE;
    let pace: Pace = {span: this.#firstSpan(climbs), look: 1};
    let active = m;
    let steps = 0;
    let shifts = 0;
    let unfinished = 0;
    while (active > 0 && steps < maxSteps) {
      throwIfAborted(options.signal, 'shift');
      const look = Math.min(pace.look, maxSteps - steps);
      words.fill(0);
      words[0] = active;
      this.#gpu.device.queue.writeBuffer(lengths, 0, words);
      const isTeam = active < this.#teamsBelow;
      const start = performance.now();
      await this.#step({kernels, climbs, isTeam, span: pace.span, active}, {steps, look}, timer, options);
      await this.#reader.read(lengths, words);
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
        // Long ones are waited for, so that a fired signal need not wait for all; and how long they take says how many climbs the next ones may have.
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

  /** Climbs in the first dispatches, of which nobody knows yet how many candidates they have: all points, at worst. */
  #firstSpan({n}: DeviceClimbs): number {
    return 256 * Math.max(1, Math.floor(this.#firstPairs / (256 * n)));
  }

  async #createKernels({grid, cellsPerRadius, scale, isFlat}: DeviceClimbs): Promise<ClimbKernels> {
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
    const [alone, team] = await Promise.all([
      Kernel.create(this.#gpu, climbWgsl, 'climb', overrides),
      this.#teamsBelow > 0 ? Kernel.create(this.#gpu, climbTeamWgsl, 'climbTogether', overrides) : undefined,
    ]);
    return {alone, team};
  }

  /** Records one dispatch of a step. */
  #record(
    pass: GPUComputePassEncoder,
    {kernels, climbs, isTeam}: Recording,
    {word, first, items, steps}: {word: number; first: number; items: number; steps: number},
  ): void {
    const {points, places, weights, grid, scale, n, m, radius2, minStep2, maxSteps} = climbs;
    const scratch = this.#scratch;
    const lists = [scratch.take('climbing', 4 * m), scratch.take('goingOn', 4 * m)];
    const unused = scratch.take('unused', 256);
    const geometry = grid?.geometry;
    const params = this.#params.write(ascentStructs.ClimbParams, {
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
      places,
      weights,
      climbing: lists[steps % 2],
      goingOn: lists[(steps + 1) % 2],
      lengths: scratch.take('lengths', 4),
      params,
      grid: grid?.bindings.grid ?? unused,
      cellStart: grid?.bindings.cellStart ?? unused,
      cellAxes: grid?.bindings.cellAxes ?? unused,
    };
    const {alone, team} = kernels;
    if (isTeam && team !== undefined) team.dispatch(pass, team.bind(bindings), foldDispatch(items));
    else alone.dispatch(pass, alone.bind(bindings), foldDispatch(Math.ceil(items / 256)));
  }

  destroy(): void {
    this.#params.destroy();
    this.#reader.destroy();
  }
}

/** How much is handed over at a time: climbs a dispatch, and steps between two looks. */
interface Pace {
  readonly span: number;
  readonly look: number;
}

/** By what a step of a climb took before. What is computed does not hang on it. */
function paceOf(climbMs: number, active: number, mostSteps: number): Pace {
  const look = Math.floor(LOOK_MS / (climbMs * active));
  return {span: spanOf(climbMs), look: Math.max(1, Math.min(mostSteps, look))};
}

function spanOf(climbMs: number): number {
  return 256 * Math.max(1, Math.floor(Math.min(DISPATCH_MS / climbMs, 2 ** 31) / 256));
}

interface ClimbKernels {
  readonly alone: Kernel<typeof climbWgsl, 'climb'>;
  /** Undefined where no number of climbs is below the limit. */
  readonly team: Kernel<typeof climbTeamWgsl, 'climbTogether'> | undefined;
}

/** What the dispatches between two looks have in common. */
interface Recording {
  readonly kernels: ClimbKernels;
  readonly climbs: DeviceClimbs;
  readonly isTeam: boolean;
  /** Climbs in a dispatch, at most; and climbs at the look before. */
  readonly span: number;
  readonly active: number;
}
