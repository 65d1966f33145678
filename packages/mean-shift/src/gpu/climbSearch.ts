import {throwIfAborted} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, Reader, type DeviceTimer, type Gpu, type Scratch} from '@epsball/gpu';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import type {MeanShiftPhase, ShiftOptions} from '../meanShift.ts';
import {ascentStructs} from './ascent.wgsl.ts';
import {climbWgsl} from './climb.wgsl.ts';
import {climbTeamWgsl} from './climbTeam.wgsl.ts';

/** Steps between two looks of the host, at most: a look costs about as much as ten short steps, on hardware. Between looks nobody can end the run. */
const STEPS_PER_LOOK = 16;
const STEPS_PER_LOOK_SOFTWARE = 2;

/** Dispatches between two looks, at most, where a step of all climbs takes several. */
const DISPATCHES_PER_LOOK = 32;

/** Candidates in a dispatch without a grid, at most about: a device serves nobody else meanwhile. */
const PAIRS_HARDWARE = 2 ** 34;
const PAIRS_SOFTWARE = 2 ** 28;

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
  readonly blocks: number;
  /** Undefined where every point is a candidate. */
  readonly grid: GpuGrid | undefined;
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

  /**
   * @param scratch     borrowed, as `gpu` is
   * @param teamsBelow  fewer climbs take a workgroup each
   */
  constructor(gpu: Gpu, scratch: Scratch, teamsBelow: number) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#teamsBelow = teamsBelow;
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
    const span = this.#span(climbs);
    const most = this.#gpu.info.kind === 'hardware' ? STEPS_PER_LOOK : STEPS_PER_LOOK_SOFTWARE;
    let active = m;
    let steps = 0;
    let shifts = 0;
    let unfinished = 0;
    while (active > 0 && steps < maxSteps) {
      throwIfAborted(options.signal, 'shift');
      const spans = Math.ceil(active / span);
      const look = Math.max(1, Math.min(most, Math.floor(DISPATCHES_PER_LOOK / spans), maxSteps - steps));
      words.fill(0);
      words[0] = active;
      this.#gpu.device.queue.writeBuffer(lengths, 0, words);
      const isTeam = active < this.#teamsBelow;
      const recording = {kernels, climbs, isTeam, span, active};
      if (spans === 1) {
        await timer.makeRoom();
        const encoder = this.#gpu.device.createCommandEncoder();
        const pass = timer.beginPass(encoder, 'shift');
        for (let word = 0; word < look; word++) this.#record(pass, recording, {word, first: 0, steps: steps + word});
        pass.end();
        this.#gpu.device.queue.submit([encoder.finish()]);
      } else {
        // Long dispatches are handed over one by one, so that a fired signal need not wait for all.
        for (let word = 0; word < look; word++) {
          for (let first = 0; first < active; first += span) {
            await timer.makeRoom();
            const encoder = this.#gpu.device.createCommandEncoder();
            const pass = timer.beginPass(encoder, 'shift');
            this.#record(pass, recording, {word, first, steps: steps + word});
            pass.end();
            this.#gpu.device.queue.submit([encoder.finish()]);
            await this.#settle(options);
          }
        }
      }
      await this.#reader.read(lengths, words);
      for (let word = 0; word < look && words[word] > 0; word++) {
        shifts += words[word];
        steps++;
        if (steps === maxSteps) unfinished = words[word];
      }
      active = words[look];
      options.onProgress?.({phase: 'shift', done: m - active, total: m});
    }
    return {longest: steps, shifts, arrived: m - unfinished};
  }

  async #settle({signal}: ShiftOptions): Promise<void> {
    await this.#gpu.device.queue.onSubmittedWorkDone();
    this.#gpu.throwIfLost();
    throwIfAborted(signal, 'shift');
  }

  /** Climbs in a dispatch. */
  #span({n, grid}: DeviceClimbs): number {
    const pairs = this.#gpu.info.kind === 'hardware' ? PAIRS_HARDWARE : PAIRS_SOFTWARE;
    return grid === undefined ? 256 * Math.max(1, Math.floor(pairs / (256 * n))) : 2 ** 31;
  }

  async #createKernels({grid, blocks, isFlat}: DeviceClimbs): Promise<ClimbKernels> {
    const ofGrid = grid === undefined ? {} : {DIM: grid.overrides.DIM, IS_SPARSE: grid.overrides.IS_SPARSE};
    const overrides = {BLOCKS: blocks, IS_FLAT: isFlat, HAS_GRID: grid !== undefined, ...ofGrid};
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
    {kernels, climbs, isTeam, span, active}: Recording,
    {word, first, steps}: {word: number; first: number; steps: number},
  ): void {
    const {points, places, weights, grid, n, m, radius2, minStep2, maxSteps} = climbs;
    const scratch = this.#scratch;
    const lists = [scratch.take('climbing', 4 * m), scratch.take('goingOn', 4 * m)];
    const unused = scratch.take('unused', 256);
    const geometry = grid?.geometry;
    const params = this.#params.write(ascentStructs.ClimbParams, {
      cellCounts: geometry === undefined ? [] : [...geometry.cellCounts],
      origin: geometry === undefined ? [] : [...geometry.origin],
      invSide: geometry === undefined ? [] : [...geometry.invSide],
      n,
      radius2: Math.min(radius2, 3e38),
      minStep2,
      word,
      first,
      isFirst: steps === 0 ? 1 : 0,
      isLast: steps + 1 === maxSteps ? 1 : 0,
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
    const items = Math.min(span, active - first);
    const {alone, team} = kernels;
    if (isTeam && team !== undefined) team.dispatch(pass, team.bind(bindings), foldDispatch(items));
    else alone.dispatch(pass, alone.bind(bindings), foldDispatch(Math.ceil(items / 256)));
  }

  destroy(): void {
    this.#params.destroy();
    this.#reader.destroy();
  }
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
