import {InvalidParameterError, UnsupportedDimensionError} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {
  boxes,
  centroids,
  clusterSizes,
  convexHulls,
  groupArrays,
  groups,
  hullsToGeoJson,
  toGeoJson,
} from '../src/index.ts';

const LABELS = Int32Array.of(1, -1, 0, 1, 0, 1, -1);
const POINTS = {coords: Float64Array.of(0, 0, 99, 99, 5, 5, 2, 0, 7, 9, 1, 3, 98, 98), dim: 2};

describe('groups', () => {
  it('lists the points of each cluster and the noise, in order', () => {
    const found = groups(LABELS);
    expect(found.start).toEqual(Int32Array.of(0, 2, 5));
    expect(found.members).toEqual(Int32Array.of(2, 4, 0, 3, 5));
    expect(found.noise).toEqual(Int32Array.of(1, 6));
    expect(groupArrays(found).map((list) => [...list])).toEqual([
      [2, 4],
      [0, 3, 5],
    ]);
    expect(clusterSizes(LABELS)).toEqual(Int32Array.of(2, 3));
  });

  it('has no clusters for noise and for no points', () => {
    expect(groups([-1, -1])).toMatchObject({count: 0, noise: Int32Array.of(0, 1)});
    expect(groups([])).toMatchObject({count: 0});
  });

  it('names a label that is none', () => {
    expect(() => groups([0, -2])).toThrow('labels[1] = -2; expected −1 for noise, or a cluster from 0 to n − 1');
    expect(() => groups([0.5])).toThrow(InvalidParameterError);
    expect(() => groups([9])).toThrow('labels[0] = 9');
  });
});

describe('shapes', () => {
  it('are means and boxes, from labels or groups', () => {
    expect(centroids(POINTS, LABELS)).toEqual(Float64Array.of(6, 7, 1, 1));
    expect(centroids(POINTS, groups(LABELS))).toEqual(Float64Array.of(6, 7, 1, 1));
    expect(boxes(POINTS, LABELS)).toEqual({min: Float64Array.of(5, 5, 0, 0), max: Float64Array.of(7, 9, 2, 3)});
    expect(() => centroids(POINTS, [0])).toThrow('labels.length = 1; expected 7, one label a point');
  });

  it('lose no digits far from the origin, and do not overflow', () => {
    const far = {coords: Float64Array.of(1e15, 1e15 + 2), dim: 1};
    expect(centroids(far, [0, 0])).toEqual(Float64Array.of(1e15 + 1));
    const huge = {coords: Float64Array.of(1.5e308, 1.7e308), dim: 1};
    expect(centroids(huge, [0, 0])[0]).toBeCloseTo(1.6e308, -300);
  });

  it('have means at both ends of the range of float64', () => {
    const most = Number.MAX_VALUE;
    const meanOf = (...values: number[]): number =>
      centroids(
        {coords: Float64Array.from(values), dim: 1},
        values.map(() => 0),
      )[0];
    expect(meanOf(-1.7e308, 1.7e308)).toBe(0);
    expect(meanOf(-1.7e308, 1.7e308, 1.7e308, 1.7e308)).toBeCloseTo(0.85e308, -300);
    expect(meanOf(most, -most, most)).toBeCloseTo(most / 3, -300);
    expect(meanOf(most, most, most)).toBe(most);
    const least = 2 ** -1074;
    expect(meanOf(0, 2 * least)).toBe(least);
    expect(meanOf(...Array.from({length: 10}, (_, k) => k * least))).toBe(4 * least);
    expect(meanOf(0, 0, 0, 0, 0, 0, 0, 0, 0, 90 * least)).toBe(9 * least);
    expect(meanOf(-0.1, -0.1, -0.1)).toBe(-0.1);
    expect(centroids({coords: new Float64Array(0), dim: 1}, [])).toEqual(new Float64Array(0));
    expect(
      centroids(
        {coords: Float64Array.of(1), dim: 1},
        {count: 1, start: Int32Array.of(0, 0), members: new Int32Array(0), noise: Int32Array.of(0)},
      ),
    ).toEqual(Float64Array.of(NaN));
  });

  it('have hulls at both ends of the range of float64, and of axes of different units', () => {
    const corners = [0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5, 0.5, 0];
    const expected = [0, 0, 0, 1, 1, 0, 1, 1];
    const scales = [2 ** -1073, 2 ** -1060, 2 ** -600, 2 ** -537, 1, 2 ** 512, 2 ** 600, 2 ** 1023];
    for (const [x, y] of scales.flatMap((one) => scales.map((other) => [one, other]))) {
      const coords = Float64Array.from(corners, (value, k) => value * (k % 2 === 0 ? x : y));
      const [hull] = convexHulls({coords, dim: 2}, [0, 0, 0, 0, 0, 0]);
      const found = Array.from({length: hull.length / 2}, (_, k) => [hull[2 * k] / x, hull[2 * k + 1] / y]);
      expect(found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).flat(), `scales ${x} and ${y}`).toEqual(expected);
    }
  });

  it('are convex hulls from −1.7e308 to 1.7e308', () => {
    const coords = Float64Array.of(-1.7e308, -1.7e308, 1.7e308, -1.7e308, 1.7e308, 1.7e308, -1.7e308, 1.7e308, 0, 0);
    expect(convexHulls({coords, dim: 2}, [0, 0, 0, 0, 0])[0]).toHaveLength(8);
  });

  it('are convex hulls, counterclockwise', () => {
    const square = {coords: Float64Array.of(0, 0, 2, 0, 2, 2, 0, 2, 1, 1, 1, 0), dim: 2};
    const [hull] = convexHulls(square, [0, 0, 0, 0, 0, 0]);
    expect(hull.length).toBe(8);
    expect(signedArea(hull)).toBe(4);
    expect(() => convexHulls({coords: Float64Array.of(1, 2, 3), dim: 3}, [0])).toThrow(UnsupportedDimensionError);
  });

  it('are a line or a place where a cluster has no area', () => {
    const points = {coords: Float64Array.of(0, 0, 1, 1, 2, 2, 5, 5, 5, 5, 5, 5, 8, 8, 9, 8), dim: 2};
    const hulls = convexHulls(points, [0, 0, 0, 1, 1, 1, 2, 2]).map((hull) => [...hull].sort((a, b) => a - b));
    expect(hulls).toEqual([
      [0, 0, 2, 2],
      [5, 5],
      [8, 8, 8, 9],
    ]);
  });
});

describe('GeoJSON', () => {
  it('has points with labels, longitude first', () => {
    const points = {coords: Float64Array.of(52, 13, 48, 2), dim: 2, columns: ['lat', 'lon']};
    const names = ['Berlin', 'Paris'];
    const {features} = toGeoJson(points, [0, -1], {coreMask: [1, 0], properties: (i) => ({name: names[i]})});
    expect(features[0]).toEqual({
      type: 'Feature',
      geometry: {type: 'Point', coordinates: [13, 52]},
      properties: {name: 'Berlin', cluster: 0, core: true},
    });
    expect(features[1].properties).toEqual({name: 'Paris', cluster: -1, core: false});
  });

  it('has hulls with closed rings', () => {
    const {features} = hullsToGeoJson(POINTS, LABELS);
    expect(features.map(({geometry}) => geometry.type)).toEqual(['LineString', 'Polygon']);
    const [, triangle] = features;
    expect(triangle.properties).toEqual({cluster: 1, size: 3});
    const ring = triangle.geometry.type === 'Polygon' ? triangle.geometry.coordinates[0] : [];
    expect(ring.length).toBe(4);
    expect(ring[3]).toEqual(ring[0]);
  });
});

function signedArea(hull: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < hull.length; k += 2) {
    const next = (k + 2) % hull.length;
    sum += hull[k] * hull[next + 1] - hull[next] * hull[k + 1];
  }
  return sum / 2;
}
