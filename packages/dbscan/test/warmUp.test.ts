import {DestroyedError} from '@epsball/clustering';
import {uniform} from '@epsball/conformance';
import {describe, expect, it} from 'vitest';
import {createDbscan} from '../src/index.ts';

const points = uniform('float32', 2, 3000, 1);
const params = {eps: 0.02, minPts: 5};

describe('warmUp', () => {
  it('opens threads that the run then uses', async () => {
    using cold = await createDbscan({algorithm: 'pds', backend: 'sequential'});
    using dbscan = await createDbscan({algorithm: 'pds', backend: 'workers', threads: 2});
    await dbscan.warmUp(3000, 2);
    const {labels, backend} = await dbscan.run(points, params);
    expect(backend).toBe('workers');
    expect(labels).toEqual((await cold.run(points, params)).labels);
  });

  it('leaves errors to the run', async () => {
    using dbscan = await createDbscan({algorithm: 'dense-grid'});
    await dbscan.warmUp(3000, 100);
    const wide = {coords: new Float32Array(100), dim: 100};
    await expect(dbscan.run(wide, params)).rejects.toMatchObject({name: 'UnsupportedDimensionError'});
  });

  it('opens nothing after destroy', async () => {
    const dbscan = await createDbscan();
    dbscan.destroy();
    await expect(dbscan.warmUp(10, 2)).rejects.toThrow(DestroyedError);
  });
});
