import {NOISE_PAINT, UNSEEN, type Edge} from './frame.ts';
import type {Balls} from './neighbors.ts';
import {count} from './tape.ts';

/** Two chains that have touched one core point, `row` < `column`; `from` has met `to`. */
interface Collision {
  readonly row: number;
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

interface Chain {
  /** Number of the chain that its points carry. A split keeps the number. */
  identity: number;
  seeds: number[];
}

/**
 * The chains of CUDA-DClust and the points that they have marked. A chain marks the neighbours of a core seed that no
 * chain has, and puts them on its list. If another chain has a neighbour and the neighbour is core, the chains collide:
 * they are one cluster. A neighbour that is not known to be core is looked at again when it is processed, because a
 * border point would join two clusters.
 *
 * @source Böhm, Noll, Plant, Wackersreuther 2009, sections 5.1 to 5.4
 */
export class ChainState {
  /** Identity of the chain that marked the point, or `UNSEEN` or `NOISE_PAINT`. */
  readonly paint: Int32Array;
  readonly core: Uint8Array;
  /** First point of each identity. */
  readonly identities: number[] = [];
  readonly collisions: Collision[] = [];
  readonly lists: readonly Chain[];
  readonly #balls: Balls;
  readonly #minPts: number;
  readonly #isProcessed: Uint8Array;

  constructor(balls: Balls, minPts: number, chains: number) {
    this.#balls = balls;
    this.#minPts = minPts;
    this.paint = new Int32Array(balls.length).fill(UNSEEN);
    this.core = new Uint8Array(balls.length);
    this.#isProcessed = new Uint8Array(balls.length);
    this.lists = Array.from({length: chains}, () => ({identity: -1, seeds: []}));
  }

  /** Runs one round, or returns undefined if all points are processed. The text says what the chains did. */
  advance(): {readonly seeds: readonly number[]; readonly claims: readonly Edge[]; readonly text: string} | undefined {
    const {started, split} = this.#feed();
    const active = this.lists.filter(({seeds}) => seeds.length > 0);
    if (active.length === 0) return undefined;
    const claims: Edge[] = [];
    const before = this.collisions.length;
    let noise = 0;
    const seeds = active.map((chain) => {
      const seed = chain.seeds.shift() ?? 0;
      if (!this.#process(chain, seed, claims)) noise++;
      return seed;
    });
    const parts = [
      `${count(seeds.length, 'chain')} process one seed each and mark ${count(claims.length, 'neighbour')}.`,
      ...(started > 0 ? [`${count(started, 'new chain')} started at unprocessed points.`] : []),
      ...(split > 0 ? [`${count(split, 'idle chain')} took a seed of a long list.`] : []),
      ...(noise > 0 ? [`${count(noise, 'seed')} ${noise === 1 ? 'is' : 'are'} not core.`] : []),
      ...this.collisions
        .slice(before, before + 2)
        .map(({row, column}) => `Chains ${row} and ${column} touch the same core point: a collision.`),
    ];
    return {seeds, claims, text: parts.join(' ')};
  }

  /** Gives every idle chain an unprocessed point, or else a seed of the longest list. */
  #feed(): {started: number; split: number} {
    let started = 0;
    let split = 0;
    this.lists.forEach((chain, k) => {
      if (chain.seeds.length > 0) return;
      const fresh = this.#freshPoint(k);
      if (fresh >= 0) {
        // The paper gives the chain a number now. A seed that is not core gives it back.
        chain.identity = -1;
        chain.seeds = [fresh];
        this.#isProcessed[fresh] = 1;
        started++;
        return;
      }
      const longest = this.lists.reduce((a, b) => (b.seeds.length > a.seeds.length ? b : a));
      if (longest.seeds.length < 2) return;
      chain.identity = longest.identity;
      chain.seeds = longest.seeds.splice(-1);
      split++;
    });
    return {started, split};
  }

  /** The first point without a chain, from the part of the input that belongs to chain k on. */
  #freshPoint(k: number): number {
    const n = this.paint.length;
    const begin = Math.floor((k * n) / this.lists.length);
    for (let step = 0; step < n; step++) {
      const i = (begin + step) % n;
      if (this.paint[i] === UNSEEN && this.#isProcessed[i] === 0) return i;
    }
    return -1;
  }

  /** Processes a seed; returns whether it is core. */
  #process(chain: Chain, seed: number, claims: Edge[]): boolean {
    const ball = this.#balls[seed];
    this.#isProcessed[seed] = 1;
    if (ball.length + 1 < this.#minPts) {
      if (this.paint[seed] === UNSEEN) this.paint[seed] = NOISE_PAINT;
      return false;
    }
    this.core[seed] = 1;
    if (chain.identity < 0) chain.identity = this.identities.push(seed) - 1;
    // Another chain may have marked a fresh point in this round.
    if (this.paint[seed] < 0) this.paint[seed] = chain.identity;
    else this.#meet(chain.identity, seed, seed);
    for (const j of ball) {
      if (this.paint[j] < 0) {
        claims.push({from: seed, to: j, kind: 'claim'});
        this.paint[j] = chain.identity;
        if (this.#isProcessed[j] === 0) chain.seeds.push(j);
      } else if (this.core[j] === 1) {
        this.#meet(chain.identity, seed, j);
      }
    }
    return true;
  }

  /** Enters the collision of a chain with the chain of core point j. */
  #meet(identity: number, seed: number, j: number): void {
    const row = Math.min(identity, this.paint[j]);
    const column = Math.max(identity, this.paint[j]);
    if (row === column || this.collisions.some((one) => one.row === row && one.column === column)) return;
    this.collisions.push({row, column, from: seed, to: j});
  }
}
