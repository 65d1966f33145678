import type {DbscanParams, PointSet} from '@epsball/clustering';
import {Forest} from './forest.ts';
import type {CellMark, Edge, Panel} from './frame.ts';
import type {Balls} from './neighbors.ts';
import {count, figures, type Tape} from './tape.ts';

const THREADS = 3;

/** A part of the points, which one thread unites. */
interface Part {
  readonly members: readonly number[];
  readonly mark: CellMark;
}

/** PDSDBSCAN: each thread unites its own points; then pairs between threads are united. */
export function recordPds(tape: Tape, balls: Balls, params: DbscanParams, points: PointSet): void {
  const parts = partition(points);
  tape.cells = parts.map(({mark}) => mark);
  tape.step(`The points are divided into ${THREADS} parts, one for each thread. All threads work at the same time.`);
  tape.markCore(balls, params.minPts);
  const forest = new Forest(tape);
  tape.step(`Each thread tests its points. Each core point (dark rim) becomes a set of its own: ${forest.sets} sets.`);
  const pairs = uniteLocally(tape, balls, parts, forest);
  mergePairs(tape, forest, pairs);
  forest.finish(balls);
}

/** Cuts the plane into strips with equal numbers of points. */
function partition({coords}: PointSet): readonly Part[] {
  const n = coords.length / 2;
  const order = Array.from({length: n}, (_, i) => i).sort((a, b) => coords[2 * a] - coords[2 * b] || a - b);
  const ys = order.map((i) => coords[2 * i + 1]);
  const low = Math.min(...ys);
  const height = Math.max(...ys) - low;
  const cuts = Array.from({length: THREADS + 1}, (_, t) => Math.round((t * n) / THREADS));
  const edgeAt = (k: number): number => {
    if (k === 0) return coords[2 * order[0]];
    if (k === n) return coords[2 * order[n - 1]];
    return (coords[2 * order[k - 1]] + coords[2 * order[k]]) / 2;
  };
  return cuts.slice(1).map((end, t) => {
    const x = edgeAt(cuts[t]);
    return {members: order.slice(cuts[t], end), mark: {x, y: low, width: edgeAt(end) - x, height, paint: t}};
  });
}

/** Local computation. Each step, every thread takes its next core point. Returns the pairs between threads. */
function uniteLocally(tape: Tape, balls: Balls, parts: readonly Part[], forest: Forest): Edge[] {
  const {core} = tape;
  const threadOf = new Map(parts.flatMap(({members}, t) => members.map((i) => [i, t] as const)));
  const queues = parts.map(({members}) => members.filter((i) => core[i] === 1));
  const rounds = Math.max(...queues.map((queue) => queue.length));
  const pairs: Edge[] = [];
  for (let round = 0; round < rounds; round++) {
    const focus = queues.flatMap((queue) => queue.slice(round, round + 1));
    let unions = 0;
    for (const i of focus) {
      // A pair is tested once, from its later point.
      for (const j of balls[i].filter((other) => core[other] === 1 && other < i)) {
        if (threadOf.get(j) === threadOf.get(i)) unions += forest.unite(i, j) ? 1 : 0;
        else pairs.push({from: i, to: j, kind: 'cross'});
      }
    }
    forest.paint();
    tape.edges = [...forest.edges(), ...pairs];
    tape.step(
      `Local, round ${round + 1}: threads unite points ${focus.join(', ')} with core neighbours of their own part ` +
        `(${count(unions, 'union')}). Pairs that cross to another part wait in a list (dashed).`,
      {focus, balls: focus, panels: [panel(forest, pairs.length)]},
    );
  }
  return pairs;
}

/** Merging. The pairs that do not change a set are skipped, as a search for the roots shows at once. */
function mergePairs(tape: Tape, forest: Forest, pairs: readonly Edge[]): void {
  let skipped = 0;
  pairs.forEach((pair, k) => {
    const rest = pairs.slice(k + 1);
    const isUnion = forest.unite(pair.from, pair.to);
    if (!isUnion) {
      skipped++;
      return;
    }
    forest.paint();
    tape.edges = [...forest.edges(), ...rest];
    tape.step(
      `Merging: the pair ${pair.from}, ${pair.to} joins two sets. The smaller root stays a root. ` +
        `${count(rest.length, 'pair')} left.`,
      {focus: [pair.from, pair.to], edges: [pair], panels: [panel(forest, rest.length)]},
    );
  });
  tape.edges = forest.edges();
  tape.step(`${count(skipped, 'pair')} of ${pairs.length} joined points that were in one set already.`, {
    panels: [panel(forest, 0)],
  });
}

function panel(forest: Forest, pairs: number): Panel {
  return figures('Disjoint sets', {'sets of core points': forest.sets, 'pairs between threads': pairs});
}
