import {throwIfAborted} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, Reader, type DeviceTimer, type Gpu, type Scratch} from '@epsball/gpu';
import type {GpuGrid} from '@epsball/spatial-grid/gpu';
import type {MeanShiftPhase, ShiftOptions} from '../meanShift.ts';
import {climbWgsl} from './climb.wgsl.ts';

/** Steps between two looks of the host, at most: a look costs about as much as ten short steps. */
const STEPS_PER_LOOK = 16;

/** Dispatches between two looks, at most, where a step of all climbs takes several. */
const DISPATCHES_PER_LOOK = 32;

/** Candidates in a dispatch without a grid, at most about: a device serves nobody else meanwhile. */
const PAIRS_HARDWARE = 2 ** 34;
const PAIRS_SOFTWARE = 2 ** 28;

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

  /** @param scratch  borrowed, as `gpu` is */
  constructor(gpu: Gpu, scratch: Scratch) {
    this.#gpu = gpu;
    this.#scratch = scratch;
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
    const kernel = await this.#kernel(climbs);
    const lengths = this.#scratch.take('lengths', 4 * (STEPS_PER_LOOK + 1));
    const words = new Uint32Array(STEPS_PER_LOOK + 1);
    const span = this.#span(climbs);
    let active = m;
    let steps = 0;
    let shifts = 0;
    let unfinished = 0;
    while (active > 0 && steps < maxSteps) {
      throwIfAborted(options.signal, 'shift');
      const spans = Math.ceil(active / span);
      const look = Math.max(1, Math.min(STEPS_PER_LOOK, Math.floor(DISPATCHES_PER_LOOK / spans), maxSteps - steps));
      words.fill(0);
      words[0] = active;
      this.#gpu.device.queue.writeBuffer(lengths, 0, words);
      for (let word = 0; word < look; word++) {
        for (let first = 0; first < active; first += span) {
          await this.#step(
            kernel,
            climbs,
            {word, first, items: Math.min(span, active - first), steps: steps + word},
            timer,
          );
          // Long dispatches are handed over one by one, so that a fired signal need not wait for all.
          if (spans > 1) await this.#settle(options);
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

  #kernel({grid, blocks, isFlat}: DeviceClimbs): Promise<Kernel<typeof climbWgsl, 'climb'>> {
    const ofGrid = grid === undefined ? {} : {DIM: grid.overrides.DIM, IS_SPARSE: grid.overrides.IS_SPARSE};
    const overrides = {BLOCKS: blocks, IS_FLAT: isFlat, HAS_GRID: grid !== undefined, ...ofGrid};
    return Kernel.create(this.#gpu, climbWgsl, 'climb', overrides);
  }

  async #step(
    kernel: Kernel<typeof climbWgsl, 'climb'>,
    climbs: DeviceClimbs,
    {word, first, items, steps}: {word: number; first: number; items: number; steps: number},
    timer: DeviceTimer<MeanShiftPhase>,
  ): Promise<void> {
    const {points, places, weights, grid, n, m, radius2, minStep2, maxSteps} = climbs;
    const scratch = this.#scratch;
    const lists = [scratch.take('climbing', 4 * m), scratch.take('goingOn', 4 * m)];
    const unused = scratch.take('unused', 256);
    const geometry = grid?.geometry;
    const params = this.#params.write(climbWgsl.structs.ClimbParams, {
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
    const group = kernel.bind({
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
    });
    await timer.makeRoom();
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = timer.beginPass(encoder, 'shift');
    kernel.dispatch(pass, group, foldDispatch(Math.ceil(items / 256)));
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  destroy(): void {
    this.#params.destroy();
    this.#reader.destroy();
  }
}
