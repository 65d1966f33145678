import {pointsAt} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {describe, expect, it} from 'vitest';
import {createMeanShift, meanShift} from '../src/meanShift.ts';

const PARAMS = {bandwidth: 1.5, backend: 'sequential'} as const;

describe('missing', () => {
  it('clusters the complete points alone; the others are noise, or left out', async () => {
    for (let seed = 0; seed < sizeOfShare(60); seed++) {
      const random = seededRandom(seed);
      const n = Math.floor(random() * 30);
      const coords = Float64Array.from({length: 2 * n}, () => (random() < 0.1 ? NaN : 9 * random()));
      const points = {coords, dim: 2};
      const rows = Array.from({length: n}, (_, i) => i).filter((i) => !Number.isNaN(coords[2 * i] + coords[2 * i + 1]));
      const expected = await meanShift(pointsAt(points, rows), PARAMS);
      const dropped = await meanShift(points, {...PARAMS, missing: 'drop'});
      const {labels, shifted, clusterCenters} = expected;
      expect(dropped).toMatchObject({labels, shifted, clusterCenters});
      expect(dropped.rows).toEqual(rows.length === n ? undefined : Int32Array.from(rows));
      const noise = await meanShift(points, {...PARAMS, missing: 'noise'});
      expect(noise.clusterCenters).toEqual(clusterCenters);
      for (let i = 0; i < n; i++) {
        const k = rows.indexOf(i);
        expect(noise.labels[i]).toBe(k < 0 ? -1 : labels[k]);
        const at = k < 0 ? Float64Array.of(NaN, NaN) : shifted.subarray(2 * k, 2 * k + 2);
        expect(noise.shifted.subarray(2 * i, 2 * i + 2)).toEqual(at);
      }
    }
  });

  it('leaves the positions of seeds, and names an unknown rule', async () => {
    const points = [[0], [NaN], [0.1], [9], [9.1]];
    const seeds = {coords: Float64Array.of(0, 9), dim: 1};
    const seeded = await meanShift(points, {...PARAMS, seeds, missing: 'noise'});
    expect([...seeded.labels]).toEqual([0, -1, 0, 1, 1]);
    expect(seeded.shifted.length).toBe(2);
    const binned = await meanShift(points, {...PARAMS, binSeeding: true, missing: 'noise'});
    expect(binned.shifted.length).toBe(2);
    using kept = await createMeanShift({backend: 'sequential'});
    expect([...(await kept.label(points, {bandwidth: 1, missing: 'noise'})).labels]).toEqual([0, -1, 0, 1, 1]);
    await expect(meanShift(points, PARAMS)).rejects.toThrow('point 1');
    await expect(meanShift(points, {...PARAMS, missing: 'error'})).rejects.toThrow('point 1');
    await expect(meanShift(points, {...PARAMS, missing: 'skip'} as never)).rejects.toThrow('missing = "skip"');
  });
});
