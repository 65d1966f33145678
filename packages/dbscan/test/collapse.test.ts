import {describe, expect, it} from 'vitest';
import {dbscanOracle} from '@epsball/clustering/definition';
import {seededRandom} from '@epsball/conformance';
import {createDbscan, dbscan} from '../src/dbscan.ts';

const random = seededRandom(5);
const coords = Float64Array.from({length: 600}, () => Math.floor(random() * 12));
const points = {coords, dim: 2};
const params = {eps: 1, minPts: 14};

describe('collapse', () => {
  it('gives the labels of all points, with weights and without', async () => {
    const sampleWeight = Float64Array.from({length: 300}, () => Math.floor(random() * 9) / 4 - 0.5);
    for (const weights of [{}, {sampleWeight}]) {
      const expected = dbscanOracle(points, {...params, ...weights});
      const outcome = await dbscan(points, {...params, ...weights, collapse: true, backend: 'sequential'});
      expect(outcome.labels).toEqual(expected.labels);
      expect(outcome.coreMask).toEqual(expected.coreMask);
      expect(outcome.clusterCount).toBe(expected.clusterCount);
    }
  });

  it('fills the arrays of the caller, and leaves points without duplicates as they are', async () => {
    using reusable = await createDbscan({backend: 'sequential'});
    const labels = new Int32Array(300);
    const coreMask = new Uint8Array(300);
    const outcome = await reusable.run(points, {...params, collapse: true}, {labels, coreMask});
    expect(outcome.labels).toBe(labels);
    expect(outcome.coreMask).toBe(coreMask);
    expect(labels).toEqual(dbscanOracle(points, params).labels);
    const apart = await reusable.run([[0], [0.5], [9]], {eps: 1, minPts: 2, collapse: true});
    expect([...apart.labels]).toEqual([0, 0, -1]);
  });
});
