import type {DbscanPhase, DbscanStats} from '@epsball/clustering';
import {BatchLoop, BatchPace, firstUnits, Kernel, Owner, type Encode, type Gpu, type GpuRun} from '@epsball/gpu';
import {expansionWgsl} from './expansion.wgsl.ts';
import type {IndexedPoints} from './indexedPoints.ts';
import {layoutWgsl} from './layout.wgsl.ts';
import {newSeedsWgsl} from './newSeeds.wgsl.ts';
import {roundCost, workgroupWidth, type RunBuffers} from './runBuffers.ts';
import {searchStructs} from './search.wgsl.ts';
import {seedRefillWgsl} from './seedRefill.wgsl.ts';

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

/** Also the kernels of the paper's Figure 8. Its fourth part, the collision matrix, is resolved on the host. */
export type TimedPart = DbscanPhase | 'expansion' | 'newSeeds' | 'seedRefill';

export interface Chains {
  readonly points: IndexedPoints;
  readonly buffers: RunBuffers;
  /** p */
  readonly chains: number;
  readonly run: GpuRun<DbscanPhase, TimedPart>;
}

/** Expands chains until every point is processed, in batches of rounds (the main program of section 5.5). */
export class ChainSearch extends Owner {
  readonly #gpu: Gpu;
  readonly #kernels: Awaited<ReturnType<typeof compile>>;
  readonly #batches: BatchLoop;

  private constructor(gpu: Gpu, kernels: Awaited<ReturnType<typeof compile>>) {
    super();
    this.#gpu = gpu;
    this.#kernels = kernels;
    this.#batches = this.own(new BatchLoop(gpu, 'dbscan-dclust/search', gpu.pick(BATCHES_IN_FLIGHT)));
  }

  static async create(gpu: Gpu): Promise<ChainSearch> {
    return new ChainSearch(gpu, await compile(gpu));
  }

  /** Lays out points, and clears states, identities and matrix. Submits. */
  layOut({points: {n, coords}, buffers, run}: Chains): void {
    const {device} = this.#gpu;
    const encoder = device.createCommandEncoder();
    encoder.clearBuffer(buffers.collisionMatrix);
    run.record(
      encoder,
      'clusters',
      this.#kernels.layOut.encodeOver({coords, blocksOut: buffers.pointBlocks, ...buffers}, n),
    );
    device.queue.submit([encoder.finish()]);
  }

  prepare({points, buffers, chains}: Chains): readonly (readonly [TimedPart, Encode])[] {
    const {startChains, refillSeeds, expand, expandExactly} = this.#kernels;
    const bound = {...buffers, ...points.directory, wideCoords: points.wideCoords};
    return [
      ['newSeeds', startChains.encode(bound, [1, 1, 1])],
      ['seedRefill', refillSeeds.encode(bound, [this.#gpu.pick(REFILL_GROUPS), 1, 1])],
      ['expansion', expand.encode(bound, [chains, 1, 1])],
      ['expansion', expandExactly.encode(bound, [chains, 1, 1])],
    ];
  }

  /** Expands chains until no seeds are left. Returns the number of batches. */
  async expand(
    {buffers, points, chains, run}: Chains,
    steps: readonly (readonly [TimedPart, Encode])[],
    isTimedByKernel: boolean,
  ): Promise<number> {
    const gpu = this.#gpu;
    const most = Math.min(isTimedByKernel ? MAX_TIMED_ROUNDS : Infinity, gpu.pick(MAX_ROUNDS));
    const first = firstUnits(gpu.pick(FIRST_ROUNDS), roundCost(gpu, chains, points), gpu.pick(FIRST_COST));
    let exactEvery = EXACT_EVERY;
    let exactSeeds = 0;
    const {batches} = await this.#batches.run(run, {
      what: 'search of chains',
      phase: 'clusters',
      state: buffers.search,
      layout: searchStructs.Search,
      progress: 'processed',
      pace: new BatchPace(first, most),
      // A round processes a seed, distributes one, or advances the walk; an exact round comes every EXACT_EVERY rounds.
      maxRounds: 1024 + 4 * EXACT_EVERY * points.n,
      spans: isTimedByKernel ? steps.length * most : 1,
      record: (encoder, rounds) => {
        const shared = isTimedByKernel ? undefined : run.timer.beginPass(encoder, 'clusters');
        for (let round = 1; round <= rounds; round++) {
          for (const [part, encode] of round % exactEvery === 0 ? steps : steps.slice(0, -1)) {
            if (shared) encode(shared);
            else run.record(encoder, part, encode);
          }
        }
        shared?.end();
      },
      look: (state) => {
        // Record the exact kernel in every round if the last batch needed it, as all do on a lattice.
        const count = stateOf(state, 'exactSeeds');
        exactEvery = count === exactSeeds ? EXACT_EVERY : 1;
        exactSeeds = count;
      },
    });
    return batches;
  }
}

async function compile(gpu: Gpu) {
  const WIDTH = workgroupWidth(gpu);
  const [layOut, startChains, refillSeeds, expand, expandExactly] = await Promise.all([
    Kernel.create(gpu, layoutWgsl, 'layOut'),
    Kernel.create(gpu, newSeedsWgsl, 'startChains', {WIDTH}),
    Kernel.create(gpu, seedRefillWgsl, 'refillSeeds', {WIDTH}),
    Kernel.create(gpu, expansionWgsl, 'expandChains', {WIDTH, IS_EXACT: false}),
    Kernel.create(gpu, expansionWgsl, 'expandChains', {WIDTH, IS_EXACT: true}),
  ]);
  return {layOut, startChains, refillSeeds, expand, expandExactly};
}

export function stateOf(state: Uint32Array, name: keyof (typeof searchStructs)['Search']['fields']): number {
  return state[searchStructs.Search.fields[name].offset / 4];
}

/** Counters and device times by phase, with the milliseconds of each kernel that was timed separately as counters. */
export async function statsOf(run: Chains['run'], counters: Readonly<Record<string, number>>): Promise<DbscanStats> {
  const {devicePhaseMs, ...stats} = await run.stats(counters);
  if (!devicePhaseMs) return stats;
  const {expansion: expansionMs, newSeeds: newSeedsMs = 0, seedRefill: seedRefillMs = 0, ...phases} = devicePhaseMs;
  if (expansionMs === undefined) return {...stats, devicePhaseMs: phases};
  const clusters = (phases.clusters ?? 0) + expansionMs + newSeedsMs + seedRefillMs;
  const ofKernels = {expansionMs, newSeedsMs, seedRefillMs};
  return {...stats, counters: {...counters, ...ofKernels}, devicePhaseMs: {...phases, clusters}};
}
