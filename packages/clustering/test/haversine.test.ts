import {describe, expect, it} from 'vitest';
import {metricPoints, metricRadius, squaredDistance, squaredEps, type PointSet} from '@epsball/clustering';
import {sineCosine} from '../src/metric/sine.ts';

const KM = {metric: 'haversine', angles: 'degrees', epsUnit: 'km'} as const;

function places(...latLon: number[]): PointSet {
  return {coords: Float64Array.from(latLon), dim: 2};
}

/** Whether the first two places are within eps kilometres. */
function areNear(latLon: PointSet, eps: number): boolean {
  const {coords, dim} = metricPoints(latLon, KM);
  return squaredDistance(coords, dim, 0, 1) <= squaredEps(metricRadius(eps, KM).eps);
}

describe('sineCosine', () => {
  it("has the bits of V8's fdlibm", () => {
    const out = {sin: 0, cos: 0};
    const wrong: number[] = [];
    const check = (x: number): void => {
      sineCosine(x, out);
      if (out.sin !== Math.sin(x) || out.cos !== Math.cos(x)) wrong.push(x);
    };
    for (let k = -36_000; k <= 36_000; k++) check((k / 100) * 0.017453292519943295);
    const view = new DataView(new ArrayBuffer(8));
    for (let n = 1; n <= 4; n++) {
      for (let step = -2000; step <= 2000; step++) {
        view.setFloat64(0, (n * Math.PI) / 2);
        view.setBigUint64(0, view.getBigUint64(0) + BigInt(step) ** 3n);
        check(view.getFloat64(0));
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('haversine', () => {
  it('measures on a sphere of 6371.0088 km', () => {
    const berlinParis = places(52.52, 13.405, 48.8566, 2.3522);
    expect(areNear(berlinParis, 877.4)).toBe(false);
    expect(areNear(berlinParis, 877.5)).toBe(true);
    const degree = (6371.0088 * Math.PI) / 180;
    expect(areNear(places(0, 0, 0, 1), degree * (1 - 1e-12))).toBe(false);
    expect(areNear(places(0, 0, 0, 1), degree * (1 + 1e-12))).toBe(true);
  });

  it('joins the date line and the longitudes of a pole', () => {
    expect(areNear(places(10, 180, 10, -180), 1e-6)).toBe(true);
    expect(areNear(places(0, 179.999, 0, -179.999), 0.3)).toBe(true);
    expect(areNear(places(90, 0, 90, 137), 1e-6)).toBe(true);
    expect(areNear(places(-90, 0, 90, 0), 20_000)).toBe(false);
  });

  it('has every pair within π', () => {
    const rad = {metric: 'haversine', angles: 'radians', epsUnit: 'rad'} as const;
    const antipodes = places(0.3, 0.1, -0.3, 0.1 - Math.PI);
    const {coords} = metricPoints(antipodes, rad);
    expect(squaredDistance(coords, 3, 0, 1)).toBeLessThanOrEqual(squaredEps(metricRadius(Math.PI, rad).eps));
    expect(squaredDistance(coords, 3, 0, 1)).toBeLessThanOrEqual(squaredEps(metricRadius(2 * Math.PI, rad).eps));
  });

  it('takes the axes from names of columns, else latitude first', () => {
    const [lonLat, latLon] = [{coords: Float64Array.of(13, 52), dim: 2, columns: ['lon', 'lat']}, places(52, 13)];
    expect(metricPoints(lonLat, KM)).toEqual(metricPoints(latLon, KM));
    expect(metricPoints({...latLon, columns: ['a', 'b']}, KM)).toEqual(metricPoints(latLon, KM));
  });

  it('rejects a latitude beyond the poles, a longitude beyond 360 degrees, and other dimensions', () => {
    expect(() => metricPoints(places(0, 0, 90.0001, 0), KM)).toThrow('point 1, latitude = 90.0001; expected −90 to 90');
    expect(() => metricPoints(places(0, -361), KM)).toThrow('point 0, longitude = -361; expected −360 to 360 degrees');
    expect(() => metricPoints(places(90, 360, -90, -360), KM)).not.toThrow();
    expect(() => metricPoints({coords: Float64Array.of(1, 2, 3), dim: 3}, KM)).toThrow('dim = 3; expected 2');
    expect(metricPoints({coords: new Float64Array(0), dim: 1}, KM).dim).toBe(3);
  });

  it('guesses no unit', () => {
    expect(() => metricRadius(1, {metric: 'haversine', epsUnit: 'km'})).toThrow('angles = undefined; expected one of');
    expect(() => metricRadius(1, {metric: 'haversine', angles: 'degrees'})).toThrow('epsUnit = undefined; expected');
    expect(() => metricRadius(1, {epsUnit: 'km'})).toThrow('no epsUnit with the metric euclidean');
    expect(() => metricRadius(1, {metric: 'haversin' as never})).toThrow('did you mean haversine?');
    expect(metricRadius(1609.344, {...KM, epsUnit: 'm'})).toEqual(metricRadius(1, {...KM, epsUnit: 'mi'}));
  });
});
