import {describe, expect, it} from 'vitest';
import {seededRandom} from '@epsball/conformance';
import {clustersDbscan, type PointCollection, type TurfUnits} from '../src/turf/index.ts';

function collection(places: readonly (readonly [number, number])[]): PointCollection {
  return {
    type: 'FeatureCollection',
    features: places.map(([lon, lat], id) => ({
      type: 'Feature',
      geometry: {type: 'Point', coordinates: [lon, lat]},
      properties: {id},
    })),
  };
}

/** The great-circle distance as Turf computes it, in kilometres. */
function distanceKm(a: readonly number[], b: readonly number[]): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const dLat = radians(b[1] - a[1]);
  const dLon = radians(b[0] - a[0]);
  const h = Math.sin(dLat / 2) ** 2 + Math.sin(dLon / 2) ** 2 * Math.cos(radians(a[1])) * Math.cos(radians(b[1]));
  return 2 * 6371.0088 * Math.atan2(Math.sqrt(h), Math.sqrt(1 - h));
}

describe('clustersDbscan', () => {
  it('adds cluster and dbscan as Turf does, and leaves the input', async () => {
    // Five in a row 10 km apart, and one far away. The ends have one neighbour beside themselves.
    const points = collection([
      [0, 0],
      [0.09, 0],
      [0.18, 0],
      [0.27, 0],
      [0.36, 0],
      [40, 40],
    ]);
    const before = structuredClone(points);
    const {features} = await clustersDbscan(points, 11);
    expect(features.map(({properties}) => properties)).toEqual([
      {id: 0, cluster: 0, dbscan: 'edge'},
      {id: 1, cluster: 0, dbscan: 'core'},
      {id: 2, cluster: 0, dbscan: 'core'},
      {id: 3, cluster: 0, dbscan: 'core'},
      {id: 4, cluster: 0, dbscan: 'edge'},
      {id: 5, dbscan: 'noise'},
    ]);
    expect(points).toEqual(before);
  });

  it('changes the features of the input with mutate, and drops clusters of an earlier call', async () => {
    const points = collection([
      [0, 0],
      [0.01, 0],
      [0.02, 0],
      [9, 9],
    ]);
    expect(await clustersDbscan(points, 5, {mutate: true})).toBe(points);
    const again = await clustersDbscan(points, 0.001);
    expect(points.features[1].properties).toEqual({id: 1, cluster: 0, dbscan: 'core'});
    expect(again.features[1].properties).toEqual({id: 1, dbscan: 'noise'});
  });

  it.for<[TurfUnits, number]>([
    ['kilometers', 1],
    ['meters', 1000],
    ['miles', 1 / 1.609344],
    ['nauticalmiles', 1 / 1.852],
    ['feet', 3280.84],
    ['inches', 39_370],
    ['yards', 1093.6],
    ['centimeters', 1e5],
    ['millimeters', 1e6],
    ['radians', 1 / 6371.0088],
    ['degrees', 180 / Math.PI / 6371.0088],
  ])('takes distances in %s', async ([units, perKm]) => {
    const points = collection([
      [0, 0],
      [0.09, 0],
      [0.18, 0],
      [20, 20],
    ]);
    const km = distanceKm([0, 0], [0.09, 0]);
    for (const [share, kind] of [
      [1.001, 'core'],
      [0.999, 'noise'],
    ] as const) {
      const {features} = await clustersDbscan(points, share * km * perKm, {units});
      expect(features[1].properties.dbscan).toBe(kind);
    }
  });

  it('has the clusters of the definition, by great circles', async () => {
    for (let run = 0; run < 20; run++) {
      const random = seededRandom(run);
      const places = Array.from({length: 150}, () => [170 + 20 * random(), -80 + 4 * random()] as const);
      const {features} = await clustersDbscan(collection(places), 40, {minPoints: 4});
      const near = places.map((a) => places.flatMap((b, j) => (distanceKm(a, b) <= 40 ? [j] : [])));
      const isCore = near.map((one) => one.length >= 4);
      for (const [i, {properties}] of features.entries()) {
        const cores = near[i].filter((j) => isCore[j]);
        expect(properties.dbscan).toBe(isCore[i] ? 'core' : cores.length > 0 ? 'edge' : 'noise');
        const around = cores.map((j) => features[j].properties.cluster ?? NaN);
        if (isCore[i]) expect(new Set(around)).toEqual(new Set([properties.cluster]));
        else expect(properties.cluster).toBe(cores.length > 0 ? Math.min(...around) : undefined);
      }
    }
  });

  it('takes no features, and names what is wrong', async () => {
    expect((await clustersDbscan(collection([]), 5)).features).toEqual([]);
    const points = collection([[0, 0]]);
    await expect(clustersDbscan(points, 0)).rejects.toThrow('maxDistance = 0; expected a finite number > 0');
    await expect(clustersDbscan(points, 1, {units: 'parsecs' as 'miles'})).rejects.toThrow('units = "parsecs"');
    await expect(clustersDbscan(points, 1, {minPts: 3} as never)).rejects.toThrow('minPts');
    const line = {...points, features: [{...points.features[0], geometry: {type: 'LineString'}}]};
    await expect(clustersDbscan(line as never, 1)).rejects.toThrow('feature 0 = LineString; expected a Point');
    await expect(clustersDbscan(collection([[0, 100]]), 1)).rejects.toThrow('latitude');
    await expect(clustersDbscan({} as never, 1)).rejects.toThrow('expected a FeatureCollection');
  });
});
