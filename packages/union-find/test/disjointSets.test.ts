import {describe, expect, it} from 'vitest';
import {InvalidParameterError} from '@epsball/clustering';
import {DisjointSets} from '@epsball/union-find';
import {graphsOf, smallestMembers} from '@epsball/conformance/graphs';

describe('DisjointSets', () => {
  it('counts its sets and names the smallest member of each', () => {
    const sets = new DisjointSets(5);
    expect([sets.unite(4, 2), sets.unite(2, 4), sets.unite(1, 4)]).toEqual([true, false, true]);
    expect([sets.n, sets.setCount, sets.findRoot(4), sets.findRoot(3)]).toEqual([5, 3, 1, 3]);
    expect([sets.areUnited(1, 2), sets.areUnited(0, 2), sets.areUnited(3, 3)]).toEqual([true, false, true]);
    expect([...sets.flatten()]).toEqual([0, 1, 1, 3, 1]);
  });

  it('flattens to the smallest members of any graph', () => {
    for (const graph of graphsOf(200)) {
      const sets = new DisjointSets(graph.n);
      for (let k = 0; k < graph.edges.length; k += 2) sets.unite(graph.edges[k], graph.edges[k + 1]);
      expect([...sets.flatten()], graph.name).toEqual([...smallestMembers(graph)]);
      expect(sets.setCount).toBe(new Set(sets.parent).size);
    }
  });

  it('may be empty', () => {
    const sets = new DisjointSets(0);
    expect([sets.n, sets.setCount, sets.flatten().length]).toEqual([0, 0, 0]);
    expect(() => sets.findRoot(0)).toThrow('i = 0; expected no member, because n = 0');
  });

  it.for([-1, 1.5, Number.NaN, 2 ** 31])('refuses %d members', (n) => {
    expect(() => new DisjointSets(n)).toThrow(InvalidParameterError);
    expect(() => new DisjointSets(n)).toThrow(`n = ${n}; expected an integer from 0 to 2147483647`);
  });

  it.for([-1, 3, 0.5, Number.NaN])('refuses %d as a member of 3 and does not change', (i) => {
    const sets = new DisjointSets(3);
    expect(() => sets.unite(0, i)).toThrow(`b = ${i}; expected an integer from 0 to 2`);
    expect(() => sets.unite(i, 0)).toThrow(`a = ${i}; expected an integer from 0 to 2`);
    expect(() => sets.findRoot(i)).toThrow(InvalidParameterError);
    expect(() => sets.areUnited(i, 0)).toThrow(InvalidParameterError);
    expect([...sets.flatten()]).toEqual([0, 1, 2]);
  });
});
