import {array, assert, integer, nat, property, tuple} from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
  createLocks,
  findRoot,
  flatten,
  flattenShared,
  makeSets,
  unite,
  uniteByIndex,
  uniteLocked,
  uniteShared,
  type ParentArray,
} from '@epsball/union-find';
import {graphsOf, smallestMembers, type Graph} from '@epsball/conformance/graphs';

const locks = createLocks(4);

const FORMS = [
  {name: 'unite', union: unite},
  {name: 'uniteByIndex', union: uniteByIndex},
  {name: 'uniteShared', union: uniteShared},
  {
    name: 'uniteLocked',
    union: (parent: ParentArray, a: number, b: number): boolean => uniteLocked(parent, locks, a, b),
  },
];

const ARRAYS: readonly {name: string; make: (n: number) => ParentArray}[] = [
  {name: 'Int32Array', make: (n) => new Int32Array(n)},
  {name: 'Uint32Array', make: (n) => new Uint32Array(n)},
  {name: 'shared Int32Array', make: (n) => new Int32Array(new SharedArrayBuffer(4 * n))},
];

/** Unites all edges, and checks the invariant and the number of hooks. */
function parentOf({n, edges}: Graph, union: (typeof FORMS)[number]['union'], parent: ParentArray): ParentArray {
  makeSets(parent);
  let hooks = 0;
  for (let k = 0; k < edges.length; k += 2) {
    if (union(parent, edges[k], edges[k + 1])) hooks++;
    expect(findRoot(parent, edges[k])).toBe(findRoot(parent, edges[k + 1]));
  }
  expect(parent.findIndex((up, i) => up > i)).toBe(-1);
  expect(n - hooks).toBe(new Set(smallestMembers({name: '', n, edges})).size);
  return parent;
}

describe.for(FORMS)('$name', ({union}) => {
  it.for(graphsOf(400))('makes the components of: $name', (graph) => {
    const expected = smallestMembers(graph);
    for (const {name, make} of ARRAYS) {
      const parent = parentOf(graph, union, make(graph.n));
      expect(Array.from(expected.keys(), (i) => findRoot(parent, i))).toEqual([...expected]);
      flatten(parent);
      expect([...parent], name).toEqual([...expected]);
    }
  });

  it('keeps the smallest member as root after every edge of any graph', () => {
    const graph = integer({min: 1, max: 40}).chain((n) =>
      tuple(integer({min: n, max: n}), array(tuple(nat(n - 1), nat(n - 1)), {maxLength: 80})),
    );
    assert(
      property(graph, ([n, pairs]) => {
        const parent = new Int32Array(n);
        makeSets(parent);
        const setOf = Array.from({length: n}, (_, i) => new Set([i]));
        for (const [a, b] of pairs) {
          const wereApart = setOf[a] !== setOf[b];
          expect(union(parent, a, b)).toBe(wereApart);
          if (wereApart) {
            for (const i of setOf[b]) setOf[a].add(i);
            for (const i of setOf[a]) setOf[i] = setOf[a];
          }
          const copy = parent.slice();
          expect(setOf.map((_, i) => findRoot(copy, i))).toEqual(setOf.map((set) => Math.min(...set)));
        }
      }),
    );
  });

  it('does not change members of other ranges', () => {
    const parent = new Int32Array(100).fill(-7);
    makeSets(parent, 40, 60);
    for (let i = 59; i > 40; i--) union(parent, i, i - 1);
    flatten(parent, 40, 60);
    expect(parent.subarray(40, 60).every((up) => up === 40)).toBe(true);
    expect(parent.subarray(0, 40).every((up) => up === -7)).toBe(true);
    expect(parent.subarray(60).every((up) => up === -7)).toBe(true);
  });
});

describe('flatten', () => {
  it('of the whole equals flatten of its parts, in both forms', () => {
    for (const graph of graphsOf(300)) {
      const expected = smallestMembers(graph);
      const {n} = graph;
      const whole = parentOf(graph, unite, new Int32Array(n));
      const bounds = [0, 1, Math.floor(n / 3), Math.floor(n / 2), n - 1, n];
      for (const form of [flatten, flattenShared]) {
        const parent = whole.slice();
        for (let k = bounds.length - 2; k >= 0; k--) form(parent, bounds[k], bounds[k + 1]);
        expect([...parent], graph.name).toEqual([...expected]);
      }
    }
  });

  it('of a range keeps the sets of members outside', () => {
    const n = 1000;
    const parent = Int32Array.from({length: n}, (_, i) => Math.max(0, i - 1));
    flattenShared(parent, 500, n);
    expect(parent.subarray(500).every((up) => up === 0)).toBe(true);
    expect(Array.from({length: 500}, (_, i) => findRoot(parent, i)).every((root) => root === 0)).toBe(true);
  });

  it('of an empty range does nothing', () => {
    const parent = Int32Array.of(0, 0, 1);
    flatten(parent, 2, 2);
    flattenShared(parent, 3, 3);
    expect([...parent]).toEqual([0, 0, 1]);
  });
});

describe('createLocks', () => {
  it('creates free locks on shared memory', () => {
    expect([...createLocks(4)]).toEqual([0, 0, 0, 0]);
    expect(createLocks().buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it.for([0, 3, -4, 0.5, Number.NaN, 2 ** 21])('refuses %d locks', (count) => {
    expect(() => createLocks(count)).toThrow(`count = ${count}; expected a power of two from 1 to 1048576`);
  });

  it('returns locks that are free again after uniting', () => {
    const one = createLocks(1);
    const parent = new Int32Array(50);
    makeSets(parent);
    for (let i = 1; i < 50; i++) uniteLocked(parent, one, i, i - 1);
    flatten(parent);
    expect(parent.every((root) => root === 0)).toBe(true);
    expect([...one]).toEqual([0]);
  });
});
