import {pointsAt, scatterRows, type PointSet} from '@epsball/clustering';
import {dbscanOracle, seededRandom} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {describe, expect, it} from 'vitest';
import {assignNoise, createModel} from '../src/index.ts';

/** What `dbscan` returns of points that may lack a coordinate. */
function clustered(
  points: PointSet,
  params: {readonly eps: number; readonly minPts: number; readonly missing: 'noise' | 'drop'},
): {readonly labels: Int32Array; readonly coreMask: Uint8Array; readonly rows: Int32Array} {
  const {coords, dim} = points;
  const n = coords.length / dim;
  const has = (i: number): boolean => !coords.subarray(i * dim, i * dim + dim).some(Number.isNaN);
  const rows = Int32Array.from(Array.from({length: n}, (_, i) => i).filter(has));
  const {labels, coreMask} = dbscanOracle(pointsAt(points, rows), params);
  if (params.missing === 'drop') return {labels, coreMask, rows};
  return {labels: scatterRows(labels, rows, n, -1), coreMask: scatterRows(coreMask, rows, n, 0), rows};
}

describe('missing', () => {
  it('leaves points out of a model, and gives all points their labels again', () => {
    for (let seed = 0; seed < sizeOfShare(100); seed++) {
      const random = seededRandom(seed);
      const n = 5 + Math.floor(random() * 40);
      const coords = Float64Array.from({length: 2 * n}, () => (random() < 0.1 ? NaN : Math.floor(random() * 9)));
      const points = {coords, dim: 2};
      for (const missing of ['noise', 'drop'] as const) {
        const params = {eps: 1, minPts: 3, missing};
        const found = clustered(points, params);
        const model = createModel(points, params, found);
        const labels = model.predict(points, {missing: 'noise'});
        expect(labels).toEqual(missing === 'noise' ? found.labels : scatterRows(found.labels, found.rows, n, -1));
      }
    }
  });

  it('stays noise in assignNoise, and has a label in predict', () => {
    const points = {coords: Float64Array.of(0, 0, NaN, 1, 9), dim: 1};
    const params = {eps: 1, minPts: 3, missing: 'noise'} as const;
    const found = clustered(points, params);
    expect([...assignNoise(points, params, found)]).toEqual([0, 0, -1, 0, 0]);
    const dropped = clustered(points, {...params, missing: 'drop'});
    expect([...assignNoise(points, params, dropped)]).toEqual([0, 0, 0, 0]);
    const model = createModel(points, params, found);
    expect(() => model.predict(points)).toThrow('point 2');
    expect(() => model.predict(points, {missing: 'drop'} as never)).toThrow(
      `missing = "drop"; expected 'error' or 'noise'`,
    );
    expect(() => model.predict(points, {mising: 'noise'} as never)).toThrow('did you mean missing?');
    expect(() => createModel(points, {...params, eps: 2}, {...found, rows: Int32Array.of(0)})).not.toThrow();
  });
});
