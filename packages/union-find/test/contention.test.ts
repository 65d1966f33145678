import {array, assert, asyncProperty, constantFrom, integer, nat, tuple} from 'fast-check';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {Contention, type Round} from './contention.ts';
import {
  graphsOf,
  randomGraph,
  randomSource,
  reversedPathGraph,
  smallestMembers,
  starGraph,
  type Graph,
} from '@epsball/conformance/graphs';

const THREADS = [2, 3, 7] as const;
const N_MAX = 20_000;
const EDGES_MAX = 60_000;

/** Graphs for each form and number of threads. */
const REPEATS = 150;

describe.for(['uniteShared', 'uniteLocked'] as const)('%s', (form) => {
  let contention: Contention;
  beforeAll(() => {
    contention = new Contention(Math.max(...THREADS), N_MAX, EDGES_MAX);
  });
  afterAll(() => contention.close());

  async function expectComponents(graph: Graph, round: Round): Promise<void> {
    const {parent, hooks} = await contention.run(graph, round);
    const expected = smallestMembers(graph);
    const what = `${graph.name}, n = ${graph.n}, ${round.threads} threads`;
    expect(Buffer.from(parent.buffer).equals(Buffer.from(expected.buffer)), what).toBe(true);
    // Exactly one call reports each hook.
    expect(graph.n - hooks, what).toBe(expected.filter((root, i) => root === i).length);
  }

  it.for(THREADS)('makes the components of every shape with %i threads', async (threads) => {
    for (const graph of graphsOf(10_000)) await expectComponents(graph, {threads, form});
  });

  it.for(THREADS)(`makes the components of ${REPEATS} seeded graphs with %i threads`, async (threads) => {
    for (let seed = 1; seed <= REPEATS; seed++) {
      // From few members, which all threads change, to many, which they rarely share.
      const n = [3, 16, 100, 700, 3000][seed % 5];
      await expectComponents(randomGraph(n, n < 100 ? 400 : Math.floor(0.8 * n), seed), {threads, form});
    }
  });

  it.for(THREADS)(
    'makes the components of shapes in which all edges change one root, with %i threads',
    async (threads) => {
      for (let repeat = 0; repeat < 40; repeat++) {
        await expectComponents(starGraph(500 + repeat), {threads, form});
        await expectComponents(reversedPathGraph(500 + repeat), {threads, form});
      }
    },
  );

  it.for(THREADS)('flattens all ranges while other threads walk through them, with %i threads', async (threads) => {
    // A chain through the lower half; members of the upper half point into it. Threads of the upper half shorten the
    // chain while threads of the lower half flatten it.
    const n = N_MAX;
    const random = randomSource(threads);
    const forest = Int32Array.from({length: n}, (_, i) => (i < n / 2 ? Math.max(0, i - 1) : random(n / 2)));
    for (let repeat = 0; repeat < 100; repeat++) {
      const {parent} = await contention.run({name: 'chain', n, edges: new Uint32Array(0)}, {threads, form, forest});
      expect(parent.findIndex((root) => root !== 0)).toBe(-1);
    }
  });

  it('makes the components of any small graph', async () => {
    const graph = integer({min: 1, max: 30}).chain((n) =>
      tuple(integer({min: n, max: n}), array(tuple(nat(n - 1), nat(n - 1)), {maxLength: 200})),
    );
    const threadCount = constantFrom(...THREADS);
    await assert(
      asyncProperty(graph, threadCount, ([n, pairs], threads) =>
        expectComponents({name: 'any', n, edges: Uint32Array.from(pairs.flat())}, {threads, form}),
      ),
    );
  });
});
