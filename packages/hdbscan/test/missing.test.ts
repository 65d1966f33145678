import {pointsAt} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {groupBy, hdbscan} from '@epsball/hdbscan';
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
    }
  });

  it('leaves groups their keys, and names an unknown rule', async () => {
    const points = [[0], [NaN], [0], [1], [1], [9], [9], [9.5], [9.5]];
    const grouped = await groupBy(points, 'aaaaaaaab', {minClusterSize: 2, missing: 'noise'});
    expect([...grouped.labels]).toEqual([0, -1, 0, 1, 1, 2, 2, 2, -1]);
    await expect(hdbscan([[0]], {missing: 'skip'} as never)).rejects.toThrow('missing = "skip"; expected one of error');
    await expect(hdbscan([[0], [NaN]], {missing: 'error'})).rejects.toThrow('point 1');
  });
});
