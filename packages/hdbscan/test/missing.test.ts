import {pointsAt} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {groupBy, hdbscan, hierarchy, validity} from '@epsball/hdbscan';
import {createModel} from '@epsball/predict';
import {describe, expect, it} from 'vitest';
import {hdbscanOracle} from './oracle/oracle.ts';

describe('missing', () => {
  it('clusters the complete points alone; the others are noise, or left out', async () => {
    for (let seed = 0; seed < sizeOfShare(100); seed++) {
      const random = seededRandom(seed);
      const n = Math.floor(random() * 50);
      const value = (): number => (random() < 0.1 ? NaN : Math.floor(random() * 9));
      const points = {coords: Float64Array.from({length: 2 * n}, value), dim: 2};
      const weights = Array.from({length: n}, value);
      const rows = Array.from({length: n}, (_, i) => i).filter(
        (i) => !Number.isNaN(points.coords[2 * i] + points.coords[2 * i + 1] + weights[i]),
      );
      const own = {minClusterSize: 3, minSamples: 2};
      const params = {...own, sampleWeight: weights};
      const expected = hdbscanOracle(pointsAt(points, rows), {...own, sampleWeight: rows.map((i) => weights[i])});
      const dropped = await hdbscan(points, {...params, missing: 'drop'});
      expect(dropped.labels).toEqual(expected.labels);
      expect(dropped.outlierScores).toEqual(expected.outlierScores);
      expect(dropped.rows).toEqual(rows.length === n ? undefined : Int32Array.from(rows));
      const noise = await hdbscan(points, {...params, missing: 'noise'});
      for (let i = 0; i < n; i++) {
        const k = rows.indexOf(i);
        const values = k < 0 ? [-1, 0, 1] : [expected.labels[k], expected.probabilities[k], expected.outlierScores[k]];
        expect([noise.labels[i], noise.probabilities[i], noise.outlierScores[i]]).toEqual(values);
      }
      expect(noise.condensedTree.clusterOf.length).toBe(rows.length);
      for (const missing of ['noise', 'drop'] as const) {
        const run = missing === 'noise' ? noise : dropped;
        const tree = await hierarchy(points, {minSamples: 2, sampleWeight: weights, missing});
        for (const one of [tree, run.hierarchy]) {
          const {labels, probabilities, outlierScores} = one.select({minClusterSize: 3});
          expect([labels, probabilities, outlierScores]).toEqual([run.labels, run.probabilities, run.outlierScores]);
          expect(one.cut(2).length).toBe(run.labels.length);
          expect(one.coreSquared.length).toBe(rows.length);
        }
        expect(tree.rows).toEqual(run.rows);
        const model = createModel(points, {...own, missing}, run);
        const {labels, probabilities} = model.predict(points, {missing: 'noise'});
        for (const [k, i] of rows.entries()) {
          const at = missing === 'noise' ? i : k;
          expect([labels[i], probabilities[i]]).toEqual([run.labels[at], run.probabilities[at]]);
        }
      }
    }
  });

  it('scores the complete points; the others are noise, or no points', async () => {
    for (let seed = 0; seed < sizeOfShare(100); seed++) {
      const random = seededRandom(seed);
      const n = Math.floor(random() * 40);
      const coords = Float64Array.from({length: 2 * n}, () => (random() < 0.1 ? NaN : Math.floor(random() * 9)));
      const points = {coords, dim: 2};
      const labels = Int32Array.from({length: n}, () => Math.floor(random() * 4) - 1);
      const rows = [...labels.keys()].filter((i) => !Number.isNaN(coords[2 * i] + coords[2 * i + 1]));
      const own = rows.map((i) => labels[i]);
      const expected = await validity(pointsAt(points, rows), own);
      expect(await validity(points, labels, {missing: 'drop'})).toEqual(expected);
      expect(await validity(points, own, {missing: 'drop'})).toEqual(expected);
      const noise = await validity(points, labels, {missing: 'noise'});
      expect(noise.clusters).toEqual(expected.clusters);
      expect(noise.score).toBeCloseTo(n === 0 ? 0 : (expected.score * rows.length) / n, 12);
    }
    await expect(validity([[0], [NaN], [1]], [0], {missing: 'drop'})).rejects.toThrow('labels.length = 1; expected 3');
    await expect(validity([[NaN]], [0], {missing: 'skip'} as never)).rejects.toThrow('missing = "skip"');
  });

  it('leaves groups their keys, and names an unknown rule', async () => {
    const points = [[0], [NaN], [0], [1], [1], [9], [9], [9.5], [9.5]];
    const grouped = await groupBy(points, 'aaaaaaaab', {minClusterSize: 2, missing: 'noise'});
    expect([...grouped.labels]).toEqual([0, -1, 0, 1, 1, 2, 2, 2, -1]);
    await expect(hdbscan([[0]], {missing: 'skip'} as never)).rejects.toThrow('missing = "skip"; expected one of error');
    await expect(hdbscan([[0], [NaN]], {missing: 'error'})).rejects.toThrow('point 1');
  });
});
