import {dbscanOracle, seededRandom} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {describe, expect, it} from 'vitest';
import {groupBy} from '../src/index.ts';

describe('groupBy', () => {
  it('gives each group its own clusters, one after another', async () => {
    for (let seed = 0; seed < sizeOfShare(300); seed++) {
      const random = seededRandom(seed);
      const n = Math.floor(random() * 80);
      const dim = 1 + Math.floor(random() * 3);
      const coords = Float64Array.from({length: n * dim}, () => Math.floor(random() * 9));
      const keys = Array.from({length: n}, () => ['a', 'b', 'c', NaN, null][Math.floor(random() * 5)]);
      const sampleWeight = seed % 2 === 0 ? undefined : Float64Array.from({length: n}, () => Math.floor(random() * 3));
      const params = {eps: 1, minPts: 3, sampleWeight};
      const found = await groupBy({coords, dim}, keys, {...params, backend: seed % 3 === 0 ? 'workers' : 'sequential'});
      let first = 0;
      expect(found.groups.map(({key}) => key)).toEqual([...new Set(keys)]);
      for (const {key, size, firstLabel, clusterCount} of found.groups) {
        const indices = Array.from(keys.keys()).filter((i) => Object.is(keys[i], key));
        const own = Float64Array.from(indices.flatMap((i) => [...coords.subarray(i * dim, (i + 1) * dim)]));
        const weights = sampleWeight && Float64Array.from(indices, (i) => sampleWeight[i]);
        const expected = dbscanOracle({coords: own, dim}, {...params, sampleWeight: weights});
        expect([size, firstLabel, clusterCount]).toEqual([indices.length, first, expected.clusterCount]);
        const shifted = Array.from(expected.labels, (label) => (label < 0 ? -1 : first + label));
        expect(indices.map((i) => found.labels[i])).toEqual(shifted);
        expect(indices.map((i) => found.coreMask[i])).toEqual([...expected.coreMask]);
        first += clusterCount;
      }
      expect(found.clusterCount).toBe(first);
    }
  });

  it('takes places, reports progress over all groups, and names wrong input', async () => {
    const places = [52, 52.01, 9, 52.02, 9.01].map((lat) => ({lat, lon: 13}));
    const globe = {metric: 'haversine', angles: 'degrees', eps: 3, epsUnit: 'km', minPts: 2} as const;
    const seen: number[] = [];
    const {labels} = await groupBy(places, ['x', 'x', 'y', 'x', 'y'], {
      ...globe,
      onProgress: ({done}) => seen.push(done),
    });
    expect([...labels]).toEqual([0, 0, 1, 0, 1]);
    const times = {eps: 1, minPts: 2, epsTime: 1, time: [0, 5, 5, 0, 9]};
    const inTime = await groupBy([[0], [0], [0], [0], [0]], [1, 1, 1, 1, 2], times);
    expect([...inTime.labels]).toEqual([0, 1, 1, 0, -1]);
    await expect(groupBy([[0], [1]], [1, 1], times)).rejects.toThrow('time.length = 5; expected 2');
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    await expect(groupBy([[0], [1]], ['a'], {eps: 1, minPts: 1})).rejects.toThrow('keys.length = 1; expected 2');
    await expect(groupBy([[0], [NaN]], ['a', 'b'], {eps: 1, minPts: 1})).rejects.toThrow('point 1');
    await expect(groupBy([[0]], ['a'], {eps: 1, minPt: 1} as never)).rejects.toThrow('minPts');
    await expect(groupBy([[0]], undefined as never, {eps: 1, minPts: 1})).rejects.toThrow('keys.length');
    const aborted = groupBy([[0]], ['a'], {eps: 1, minPts: 1, signal: AbortSignal.abort()});
    await expect(aborted).rejects.toMatchObject({name: 'RunAbortedError'});
  });
});
