import {describe, expect, it} from 'vitest';
import {createDbscan, dbscan} from '../src/index.ts';
import {explainBackend} from '../src/predict.ts';

const PARAMS = {eps: 1, minPts: 2};
const POINTS = [
  [0, 0],
  [1, 0],
  [9, 9],
];

describe('an instance for one run', () => {
  it('chooses and estimates as a single call', async () => {
    using once = await createDbscan({oneShot: true});
    const {reason, algorithm, backend} = await once.run(POINTS, PARAMS);
    expect(reason).toMatch(/^\d+ ms expected on the calling thread, .*; start included$/);
    expect(await dbscan(POINTS, PARAMS)).toMatchObject({reason, algorithm, backend});
    using many = await createDbscan();
    expect((await many.run(POINTS, PARAMS)).reason).toMatch(/; when warm$/);
  });

  it('is an option of kept instances alone, and a boolean', async () => {
    await expect(createDbscan({oneShot: 1 as never})).rejects.toThrow('oneShot = 1; expected true or false');
    await expect(dbscan(POINTS, {...PARAMS, oneShot: true} as never)).rejects.toThrow('option = "oneShot"');
  });
});

describe('the reason of a backend', () => {
  it('has no times of a variant that the caller named', async () => {
    const {reason, backend} = await dbscan(POINTS, {...PARAMS, algorithm: 'dense-grid'});
    expect(backend).toBe('sequential');
    expect(reason).toBe('first in the order for 3 points in 2-D that dense-grid runs on; its time is not estimated');
    expect((await dbscan(POINTS, {...PARAMS, backend: 'sequential'})).reason).toBeUndefined();
    expect(explainBackend('sequential', {n: 20_000, dim: 3, isOneShot: false, processors: 2}, 'pds')).not.toMatch(/ms/);
  });
});
