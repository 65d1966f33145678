// Usage: unionFind.ts [MEMBERS [REPEATS]]. Times this package and packages of npm on the same edges, in turn, from
// edges to the set of every member. Prints the best and the median of the repeats. Compares all sets first; exits
// with 1 if they differ.
import {cpus} from 'node:os';
import {
  gridGraph,
  pathGraph,
  randomGraph,
  randomSource,
  reversedPathGraph,
  starGraph,
  type Graph,
} from '@epsball/conformance/graphs';
import {summarizeTimes} from '../src/statistics.ts';
import {print} from './print.ts';
import {SUBJECTS, type Subject} from './unionFindSubjects.ts';

const members = Number(process.argv[2] ?? 1_000_000);
const repeats = Number(process.argv[3] ?? 7);

const side = Math.floor(Math.sqrt(members));
const grid = gridGraph(side);
const GRAPHS: readonly Graph[] = [
  randomGraph(members, 2 * members, 1),
  grid,
  shuffled(grid, 2),
  pathGraph(members),
  reversedPathGraph(members),
  starGraph(members),
];

print(`${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}; best (median) of ${repeats}, in ms`);
for (const graph of GRAPHS) compare(graph);

function compare({name, n, edges}: Graph): void {
  print(`\n${name}: ${n} members, ${edges.length / 2} edges`);
  let expected: Int32Array | undefined;
  for (const subject of SUBJECTS) {
    const found = smallestOf(subject.label(n, edges));
    expected ??= found;
    if (Buffer.compare(Buffer.from(expected.buffer), Buffer.from(found.buffer)) === 0) continue;
    print(`  ${subject.name}: sets DIFFER`);
    process.exitCode = 1;
    return;
  }
  const times = new Map<Subject, number[]>(SUBJECTS.map((subject) => [subject, []]));
  // No forced garbage collection: V8 drops the code of classes without instances, and would compile it again.
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [subject, taken] of times) {
      const start = performance.now();
      subject.label(n, edges);
      taken.push(performance.now() - start);
    }
  }
  for (const [{name: subject}, taken] of times) {
    const {minMs, medianMs} = summarizeTimes(taken);
    print(`  ${subject.padEnd(24)} ${inMs(minMs)} (${inMs(medianMs).trim()})`);
  }
}

/** Replaces labels by the smallest member with the same label. */
function smallestOf(labels: ArrayLike<number>): Int32Array<ArrayBuffer> {
  const smallest = new Int32Array(labels.length);
  const firstOf = new Int32Array(labels.length).fill(-1);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i];
    if (firstOf[label] < 0) firstOf[label] = i;
    smallest[i] = firstOf[label];
  }
  return smallest;
}

/** The same graph with its edges in random order. */
function shuffled({name, n, edges}: Graph, seed: number): Graph {
  const random = randomSource(seed);
  const mixed = edges.slice();
  for (let k = mixed.length / 2 - 1; k > 0; k--) {
    const other = random(k + 1);
    for (const end of [0, 1]) {
      const held = mixed[2 * k + end];
      mixed[2 * k + end] = mixed[2 * other + end];
      mixed[2 * other + end] = held;
    }
  }
  return {name: `${name}, edges shuffled`, n, edges: mixed};
}

function inMs(ms: number): string {
  return ms.toFixed(ms < 10 ? 1 : 0).padStart(6);
}
