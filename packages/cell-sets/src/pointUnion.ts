import {BallQuery, BLOCK} from './ballQuery.ts';
import type {SearchSpace} from './forest.ts';

/** Unites or lists a pair of neighbouring core points, as the stage requires. */
export type Unite = (neighbor: number, position: number) => void;

export class PointUnion {
  readonly ball: BallQuery;
  readonly #isCore: Uint8Array;
  readonly #parent: Int32Array;
  readonly #unite: Unite;

  constructor(space: SearchSpace, unite: Unite) {
    const {index, forest} = space;
    this.ball = new BallQuery(index, space);
    this.#isCore = forest.isCore;
    this.#parent = forest.parent;
    this.#unite = unite;
  }

  /** Unites a core point with all core points of [from, to) within eps of it, except those with the same parent. */
  uniteWithAll(position: number, from: number, to: number): void {
    const isCore = this.#isCore;
    const parent = this.#parent;
    if (isCore[position] === 0) return;
    const {found} = this.ball;
    for (let block = from; block < to; block += BLOCK) {
      const count = this.ball.collect(position, block, Math.min(block + BLOCK, to));
      for (let k = 0; k < count; k++) {
        const neighbor = found[k];
        if (isCore[neighbor] === 1 && parent[neighbor] !== parent[position]) this.#unite(neighbor, position);
      }
    }
  }

  uniteWithFirst(position: number, from: number, to: number): boolean {
    const neighbor = this.ball.firstCore(position, from, to, this.#isCore);
    if (neighbor < 0) return false;
    this.#unite(neighbor, position);
    return true;
  }
}
