import {describe, expect, it} from 'vitest';
import {readPermuted, seededRandom} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {createHdbscan, createHdbscanSequential, hdbscan, hdbscanGraph, hierarchy, memberships} from '@epsball/hdbscan';
import {roundedSum} from '../src/hierarchy/rangeSums.ts';
import {weightParts} from '../src/weightParts.ts';
import {weightedSetsFor} from './hdbscanSets.ts';
import {randomHdbscanCase, weightedHdbscanCase} from './oracle/cases.ts';
import {exactSum} from './oracle/exactSum.ts';
import {paramsInOrder} from './oracle/judge.ts';
import {hdbscanOracle} from './oracle/oracle.ts';
import {differencesOfSettings} from './settings.ts';

/** Six points in two groups; the second weighs 2.5. */
const points = [0, 1, 2, 10, 11, 12].map((x) => [x]);
const params = {minClusterSize: 3, minSamples: 2};
const sampleWeight = [1, 1, 1, 1, 1, 0.5];

/** Numbers ≥ 0 of very different size, 0 and subnormal ones among them. */
function drawTerms(random: () => number): Float64Array {
  const spread = [0, 20, 60, 300][Math.floor(random() * 4)];
  return Float64Array.from({length: Math.floor(random() * 12)}, () => {
    const kind = random();
    if (kind < 0.1) return 0;
    if (kind < 0.2) return 2 ** Math.floor((random() - 0.5) * spread);
    if (kind < 0.25) return Math.ceil(random() * 5) * 2 ** -1074;
    return random() * 10 ** ((random() - 0.5) * spread);
  });
}

describe('sums of weights', () => {
  it('are exact and rounded once', () => {
    for (let seed = 0; seed < sizeOfShare(50_000); seed++) {
      const terms = drawTerms(seededRandom(seed));
      const expected = exactSum([...terms]);
      expect(roundedSum(terms), `seed ${seed}`).toBe(expected);
      const kinds = weightParts(terms);
      // Plain sums of each kind are exact.
      const sums = Float64Array.from(kinds, (parts) => parts.reduce((sum, part) => sum + part, 0));
      expect(roundedSum(sums), `seed ${seed}, by kinds`).toBe(expected);
      terms.forEach((term, i) => expect(exactSum(kinds.map((parts) => parts[i]))).toBe(term));
    }
  });

  it('have one kind of parts for integers, and few for weights of any size', () => {
    expect(weightParts(Float64Array.of(1, 2, 3e6, 0))).toEqual([Float64Array.of(1, 2, 3e6, 0)]);
    expect(weightParts(new Float64Array(0))).toEqual([new Float64Array(0)]);
    expect(weightParts(Float64Array.of(0.1, 0.2, 0.3)).length).toBe(2);
    expect(weightParts(Float64Array.of(8e307, 2 ** -1074)).length).toBeLessThan(45);
  });
});

describe('weights of HDBSCAN*', () => {
  it('have rules that do not depend on the order of the points', () => {
    for (let seed = 0; seed < sizeOfShare(2000); seed++) {
      const {points: make, params: given, name} = weightedHdbscanCase(seed, 80);
      const {order, moved} = readPermuted(make(), seed);
      const expected = hdbscanOracle(make(), given);
      const actual = hdbscanOracle(moved, paramsInOrder(given, order));
      expect(actual.probabilities, name).toEqual(Float64Array.from(order, (from) => expected.probabilities[from]));
      expect(actual.outlierScores, name).toEqual(Float64Array.from(order, (from) => expected.outlierScores[from]));
      expect(actual.clusterCount, name).toBe(expected.clusterCount);
    }
  });

  it('change no byte where all are 1', async () => {
    using algorithm = createHdbscanSequential();
    for (let seed = 0; seed < sizeOfShare(2000); seed++) {
      const {points: make, params: given, name} = randomHdbscanCase(seed, 160);
      const [one, other] = [make(), make()];
      const ones = Array.from<number>({length: one.coords.length / one.dim}).fill(1);
      const {stats: _, hierarchy: __, ...expected} = await algorithm.run(one, given);
      const {stats: ___, hierarchy: ____, ...actual} = await algorithm.run(other, {...given, sampleWeight: ones});
      expect(actual, name).toEqual(expected);
    }
  });

  it('are those of every setting of one tree', async () => {
    using algorithm = createHdbscanSequential();
    expect(await differencesOfSettings(algorithm, weightedSetsFor('settings', 0.3).slice(0, 400))).toEqual([]);
  });

  it('decide sizes and stabilities in every form of the call', async () => {
    const {labels, condensedTree} = await hdbscan(points, {...params, sampleWeight});
    expect([...labels]).toEqual([-1, -1, -1, -1, -1, -1]);
    expect([...condensedTree.size]).toEqual([5.5]);
    const heavy = Float32Array.of(1, 0, 2, 1, 1, 1.5);
    const expected = await hdbscan(points, {...params, sampleWeight: heavy});
    expect([...expected.labels]).toEqual([0, 0, 0, 1, 1, 1]);
    expect([...expected.condensedTree.size]).toEqual([6.5, 3, 3.5]);
    expect([...expected.condensedTree.stability]).toEqual([6.5 / 8, 3 * (1 - 1 / 8), 3.5 * (1 - 1 / 8)]);
    const tree = await hierarchy(points, {minSamples: 2, sampleWeight: heavy});
    using kept = await createHdbscan();
    const again = await kept.run(points, {...params, sampleWeight: heavy});
    for (const {labels: other, condensedTree: of} of [tree.select({minClusterSize: 3}), again]) {
      expect([other, of]).toEqual([expected.labels, expected.condensedTree]);
    }
    const soft = await memberships(points, {...params, sampleWeight: heavy}, expected);
    expect([...soft.persistence]).toEqual([0.875, 0.875]);
  });

  it('are those of the run, whatever the caller does with the array afterwards', async () => {
    const weights = Float64Array.of(1, 1, 1, 1, 1, 1);
    const tree = await hierarchy(points, {minSamples: 2, sampleWeight: weights});
    weights.fill(0);
    expect(tree.select({minClusterSize: 3}).clusterCount).toBe(2);
  });

  it('are those of vertices of a graph', () => {
    // 0–1, 1–2 and 3–4 at the distance 1
    const graph = {start: [0, 1, 3, 4, 5, 6], neighbors: [1, 0, 2, 1, 4, 3], distances: [1, 1, 1, 1, 1, 1]};
    const of = (weights: readonly number[]): number[] => [
      ...hdbscanGraph(graph, {minClusterSize: 3, minSamples: 2, sampleWeight: weights}).labels,
    ];
    expect(of([1, 1, 1, 1, 2])).toEqual([0, 0, 0, 1, 1]);
    expect(of([1, 1, 1, 1, 1.5])).toEqual([-1, -1, -1, -1, -1]);
    expect(() => of([1])).toThrow('sampleWeight.length = 1; expected 5, one weight a point');
  });

  it.for<[string, unknown, string]>([
    ['too few', [1, 2], 'sampleWeight.length = 2; expected 6, one weight a point'],
    ['no array', 3, 'sampleWeight = 3; expected an array with one weight a point'],
    ['below 0', [1, 1, -1, NaN, 1, 1], 'sampleWeight[2] = -1; expected a finite number ≥ 0'],
    ['not finite', [1, 1, 1, NaN, -1, 1], 'sampleWeight[3] = NaN; expected a finite number ≥ 0'],
    ['without a finite sum', [1e308, 1e308, 1, 1, 1, 1], 'expected weights of a sum below 2^1023'],
  ])('are refused: %s', async ([, weights, message]) => {
    const wrong = {...params, sampleWeight: weights as number[]};
    await expect(hdbscan(points, wrong)).rejects.toThrow(message);
    using algorithm = createHdbscanSequential();
    const set = {coords: Float64Array.from(points.flat()), dim: 1};
    await expect(algorithm.run(set, wrong)).rejects.toThrow(message);
    await expect(hierarchy(points, {minSamples: 2, sampleWeight: weights as number[]})).rejects.toThrow(message);
  });

  it('belong to the hierarchy, not to a setting', async () => {
    const tree = await hierarchy(points, {minSamples: 2});
    expect(() => tree.select({sampleWeight} as never)).toThrow('sampleWeight');
  });
});
