import {UNSEEN, type Edge} from './frame.ts';
import type {Balls} from './neighbors.ts';
import {count} from './tape.ts';

export interface Level {
  /** Number of the search, which is the number of its cluster. */
  readonly cluster: number;
  readonly level: number;
  /** Core points that claim their neighbours. */
  readonly frontier: readonly number[];
  readonly claims: readonly Edge[];
  /** Claimed core points, which are the next frontier. */
  readonly next: readonly number[];
  readonly text: string;
}

/**
 * Searches the clusters breadth first, one after another, from the core point with the smallest index that has none.
 * Each claim is made by the first point of the frontier that reaches the point, as by the winner of a compare-and-swap.
 *
 * @param paint  n colours; claimed points get the number of their cluster before the level is yielded
 */
export function* searchLevels(balls: Balls, core: Uint8Array, paint: Int32Array): Generator<Level> {
  let cluster = 0;
  for (let seed = 0; seed < balls.length; seed++) {
    if (core[seed] === 0 || paint[seed] !== UNSEEN) continue;
    paint[seed] = cluster;
    let frontier: readonly number[] = [seed];
    for (let level = 0; frontier.length > 0; level++) {
      const claims: Edge[] = [];
      for (const from of frontier) {
        for (const to of balls[from]) {
          if (paint[to] !== UNSEEN) continue;
          paint[to] = cluster;
          claims.push({from, to, kind: 'claim'});
        }
      }
      const next = claims.map(({to}) => to).filter((to) => core[to] === 1);
      const found = {cluster, level, frontier, claims, next};
      yield {...found, text: describe(found)};
      frontier = next;
    }
    cluster++;
  }
}

/** `Search 2, level 3: 5 frontier points claim 9 points. 4 of them are core …` */
function describe({cluster, level, frontier, claims, next}: Omit<Level, 'text'>): string {
  const start =
    level === 0
      ? `Search ${cluster} starts at point ${frontier[0]}, the first core point without a cluster. It claims `
      : `Search ${cluster}, level ${level}: ${count(frontier.length, 'frontier point')} claim `;
  const then =
    next.length > 0
      ? `${next.length} of them ${next.length === 1 ? 'is' : 'are'} core and form the next frontier.`
      : 'The next frontier is empty, so the cluster is complete.';
  return `${start}${count(claims.length, 'point')}. ${then}`;
}
