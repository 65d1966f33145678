import {describe, expect, it} from 'vitest';
import {InvalidParameterError, InvalidPointsError, keepPoints, toPoints, type PointsInput} from '@epsball/clustering';

const XY = Float64Array.of(1, 2, 3, 4);

/** A table with the members of Apache Arrow that are read. */
function arrowLike(columns: Readonly<Record<string, readonly unknown[]>>): PointsInput {
  return {
    schema: {fields: Object.keys(columns).map((name) => ({name}))},
    getChild: (name: string) =>
      columns[name] === undefined
        ? null
        : {
            length: columns[name].length,
            nullCount: columns[name].filter((value) => value === null).length,
            get: (i: number) => columns[name][i],
            toArray: () => (columns[name].includes(null) ? new Float64Array(columns[name].length) : columns[name]),
          },
  };
}

describe('toPoints', () => {
  it('returns a point set as it is, and coordinates of other arrays in float64', () => {
    const points = {coords: Float32Array.of(1, 2), dim: 2};
    expect(toPoints(points)).toBe(points);
    expect(toPoints({coords: [1, 2, 3, 4], dim: 2})).toEqual({coords: XY, dim: 2});
    expect(toPoints({coords: Int16Array.of(1, 2, 3, 4), dim: 2}).coords).toEqual(XY);
  });

  it('converts rows, objects, columns and tables of Arrow', () => {
    expect(toPoints([[1, 2], Float32Array.of(3, 4)])).toEqual({coords: XY, dim: 2});
    const named = {coords: XY, dim: 2, columns: ['x', 'y']};
    expect(
      toPoints([
        {x: 1, y: 2},
        {y: 4, x: 3},
      ]),
    ).toEqual(named);
    expect(toPoints({x: [1, 3], y: Int32Array.of(2, 4)})).toEqual(named);
    expect(toPoints(arrowLike({x: [1, 3], y: [2n, 4n]}))).toEqual(named);
    expect(toPoints({a: [1, 3], b: [2, 4], name: ['p', 'q']}, ['a', 'b']).coords).toEqual(XY);
    const cities = [{at: {e: 1, n: 2}}, {at: {e: 3, n: 4}}];
    expect(toPoints(cities, [({at}) => at.e, ({at}) => at.n])).toEqual({coords: XY, dim: 2});
  });

  it('takes latitude and longitude by name, in this order', () => {
    const rows = [{name: 'a', lng: 2, Latitude: 1}];
    expect(toPoints(rows)).toEqual({coords: Float64Array.of(1, 2), dim: 2, columns: ['Latitude', 'lng']});
  });

  it('converts GeoJSON of points, longitude first', () => {
    const point = (lon: number, lat: number): object => ({type: 'Point', coordinates: [lon, lat, 99]});
    const feature = (geometry: object): object => ({type: 'Feature', properties: {}, geometry});
    const lonLat = {coords: XY, dim: 2, columns: ['lon', 'lat']};
    expect(toPoints({type: 'FeatureCollection', features: [feature(point(1, 2)), feature(point(3, 4))]})).toEqual(
      lonLat,
    );
    expect(toPoints([feature(point(1, 2)), feature(point(3, 4))])).toEqual(lonLat);
    expect(toPoints({type: 'GeometryCollection', geometries: [point(1, 2), point(3, 4)]})).toEqual(lonLat);
    expect(
      toPoints({
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      }),
    ).toEqual(lonLat);
    const line = {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    };
    expect(() => toPoints({type: 'FeatureCollection', features: [feature(point(1, 2)), feature(line)]})).toThrow(
      'point 1 is a geometry of type LineString; expected a Point or MultiPoint',
    );
  });

  it('converts nothing to no points', () => {
    expect(toPoints([])).toEqual({coords: new Float64Array(0), dim: 1});
    expect(toPoints([], ['x', 'y']).dim).toBe(2);
    expect(toPoints({type: 'FeatureCollection', features: []}).coords.length).toBe(0);
  });

  it('names the point and the axis of a value that is no finite number', () => {
    const bad = (input: unknown): unknown => {
      try {
        return toPoints(input as PointsInput);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidPointsError);
        return [(error as InvalidPointsError).index, (error as Error).message];
      }
    };
    expect(
      bad([
        [1, 2],
        [3, '4'],
      ]),
    ).toEqual([1, 'point 1, axis 1 = "4"; expected a finite number']);
    expect(bad([[1, 2], [3]])).toEqual([1, 'point 1 = an array of 1; expected 2 numbers, as point 0 has']);
    expect(bad([{x: 1, y: 2}, {x: 1}])).toEqual([1, 'point 1 has no y; its keys are x']);
    expect(bad({x: [1, null], y: [1, 2]})).toEqual([1, 'point 1, x = null; expected a finite number']);
    expect(bad(arrowLike({x: [1, null], y: [1, 2]}))).toEqual([1, 'point 1, x = null; expected a finite number']);
    expect(bad({x: [1, 2], y: [1]})).toEqual([-1, 'column y has 1 values; expected 2, as many as column x']);
  });

  it.for<[what: string, convert: (value: bigint) => unknown]>([
    ['axis 1', (value) => toPoints([[1, 2], [3, value] as never])],
    ['axis 1', (value) => toPoints([BigInt64Array.of(1n, 2n), BigInt64Array.of(3n, value)])],
    ['axis 1', (value) => toPoints({coords: BigInt64Array.of(1n, 2n, 3n, value) as never, dim: 2})],
    ['axis 1', (value) => keepPoints({coords: BigInt64Array.of(1n, 2n, 3n, value) as never, dim: 2})],
    [
      'y',
      (value) =>
        toPoints([
          {x: 1, y: 2},
          {x: 3, y: value},
        ]),
    ],
    ['y', (value) => toPoints({x: [1, 3], y: BigInt64Array.of(2n, value)})],
    ['y', (value) => toPoints(arrowLike({x: [1, 3], y: [2n, value]}))],
    [
      'latitude',
      (value) =>
        toPoints({
          type: 'MultiPoint',
          coordinates: [
            [1, 2],
            [3, value],
          ],
        }),
    ],
  ])('refuses integers that float64 does not hold (%s)', ([axis, convert]) => {
    for (const value of [2n ** 53n + 1n, -(2n ** 53n), 2n ** 60n]) {
      const message = `point 1, ${axis} = ${value}; expected integers below 2^53 in magnitude, which float64 holds`;
      expect(() => convert(value)).toThrow(message);
    }
    for (const value of [2n ** 53n - 1n, -(2n ** 53n) + 1n]) {
      const {coords} = convert(value) as {coords: Float64Array};
      expect(coords[3]).toBe(Number(value));
    }
  });

  it('shows the right call for anything else', () => {
    const call =
      (input: unknown, axes?: readonly string[]): (() => unknown) =>
      () =>
        toPoints(input as PointsInput, axes);
    for (const input of [null, undefined, 7, 'points.csv', {}, [null], ['a'], new Map()]) {
      expect(call(input)).toThrow(InvalidParameterError);
      expect(call(input)).toThrow("objects with toPoints(objects, ['x', 'y'])");
    }
    expect(call([1, 2, 3, 4])).toThrow('{coords: Float64Array.from(numbers), dim: 2}');
    expect(call([{e: 1, n: 2, name: 'p'}])).toThrow("e, n, name: toPoints(objects, ['e', 'n'])");
    // A third column may be a weight: it is not taken for a coordinate.
    expect(call({x: [1], y: [1], weight: [1]})).toThrow("x, y, weight: toPoints(table, ['x', 'y'])");
    expect(call({x: [1], y: [1]}, ['x', 'why'])).toThrow('column = "why"; expected one of x, y');
    expect(call([[1, 2]], [])).toThrow("axes = Array; expected the names of at least one axis: ['x', 'y']");
  });
});
