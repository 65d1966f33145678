import {describe, expect, it} from 'vitest';
import {viewCoords} from '../src/compute/viewCoords.ts';
import {KM_PER_DEGREE, kmPerUnit, latitudeAt, mercator, roundKm} from '../src/map/mercator.ts';

describe('the projection of a map', () => {
  it('is that of Mercator, and returns', () => {
    // ln tan 60° in degrees.
    expect(mercator(30)).toBeCloseTo((Math.log(Math.sqrt(3)) * 180) / Math.PI, 12);
    for (const latitude of [-84, -0.5, 0, 12, 48.4]) expect(latitudeAt(mercator(latitude))).toBeCloseTo(latitude, 10);
    expect(latitudeAt(mercator(90))).toBeCloseTo(85, 10);
  });

  it('knows its kilometres', () => {
    expect(KM_PER_DEGREE).toBeCloseTo(111.195, 3);
    expect(kmPerUnit(mercator(60))).toBeCloseTo(KM_PER_DEGREE / 2, 8);
    expect([130, 99, 2.3, 0.7].map(roundKm)).toEqual([100, 50, 2, 0.5]);
  });
});

describe('points of a view', () => {
  const coords = Float64Array.of(48.4, 9.99, 50.7, 7.1);

  it('with the names of a latitude and a longitude are places, in either order', () => {
    const view = viewCoords({coords, dim: 2, columns: ['lat', 'lon']});
    expect(view).toMatchObject({isMap: true, box: {min: [expect.closeTo(-1.445), expect.any(Number)]}});
    expect(latitudeAt(view.origin[1] + view.coords[1])).toBeCloseTo(48.4, 5);
    const turned = viewCoords({coords: coords.toReversed(), dim: 2, columns: ['lon', 'lat']});
    expect(turned.box).toEqual(view.box);
  });

  it('with other names or values are no places', () => {
    expect(viewCoords({coords, dim: 2, columns: ['x', 'y']}).isMap).toBe(false);
    expect(viewCoords({coords, dim: 2}).isMap).toBe(false);
    expect(viewCoords({coords: Float64Array.of(5000, 1), dim: 2, columns: ['lat', 'lon']}).isMap).toBe(false);
  });
});
