import {throwIfAborted, type DbscanRunOptions} from '@epsball/clustering';
import {Kernel, Reader, wordOf, type DeviceTimer, type Gpu} from '@epsball/gpu';
import {BatchPace, firstUnits} from './batchPace.ts';
import {expansionWgsl} from './expansion.wgsl.ts';
import {DIRECTORY_OVERRIDES, type IndexedPoints} from './indexedPoints.ts';
import {layoutWgsl} from './layout.wgsl.ts';
import {newSeedsWgsl} from './newSeeds.wgsl.ts';
import {roundCost, workgroupWidth, type RunBuffers} from './runBuffers.ts';
import {SearchWatch} from './searchWatch.ts';
import {searchStructs} from './search.wgsl.ts';
import {seedRefillWgsl} from './seedRefill.wgsl.ts';
import type {TimedPart} from './timedParts.ts';

const {Search} = searchStructs;

/** Rounds recorded between two looks of the host: few at first, because small data is done at once, then more (BatchPace). */
const MAX_ROUNDS = {hardware: 64, software: 8};
const FIRST_ROUNDS = {hardware: 4, software: 2};
/** Comparisons of the first batch: an H200 makes 10^12 a second. Later batches go by time. */
const FIRST_COST = {hardware: 2 ** 36, software: 2 ** 28};
/** With kernels timed one by one: their spans fit between two collections. */
const MAX_TIMED_ROUNDS = 32;
/** Every so many rounds the exact kernel is recorded, too: it seldom has anything to do. Every round, once it has. */
const EXACT_EVERY = 4;
/** Workgroups that stride over all points in search of those that were set aside: enough to fill the machine. */
const REFILL_GROUPS = {hardware: 1024, software: 4};
/**
 * Batches on the device at a time: the next one starts while the host looks at the last. On a software adapter idle rounds cost
 * more than the host's look.
 */
const BATCHES_IN_FLIGHT = {hardware: 2, software: 1};

/** What the search of one run needs. */
export interface SearchInput {
  readonly points: IndexedPoints;
  readonly buffers: RunBuffers;
  /** p */
  readonly chains: number;
  readonly timer: DeviceTimer<TimedPart>;
  readonly isTimedByKernel: boolean;
  readonly options: DbscanRunOptions;
}

interface SearchKernels {
  readonly layOut: Kernel<typeof layoutWgsl, 'layOut'>;
  readonly startChains: Kernel<typeof newSeedsWgsl, 'startChains'>;
  readonly refillSeeds: Kernel<typeof seedRefillWgsl, 'refillSeeds'>;
  readonly expand: Kernel<typeof expansionWgsl, 'expandChains'>;
  readonly expandExactly: Kernel<typeof expansionWgsl, 'expandChains'>;
}

/** One dispatch of a round. */
interface Step {
  readonly part: TimedPart;
  readonly isExact: boolean;
  readonly record: (pass: GPUComputePassEncoder) => void;
}

/**
 * Expands chains until every point is processed: rounds of new seeds, seed refill and expansion, recorded in batches
 * (the main program of section 5.5, which starts each kernel by itself).
 */
export class ChainSearch implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernels: SearchKernels;
  readonly #readers: readonly Reader[];
  readonly #firstRounds: number;
  readonly #firstCost: number;
  readonly #maxRounds: number;
  readonly #refillGroups: number;

  private constructor(gpu: Gpu, kernels: SearchKernels) {
    this.#gpu = gpu;
    this.#kernels = kernels;
    const speed = gpu.info.kind === 'hardware' ? 'hardware' : 'software';
    const inFlight = BATCHES_IN_FLIGHT[speed];
    this.#readers = Array.from({length: inFlight}, () => new Reader(gpu, 'dbscan-dclust/search'));
    this.#firstRounds = FIRST_ROUNDS[speed];
    this.#firstCost = FIRST_COST[speed];
    this.#maxRounds = MAX_ROUNDS[speed];
    this.#refillGroups = REFILL_GROUPS[speed];
  }

  /** Compiles the pipelines; they serve all points and parameters. */
  static async create(gpu: Gpu): Promise<ChainSearch> {
    const WIDTH = workgroupWidth(gpu);
    const [layOut, startChains, refillSeeds, expand, expandExactly] = await Promise.all([
      Kernel.create(gpu, layoutWgsl, 'layOut'),
      Kernel.create(gpu, newSeedsWgsl, 'startChains', {WIDTH}),
      Kernel.create(gpu, seedRefillWgsl, 'refillSeeds', {WIDTH}),
      Kernel.create(gpu, expansionWgsl, 'expandChains', {...DIRECTORY_OVERRIDES, WIDTH, IS_EXACT: false}),
      Kernel.create(gpu, expansionWgsl, 'expandChains', {...DIRECTORY_OVERRIDES, WIDTH, IS_EXACT: true}),
    ]);
    return new ChainSearch(gpu, {layOut, startChains, refillSeeds, expand, expandExactly});
  }

  /** Lays points out and empties states, identities and matrix. Submits. */
  layOut({points, buffers, timer}: SearchInput): void {
    const {device} = this.#gpu;
    const kernel = this.#kernels.layOut;
    const {pointBlocks: blocksOut, states, identities, run, search} = buffers;
    const group = kernel.bind({coords: points.coords, blocksOut, states, identities, run, search});
    const encoder = device.createCommandEncoder();
    encoder.clearBuffer(buffers.collisionMatrix);
    const pass = timer.beginPass(encoder, 'clusters');
    kernel.dispatchOver(pass, group, points.n);
    pass.end();
    device.queue.submit([encoder.finish()]);
  }

  /**
   * Runs rounds until nothing is left, after `layOut`.
   *
   * @param steps  of `prepare`
   * @returns      times that the host has looked
   * @throws RunAbortedError  between two batches
   */
  async run(input: SearchInput, steps: readonly Step[]): Promise<number> {
    const {buffers, points, timer, options} = input;
    const maxRounds = input.isTimedByKernel ? Math.min(MAX_TIMED_ROUNDS, this.#maxRounds) : this.#maxRounds;
    const states = this.#readers.map(() => new Uint32Array(Search.size / 4));
    const watch = new SearchWatch(points.n, options.onProgress);
    const pending: Promise<void>[] = [];
    const firstRounds = firstUnits(this.#firstRounds, roundCost(this.#gpu, input.chains, points), this.#firstCost);
    const pace = new BatchPace(firstRounds, maxRounds);
    // A round processes a seed, hands one out, or walks on; an exact one waits for its turn. So this many are plenty.
    const roundsAllowed = 1024 + 4 * EXACT_EVERY * points.n;
    try {
      for (let batch = 0, rounds = 0; rounds < roundsAllowed; batch++) {
        const slot = batch % states.length;
        if (batch >= states.length) {
          await pending[slot];
          pace.look();
          const isDone = watch.look(states[slot]);
          throwIfAborted(options.signal, 'clusters');
          if (isDone) return batch;
        }
        if (input.isTimedByKernel) await timer.read();
        else await timer.makeRoom();
        this.#submitBatch(steps, pace.next, watch.isExact ? 1 : EXACT_EVERY, input);
        rounds += pace.next;
        pending[slot] = this.#readers[slot].read(buffers.search, states[slot]);
        // A lost device fails all of them; the loop reports the first, and the others must not go unhandled.
        pending[slot].catch(() => undefined);
      }
      throw new Error(`chains not done after ${roundsAllowed} rounds`);
    } finally {
      // The next run reads through the same staging.
      await Promise.allSettled(pending);
    }
  }

  #submitBatch(
    steps: readonly Step[],
    rounds: number,
    exactEvery: number,
    {timer, isTimedByKernel}: SearchInput,
  ): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    const shared = isTimedByKernel ? undefined : timer.beginPass(encoder, 'clusters');
    for (let round = 1; round <= rounds; round++) {
      for (const {part, isExact, record} of steps) {
        if (isExact && round % exactEvery !== 0) continue;
        const pass = shared ?? timer.beginPass(encoder, part);
        record(pass);
        if (!shared) pass.end();
      }
    }
    shared?.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  /** The dispatches of a round, in order. */
  prepare({points, buffers, chains}: SearchInput): readonly Step[] {
    const {wideCoords, directory} = points;
    const {startChains, refillSeeds, expand, expandExactly} = this.#kernels;
    // Without wide coordinates the kernel binds, and never touches, another buffer.
    const bound = {...buffers, ...directory, wideCoords: wideCoords ?? points.coords};
    const startGroup = startChains.bind(bound);
    const refillGroup = refillSeeds.bind(bound);
    const expandGroup = expand.bind(bound);
    const exactGroup = expandExactly.bind(bound);
    return [
      {part: 'newSeeds', isExact: false, record: (pass) => startChains.dispatch(pass, startGroup, [1, 1, 1])},
      {
        part: 'seedRefill',
        isExact: false,
        record: (pass) => refillSeeds.dispatch(pass, refillGroup, [this.#refillGroups, 1, 1]),
      },
      {part: 'expansion', isExact: false, record: (pass) => expand.dispatch(pass, expandGroup, [chains, 1, 1])},
      {part: 'expansion', isExact: true, record: (pass) => expandExactly.dispatch(pass, exactGroup, [chains, 1, 1])},
    ];
  }

  destroy(): void {
    for (const reader of this.#readers) reader.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** A word of the search's state by its name. */
export function stateOf(state: Uint32Array, name: keyof (typeof searchStructs)['Search']['fields']): number {
  return state[wordOf(Search, name)];
}
