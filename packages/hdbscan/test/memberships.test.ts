import {pointCount} from '@epsball/clustering';
import {gaussian, readPermuted, seededRandom} from '@epsball/conformance';
import {createHdbscanSequential, hdbscan, memberships} from '@epsball/hdbscan';
import {afterAll, describe, expect, it} from 'vitest';
import {expBelowOne} from '../src/memberships/expBelowOne.ts';
import {casesFor, randomSetsFor, wideCasesFor} from './hdbscanSets.ts';
import {rowsOf} from './membershipRows.ts';
import {paramsInOrder} from './oracle/judge.ts';
import {membershipOracle, type MembershipFlaw} from './oracle/memberOracle.ts';

const cases = [...casesFor('memberships'), ...randomSetsFor('memberships'), ...wideCasesFor('memberships')];
const algorithm = createHdbscanSequential();
afterAll(() => algorithm.destroy());

/** The largest difference, relative to 1. */
function difference(a: number[][], b: number[][]): number {
  return Math.max(0, ...a.flatMap((row, i) => row.map((value, k) => Math.abs(value - b[i][k]))));
}

describe('memberships', () => {
  it('are those of the definition', async () => {
    const flaws: readonly MembershipFlaw[] = [{ownExemplars: true}, {mergesAtRoot: true}, {sumsToOne: true}];
    const differ = flaws.map(() => 0);
    for (const one of cases) {
      const points = one.points();
      if (pointCount(points) > 400) continue;
      const result = await algorithm.run(points, one.params);
      const found = await memberships(points, one.params, result, {top: 1000});
      const expected = membershipOracle(points, result);
      // exp has another last bit than the engine's.
      expect(difference(rowsOf(found), expected), one.name).toBeLessThan(1e-14);
      for (const [f, flaw] of flaws.entries()) {
        if (difference(expected, membershipOracle(points, result, flaw)) > 1e-6) differ[f]++;
      }
    }
    for (const count of differ) expect(count).toBeGreaterThan(0);
  });

  it('have the same bytes in any order of the rows', async () => {
    for (const [seed, one] of cases.slice(0, 60).entries()) {
      const points = one.points();
      const {order, moved} = readPermuted(points, seed);
      const inOrder = paramsInOrder(one.params, order);
      const [result, other] = [await algorithm.run(points, one.params), await algorithm.run(moved, inOrder)];
      const [rows, others] = [
        rowsOf(await memberships(points, one.params, result, {top: 1000})),
        rowsOf(await memberships(moved, inOrder, other, {top: 1000})),
      ];
      // By a member, the label of its cluster in the other order.
      const labelOf = Array.from({length: result.clusterCount}, (_, label) =>
        order.findIndex((i) => result.labels[i] === label),
      ).map((place) => other.labels[place]);
      const expected = Array.from(order, (i) => rows[i]);
      expect(others.map((row) => labelOf.map((label) => row[label]))).toEqual(expected);
    }
  });

  it('are the largest of each point', async () => {
    const random = seededRandom(4);
    const points = Array.from({length: 600}, (_, i) => [(i % 12) * 9 + gaussian(random), gaussian(random)]);
    const params = {minClusterSize: 10};
    const result = await hdbscan(points, params);
    expect(result.clusterCount).toBeGreaterThan(8);
    const all = rowsOf(await memberships(points, params, result, {top: 100}));
    const {start, clusters, values} = await memberships(points, params, result, {top: 3});
    for (let i = 0; i < 600; i++) {
      const sorted = Array.from(all[i].keys()).sort((a, b) => all[i][b] - all[i][a] || a - b);
      expect([...clusters.subarray(start[i], start[i + 1])]).toEqual(sorted.slice(0, 3));
      expect([...values.subarray(start[i], start[i + 1])]).toEqual(sorted.slice(0, 3).map((c) => all[i][c]));
      const sum = all[i].reduce((total, value) => total + value, 0);
      expect(sum).toBeLessThan(1 + 1e-12);
      // Members belong to their own cluster most.
      if (result.probabilities[i] > 0.5) expect(clusters[start[i]]).toBe(result.labels[i]);
    }
  });

  it('name the exemplars and the persistence of clusters', async () => {
    const points = [0, 1, 2, 10, 11, 12, 25].map((x) => [x]);
    const params = {minClusterSize: 3, minSamples: 2};
    const found = await memberships(points, params, await hdbscan(points, params));
    expect(found.exemplars).toEqual({start: Int32Array.of(0, 3, 6), points: Int32Array.of(0, 1, 2, 3, 4, 5)});
    // Each: three points from λ = 1/8 to 1, of three from 0 to 1.
    expect([...found.persistence]).toEqual([0.875, 0.875]);
    expect([...found.clusters.subarray(12)]).toEqual([1, 0]);
    expect(found.values[12]).toBeLessThan(1 / 13 + 1e-12);
  });

  it('are none without clusters, and name wrong input', async () => {
    const params = {minClusterSize: 3};
    const none = await hdbscan([[0], [9]], params);
    const found = await memberships([[0], [9]], params, none);
    expect([...found.start, ...found.clusters, ...found.values, ...found.exemplars.start]).toEqual([0, 0, 0, 0]);
    await expect(memberships([[0]], params, none)).rejects.toThrow('labels.length = 2; expected 1');
    await expect(memberships([[0], [9]], params, none, {top: 0})).rejects.toThrow('top');
    await expect(memberships([[0], [9]], params, none, {signal: AbortSignal.abort()})).rejects.toThrow();
  });
});

describe('expBelowOne', () => {
  it('is within one unit in the last place of the engine, and monotone', () => {
    const random = seededRandom(9);
    for (let run = 0; run < 100_000; run++) {
      const x = -random() * 10 ** (random() * 8 - 5);
      const expected = Math.exp(x);
      expect(Math.abs(expBelowOne(x) - expected)).toBeLessThanOrEqual(Math.max(2 ** -1074, expected * 2 ** -52));
    }
    expect([0, -0.1, -800, -Infinity].map(expBelowOne)).toEqual([1, 0.9048374180359595, 0, 0]);
  });
});
