import type {DbscanParams, PointSet} from '@epsball/clustering';
import {Forest} from './forest.ts';
import {edgesFrom, type Edge} from './frame.ts';
import type {Balls} from './neighbors.ts';
import {count, figures, type Tape} from './tape.ts';

/** Parts of the graph that are built, sent and united one after another. */
const CHUNKS = 8;

/** The hybrid: a GPU builds the neighbour graph chunk by chunk, while threads unite the chunk before. */
export function recordHybrid(tape: Tape, balls: Balls, params: DbscanParams, points: PointSet): void {
  tape.markCore(balls, params.minPts);
  const forest = new Forest(tape);
  tape.step(`The device counts the neighbours of every point. ${forest.sets} of ${balls.length} points are core.`);
  const chunks = chunksOf(points, balls, tape.core);
  let united = 0;
  for (let round = 0; round <= chunks.length; round++) {
    const built = chunks.at(round) ?? [];
    const before = round === 0 ? [] : chunks[round - 1];
    const focus = before.filter(({from, to}) => forest.unite(from, to)).flatMap(({from, to}) => [from, to]);
    united += before.length;
    forest.paint();
    tape.edges = forest.edges();
    tape.step(describe(round, built.length, before.length), {
      focus: [...new Set(focus)],
      edges: round < chunks.length ? built : [],
      panels: [figures('Graph and sets', {'edges united': united, 'sets of core points': forest.sets})],
    });
  }
  forest.finish(balls);
}

/** Edges between core points, each once, in chunks of rows from left to right. */
function chunksOf({coords}: PointSet, balls: Balls, core: Uint8Array): Edge[][] {
  const order = [...balls.keys()].sort((a, b) => coords[2 * a] - coords[2 * b] || a - b);
  const length = Math.ceil(order.length / CHUNKS);
  return Array.from({length: Math.ceil(order.length / Math.max(1, length))}, (_, k) =>
    order
      .slice(k * length, (k + 1) * length)
      .filter((from) => core[from] === 1)
      .flatMap((from) => {
        const others = balls[from].filter((to) => to < from && core[to] === 1);
        return edgesFrom(from, others, 'cross');
      }),
  );
}

function describe(round: number, built: number, united: number): string {
  const device = `The device builds chunk ${round + 1}: ${count(built, 'edge')} (dashed).`;
  const threads = `the threads unite chunk ${round}: ${count(united, 'edge')}`;
  if (round === 0) return `${device} Only edges between core points are sent, each once.`;
  if (round === CHUNKS) return `The device is done; ${threads}.`;
  return `${device} At the same time ${threads}.`;
}
