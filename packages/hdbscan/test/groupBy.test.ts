import {pointsAt} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {groupBy} from '@epsball/hdbscan';
import {describe, expect, it} from 'vitest';
import {hdbscanOracle} from './oracle/oracle.ts';

describe('groupBy', () => {
  it('gives each group its own clusters, one after another', async () => {
    for (let seed = 0; seed < sizeOfShare(200); seed++) {
      const random = seededRandom(seed);
      const n = Math.floor(random() * 60);
      const dim = 1 + Math.floor(random() * 3);
      const points = {coords: Float64Array.from({length: n * dim}, () => Math.floor(random() * 9)), dim};
      const keys = Array.from({length: n}, () => ['a', 'b', NaN][Math.floor(random() * 3)]);
      const params = {minClusterSize: 2 + Math.floor(random() * 3), minSamples: 1 + Math.floor(random() * 3)};
      const weights = random() < 0.5 ? undefined : Array.from({length: n}, () => Math.floor(random() * 4) / 2);
      const found = await groupBy(points, keys, {
        ...params,
        sampleWeight: weights,
        backend: seed % 3 === 0 ? 'workers' : 'sequential',
      });
      expect(found.groups.map(({key}) => key)).toEqual([...new Set(keys)]);
      let first = 0;
      for (const {key, size, firstLabel, clusterCount} of found.groups) {
        const indices = Array.from(keys.keys()).filter((i) => Object.is(keys[i], key));
        const expected = hdbscanOracle(pointsAt(points, indices), {
          ...params,
          ...(weights && {sampleWeight: indices.map((i) => weights[i])}),
        });
        expect([size, firstLabel]).toEqual([indices.length, first]);
        const shifted = Array.from(expected.labels, (label) => (label < 0 ? -1 : first + label));
        expect(indices.map((i) => found.labels[i])).toEqual(shifted);
        expect(indices.map((i) => found.probabilities[i])).toEqual([...expected.probabilities]);
        expect(indices.map((i) => found.outlierScores[i])).toEqual([...expected.outlierScores]);
        first += clusterCount;
      }
      expect(found.clusterCount).toBe(first);
    }
  });

  it('says what ran, sums its figures, and names wrong input', async () => {
    const two = {minClusterSize: 2};
    const {groups, stats, algorithm, backend} = await groupBy([[0], [9], [1], [9], [9]], 'aabbb', two);
    expect(groups.map(({clusterCount, warnings}) => [clusterCount, warnings.length])).toEqual([
      [0, 0],
      [0, 1],
    ]);
    expect([algorithm, backend, stats.counters['clusters']]).toEqual(['boruvka', 'sequential', 2]);
    expect(await groupBy([], [], two)).toMatchObject({groups: [], clusterCount: 0, backend: 'sequential'});
    await expect(groupBy([[0], [1]], ['a'], two)).rejects.toThrow('keys.length = 1; expected 2');
    await expect(groupBy([[1], [0], [0]], 'abb', {...two, metric: 'cosine'})).rejects.toThrow('point 1');
    await expect(groupBy([[1], [NaN]], 'ab', two)).rejects.toThrow('point 1');
    await expect(groupBy([[1]], 'a', {minClustersize: 2} as never)).rejects.toThrow('minClusterSize');
    const aborted = groupBy([[0]], 'a', {...two, signal: AbortSignal.abort()});
    await expect(aborted).rejects.toMatchObject({name: 'RunAbortedError'});
  });
});
