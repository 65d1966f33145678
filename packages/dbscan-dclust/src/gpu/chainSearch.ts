import type {DbscanPhase} from '@epsball/clustering';
import {BatchLoop, BatchPace, firstUnits, Kernel, wordOf, type Encode, type Gpu, type GpuRun} from '@epsball/gpu';
import {expansionWgsl} from './expansion.wgsl.ts';
import {DIRECTORY_OVERRIDES, type IndexedPoints} from './indexedPoints.ts';
import {layoutWgsl} from './layout.wgsl.ts';
import {newSeedsWgsl} from './newSeeds.wgsl.ts';
import {roundCost, workgroupWidth, type RunBuffers} from './runBuffers.ts';
import {searchStructs} from './search.wgsl.ts';
import {seedRefillWgsl} from './seedRefill.wgsl.ts';
import type {TimedPart} from './timedParts.ts';

const {Search} = searchStructs;

/** Maximum rounds of a batch, and rounds of the first batch: few, because small data needs few. */
const MAX_ROUNDS = {hardware: 64, software: 8};
const FIRST_ROUNDS = {hardware: 4, software: 2};
/** Comparisons in the first batch: an H200 makes 10^12 per second. Later batches are sized by time. */
const FIRST_COST = {hardware: 2 ** 36, software: 2 ** 28};
/** Rounds of a batch with kernels timed separately, so that their time spans fit between two collections. */
const MAX_TIMED_ROUNDS = 32;
/** The exact kernel is recorded in every fourth round, because it rarely has work, and in every round once it has. */
const EXACT_EVERY = 4;
/** Workgroups that search all points for those set aside: enough to use the whole device. */
const REFILL_GROUPS = {hardware: 1024, software: 4};
/** Batches in flight. On a software adapter idle rounds cost more than a wait for the host. */
const BATCHES_IN_FLIGHT = {hardware: 2, software: 1};

/** Input of the search of one run. */
export interface SearchInput {
  readonly points: IndexedPoints;
  readonly buffers: RunBuffers;
  /** p */
  readonly chains: number;
  readonly isTimedByKernel: boolean;
  readonly run: GpuRun<DbscanPhase, TimedPart>;
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
  readonly encode: Encode;
}

/**
 * Expands chains until every point is processed: rounds of new seeds, seed refill and expansion, recorded in batches
 * (the main program of section 5.5, which starts each kernel separately).
 */
export class ChainSearch implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernels: SearchKernels;
  readonly #batches: BatchLoop;

  private constructor(gpu: Gpu, kernels: SearchKernels) {
    this.#gpu = gpu;
    this.#kernels = kernels;
    this.#batches = new BatchLoop(gpu, 'dbscan-dclust/search', gpu.pick(BATCHES_IN_FLIGHT));
  }

  /** Compiles the pipelines, which serve all points and parameters. */
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

  /** Lays out points, and clears states, identities and matrix. Submits. */
  layOut({points, buffers, run: {timer}}: SearchInput): void {
    const {device} = this.#gpu;
    const kernel = this.#kernels.layOut;
    const {pointBlocks: blocksOut, states, run, search} = buffers;
    const group = kernel.bind({coords: points.coords, blocksOut, states, run, search});
    const encoder = device.createCommandEncoder();
    encoder.clearBuffer(buffers.collisionMatrix);
    const pass = timer.beginPass(encoder, 'clusters');
    kernel.dispatchOver(pass, group, points.n);
    pass.end();
    device.queue.submit([encoder.finish()]);
  }

  /**
   * Expands chains round by round until no seeds are left. Call after `layOut`.
   *
   * @param steps  from `prepare`
   * @returns      number of batches
   * @throws RunAbortedError  between two batches
   */
  async expand(input: SearchInput, steps: readonly Step[]): Promise<number> {
    const {buffers, points, isTimedByKernel, run} = input;
    const gpu = this.#gpu;
    const most = Math.min(isTimedByKernel ? MAX_TIMED_ROUNDS : Infinity, gpu.pick(MAX_ROUNDS));
    const first = firstUnits(gpu.pick(FIRST_ROUNDS), roundCost(gpu, input.chains, points), gpu.pick(FIRST_COST));
    let exactEvery = EXACT_EVERY;
    let exactSeeds = 0;
    const {batches} = await this.#batches.run(run, {
      what: 'search of chains',
      phase: 'clusters',
      state: buffers.search,
      layout: Search,
      progress: 'processed',
      pace: new BatchPace(first, most),
      // A round processes a seed, distributes one, or advances the walk; an exact round comes every EXACT_EVERY rounds.
      maxRounds: 1024 + 4 * EXACT_EVERY * points.n,
      spans: isTimedByKernel ? steps.length * most : 1,
      record: (encoder, rounds) => this.#recordBatch(encoder, steps, {rounds, exactEvery}, input),
      look: (state) => {
        // Record the exact kernel in every round if the last batch needed it, as all do on a lattice.
        const count = stateOf(state, 'exactSeeds');
        exactEvery = count === exactSeeds ? EXACT_EVERY : 1;
        exactSeeds = count;
      },
    });
    return batches;
  }

  #recordBatch(
    encoder: GPUCommandEncoder,
    steps: readonly Step[],
    {rounds, exactEvery}: {readonly rounds: number; readonly exactEvery: number},
    {run, isTimedByKernel}: SearchInput,
  ): void {
    const shared = isTimedByKernel ? undefined : run.timer.beginPass(encoder, 'clusters');
    for (let round = 1; round <= rounds; round++) {
      for (const {part, isExact, encode} of steps) {
        if (isExact && round % exactEvery !== 0) continue;
        if (shared) encode(shared);
        else run.record(encoder, part, encode);
      }
    }
    shared?.end();
  }

  /** Returns the dispatches of a round, in order. */
  prepare({points, buffers, chains}: SearchInput): readonly Step[] {
    const {wideCoords, directory} = points;
    const {startChains, refillSeeds, expand, expandExactly} = this.#kernels;
    // Without wide coordinates, the kernel binds another buffer and does not read it.
    const bound = {...buffers, ...directory, wideCoords: wideCoords ?? points.coords};
    const startGroup = startChains.bind(bound);
    const refillGroup = refillSeeds.bind(bound);
    const expandGroup = expand.bind(bound);
    const exactGroup = expandExactly.bind(bound);
    const refillGroups = this.#gpu.pick(REFILL_GROUPS);
    return [
      {part: 'newSeeds', isExact: false, encode: (pass) => startChains.dispatch(pass, startGroup, [1, 1, 1])},
      {
        part: 'seedRefill',
        isExact: false,
        encode: (pass) => refillSeeds.dispatch(pass, refillGroup, [refillGroups, 1, 1]),
      },
      {part: 'expansion', isExact: false, encode: (pass) => expand.dispatch(pass, expandGroup, [chains, 1, 1])},
      {part: 'expansion', isExact: true, encode: (pass) => expandExactly.dispatch(pass, exactGroup, [chains, 1, 1])},
    ];
  }

  destroy(): void {
    this.#batches.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Returns a word of the search's state by its name. */
export function stateOf(state: Uint32Array, name: keyof (typeof searchStructs)['Search']['fields']): number {
  return state[wordOf(Search, name)];
}
