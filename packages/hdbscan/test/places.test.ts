import {describe, expect, it} from 'vitest';
import {readPermuted, seededRandom} from '@epsball/conformance';
import {createHdbscan, createHdbscanSequential, hdbscan, type HdbscanParams} from '@epsball/hdbscan';
import {createHdbscanWorkers} from '@epsball/hdbscan/workers';

/** Three blobs of 400 points, rounded to integers. */
function roundedBlobs(): {coords: Float64Array; dim: number} {
  const random = seededRandom(4);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const coords = Float64Array.from({length: 2400}, (_, at) => {
    const blob = Math.floor(at / 800);
    return Math.round(normal() * 2 + (at % 2 === 0 ? 40 * blob : 25 * (blob % 2)));
  });
  return {coords, dim: 2};
}

const once: HdbscanParams = {minClusterSize: 10, minSamples: 5, duplicates: 'once'};
const outlier = [...Array.from({length: 30}, () => [0]), [20]];

describe('duplicates', () => {
  it('finds the blobs of rounded points if each place counts once, and says so where places count', async () => {
    const points = roundedBlobs();
    const counted = await hdbscan(points, {...once, duplicates: undefined});
    expect(counted.clusterCount).toBeGreaterThan(20);
    expect(counted.warnings).toEqual([
      expect.stringMatching(
        /^\d+ of 1200 points \([\d.]+ %\) lie on places with minSamples copies or more \(here 5\): .* once$/,
      ),
    ]);
    expect(counted.warnings[0]).toContain("duplicates: 'once'");
    const {clusterCount, warnings, labels} = await hdbscan(points, once);
    expect([clusterCount, warnings]).toEqual([3, []]);
    const noise = labels.filter((label) => label < 0).length;
    expect(noise).toBeLessThan(120);
  });

  it('gives copies one label, probability, score and core distance', async () => {
    const points = roundedBlobs();
    const {labels, probabilities, outlierScores, condensedTree, hierarchy} = await hdbscan(points, once);
    const {coreSquared, treeSquared} = hierarchy;
    const known = new Map<string, string>();
    labels.forEach((label, i) => {
      const place = points.coords.subarray(2 * i, 2 * i + 2).join();
      const {clusterOf, leavesSquared} = condensedTree;
      const values = [label, probabilities[i], outlierScores[i], coreSquared[i], clusterOf[i], leavesSquared[i]].join();
      expect(known.get(place) ?? values).toBe(values);
      known.set(place, values);
    });
    expect(treeSquared.length).toBe(known.size - 1);
    expect(condensedTree.size[0]).toBe(1200);
  });

  it('counts the points of each cluster in the condensed tree', async () => {
    const points = [0, 1, 1, 1, 1, 10, 11, 11, 11, 11].map((x) => [x]);
    const {condensedTree} = await hdbscan(points, {minClusterSize: 5, minSamples: 2, duplicates: 'once'});
    expect([...condensedTree.size]).toEqual([10, 5, 5]);
    expect([...condensedTree.stability]).toEqual([10 / 9, 5 * (1 - 1 / 9), 5 * (1 - 1 / 9)]);
    expect([...condensedTree.clusterOf]).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
  });

  it('returns the same fields on worker threads, by a kept instance, and for rows in another order', async () => {
    const points = roundedBlobs();
    using sequential = createHdbscanSequential();
    using workers = createHdbscanWorkers({threads: 2});
    using kept = await createHdbscan();
    const {stats: _, hierarchy, ...expected} = await sequential.run(points, once);
    for (const run of [workers.run(points, once), kept.run(points, once)]) {
      const {stats: __, hierarchy: other, ...actual} = await run;
      expect(actual).toMatchObject(expected);
      expect(other.cut(1)).toEqual(hierarchy.cut(1));
      expect(other.coreSquared).toEqual(hierarchy.coreSquared);
    }
    const {order, moved} = readPermuted(points, 3);
    const {probabilities, condensedTree, hierarchy: ofMoved} = await sequential.run(moved, once);
    expect(probabilities).toEqual(Float64Array.from(order, (from) => expected.probabilities[from]));
    expect(ofMoved.treeSquared).toEqual(hierarchy.treeSquared);
    expect(condensedTree.stability.toSorted()).toEqual(expected.condensedTree.stability.toSorted());
  });

  it.for<[string, number[], number, number]>([
    ['points that lie apart', [0, 1, 2, 3], 1, 0],
    ['pairs, with minSamples 1', [0, 0, 2, 3], 1, 1],
    ['pairs, with minSamples 3', [0, 0, 2, 3], 3, 0],
    ['5 % of the points', [...Array.from({length: 38}, (_, k) => k + 1), 0, 0], 2, 0],
    ['more than 5 % of the points', [...Array.from({length: 37}, (_, k) => k + 1), 0, 0], 2, 1],
    ['distances that underflow', [0, 1e-170, 2e-170, 3], 2, 0],
  ])('warns of copies among %s where they decide', async ([, values, minSamples, count]) => {
    const {warnings} = await hdbscan({coords: Float64Array.from(values), dim: 1}, {minClusterSize: 2, minSamples});
    expect(warnings.length).toBe(count);
  });

  it('names a value that it does not know', async () => {
    const unknown = {duplicates: 'twice' as 'once'};
    await expect(hdbscan([[0], [1]], unknown)).rejects.toThrow("duplicates = \"twice\"; expected 'count' or 'once'");
  });
});

describe('a selected root', () => {
  it('holds all points, says so, and is bounded by the option that the warning names', async () => {
    const params = {minClusterSize: 5, duplicates: 'once', minSamples: 1, allowSingleCluster: true} as const;
    const {labels, warnings} = await hdbscan(outlier, params);
    expect([...labels]).toEqual(outlier.map(() => 0));
    expect(warnings).toEqual([expect.stringContaining('clusterSelectionEpsilon')]);
    const each = {...params, duplicates: 'count', minSamples: 5} as const;
    const bounded = await hdbscan(outlier, {...each, clusterSelectionEpsilon: 1});
    expect([...bounded.labels]).toEqual(outlier.map(([x]) => (x === 20 ? -1 : 0)));
    expect(bounded.warnings.join()).not.toContain('clusterSelectionEpsilon');
    expect(bounded.probabilities[30]).toBe(0);
  });

  it('is not selected where no point is within the selection epsilon', async () => {
    const params = {minClusterSize: 2, minSamples: 1, allowSingleCluster: true, clusterSelectionEpsilon: 0.5};
    const {clusterCount, condensedTree, warnings} = await hdbscan([[0], [1], [3]], params);
    expect([clusterCount, [...condensedTree.isSelected], warnings]).toEqual([0, [0], []]);
  });

  it('compares the selection epsilon of cosine without a root', async () => {
    // The directions are 1 apart, w² = 2.
    const right = [
      [1, 0],
      [1, 0],
      [0, 1],
    ];
    const params = {minClusterSize: 2, minSamples: 1, metric: 'cosine', allowSingleCluster: true} as const;
    const at = await hdbscan(right, {...params, clusterSelectionEpsilon: 1});
    expect([...at.labels]).toEqual([0, 0, 0]);
    const below = await hdbscan(right, {...params, clusterSelectionEpsilon: 1 - 2 ** -53});
    expect([...below.labels]).toEqual([0, 0, -1]);
  });

  it('has probability 1 and score 0 where every squared weight is infinite', async () => {
    const far = [[-1e300], [0], [1e300]];
    const {probabilities, outlierScores} = await hdbscan(far, {minClusterSize: 2, allowSingleCluster: true});
    expect([...probabilities, ...outlierScores]).toEqual([1, 1, 1, 0, 0, 0]);
    const noise = await hdbscan(far, {minClusterSize: 2});
    expect([...noise.probabilities, ...noise.outlierScores]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
