import {describe, expect, it} from 'vitest';
import {createDbscan, dbscan, type DbscanOptions} from '../src/index.ts';

const POINTS = {coords: Float64Array.of(0, 0, 1, 0, 50, 0), dim: 2};
const PARAMS = {eps: 1, minPts: 2};

/** Calls without type checks. */
function untyped(options?: unknown): Promise<unknown> {
  return dbscan(POINTS, options as DbscanOptions);
}

describe('options', () => {
  it('are named if they are missing', async () => {
    await expect(untyped()).rejects.toThrow(
      'options = undefined; expected an object with eps and minPts: dbscan(points, {eps: 0.5, minPts: 5})',
    );
    await expect(untyped({eps: 1})).rejects.toThrow('minPts = undefined; expected an integer ≥ 1');
    await expect(untyped({minPts: 1})).rejects.toThrow('eps = undefined; expected a finite number > 0');
  });

  it('that do not exist are errors, with the nearest name', async () => {
    await expect(untyped({...PARAMS, min_samples: 3})).rejects.toThrow('did you mean minPts?');
    await expect(untyped({...PARAMS, minPTS: 3})).rejects.toThrow('did you mean minPts?');
    await expect(untyped({...PARAMS, epsilon: 3})).rejects.toThrow('option = "epsilon"; expected one of eps, minPts');
    await expect(untyped({...PARAMS, algoritm: 'pds'})).rejects.toThrow('did you mean algorithm?');
    await expect(untyped({...PARAMS, algorithm: 'dense_grid'})).rejects.toThrow('did you mean dense-grid?');
    await expect(untyped({...PARAMS, qqqqqq: 1})).rejects.not.toThrow('did you mean');
    await expect(untyped({...PARAMS, algorithm: 'pds', options: {indx: 'grid'}})).rejects.toThrow('mean index?');
    await expect(untyped({...PARAMS, signal: undefined, unused: undefined})).resolves.toHaveProperty('clusterCount', 1);
    await expect(createDbscan({backnd: 'gpu'} as object)).rejects.toThrow('did you mean backend?');
    using reusable = await createDbscan();
    await expect(reusable.run(POINTS, {...PARAMS, esp: 2} as never)).rejects.toThrow('did you mean eps?');
    await expect(reusable.run(POINTS, PARAMS, {signl: 2} as object)).rejects.toThrow('did you mean signal?');
  });
});

describe('points', () => {
  it('may be rows, objects, columns or GeoJSON', async () => {
    const expected = Int32Array.of(0, 0, -1);
    const rows = [
      [0, 0],
      [1, 0],
      [50, 0],
    ];
    const geometries = rows.map((coordinates) => ({type: 'Point', coordinates}));
    for (const points of [
      rows,
      rows.map(([x, y]) => ({x, y})),
      {x: [0, 1, 50], y: [0, 0, 0]},
      {type: 'GeometryCollection', geometries},
    ]) {
      expect((await dbscan(points, PARAMS)).labels).toEqual(expected);
    }
  });

  it('on a globe cluster by kilometres, at the date line and at a pole', async () => {
    const km = {metric: 'haversine', angles: 'degrees', epsUnit: 'km', minPts: 2} as const;
    const latLon = [
      [0, 179.99],
      [0, -179.99],
      [89.999, 0],
      [89.999, 180],
      [10, 10],
    ];
    expect([...(await dbscan(latLon, {...km, eps: 3})).labels]).toEqual([0, 0, 1, 1, -1]);
    const geoJson = latLon.map(([lat, lon]) => ({type: 'Point', coordinates: [lon, lat]}));
    expect([...(await dbscan(geoJson, {...km, eps: 3})).labels]).toEqual([0, 0, 1, 1, -1]);
    expect((await dbscan(latLon, {...km, eps: 20_038})).clusterCount).toBe(1);
    await expect(dbscan([[91, 0]], {...km, eps: 1})).rejects.toThrow('point 0, latitude = 91');
  });
});

describe('metrics and weights', () => {
  it('of cosine compare directions', async () => {
    const rows = [
      [1, 0],
      [5, 0.1],
      [0, 2],
      [0.1, 9],
      [-3, 0],
    ];
    expect([...(await dbscan(rows, {metric: 'cosine', eps: 0.01, minPts: 2})).labels]).toEqual([0, 0, 1, 1, -1]);
    await expect(
      dbscan(
        [
          [1, 0],
          [0, 0],
        ],
        {metric: 'cosine', eps: 1, minPts: 2},
      ),
    ).rejects.toThrow('point 1 is a zero');
  });

  it('of manhattan and chebyshev differ from euclidean', async () => {
    const rows = [
      [0, 0],
      [1, 1],
    ];
    const count = async (metric: 'manhattan' | 'euclidean' | 'chebyshev', eps: number): Promise<number> =>
      (await dbscan(rows, {metric, eps, minPts: 2})).clusterCount;
    expect(await count('chebyshev', 1)).toBe(1);
    expect(await count('euclidean', 1)).toBe(0);
    expect(await count('manhattan', 1.999)).toBe(0);
    expect(await count('manhattan', 2)).toBe(1);
  });

  it('make points core, and name variants that have them', async () => {
    const rows = [[0], [1], [9]];
    const options = {eps: 1, minPts: 5, sampleWeight: [2, 3, 4]};
    expect([...(await dbscan(rows, options)).labels]).toEqual([0, 0, -1]);
    expect([...(await dbscan(rows, {...options, sampleWeight: [2, 3, 5]})).labels]).toEqual([0, 0, 1]);
    await expect(dbscan(rows, {...options, sampleWeight: [1, 2]})).rejects.toThrow(
      'sampleWeight.length = 2; expected 3',
    );
    const unable = dbscan(rows, {...options, algorithm: 'gdbscan'});
    await expect(unable).rejects.toThrow(/no weights for gdbscan \(sequential on sequential, .*can\)/);
    const other = dbscan(rows, {eps: 1, minPts: 5, metric: 'manhattan', algorithm: 'grid-bfs'});
    await expect(other).rejects.toThrow(
      /metric = "manhattan"; expected euclidean, haversine or cosine for grid-bfs \(sequential on sequential.*can\)/,
    );
    await expect(dbscan(rows, {eps: 1, minPts: 5, metric: 'minkowski' as never})).rejects.toThrow('manhattan (p = 1)');
  });
});
