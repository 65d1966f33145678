import {InvalidParameterError, InvalidPointsError} from '../errors.ts';
import type {PointSet} from '../points.ts';
import type {PlaceOrder} from './placeNames.ts';
import {sineCosine} from './sine.ts';

/** Mean radius of the earth in metres: a sphere (IUGG 1980). */
export const EARTH_RADIUS = 6_371_008.8;

/** Of a degree along a meridian. */
export const METRES_PER_DEGREE: number = (EARTH_RADIUS * Math.PI) / 180;

/** Units of eps on the earth. `rad` is the angle at the centre, as in scikit-learn. */
export const EPS_UNITS = ['m', 'km', 'mi', 'rad'] as const;
export type EpsUnit = (typeof EPS_UNITS)[number];

/** Units of latitudes and longitudes. */
export const ANGLES = ['degrees', 'radians'] as const;
export type Angles = (typeof ANGLES)[number];

/** Metres of a unit of eps on the earth. */
export const METRES: Readonly<Record<EpsUnit, number>> = {m: 1, km: 1000, mi: 1609.344, rad: EARTH_RADIUS};
const RADIANS_PER_DEGREE = 0.017453292519943295;

/** The angle of a distance on the earth, in radians. @throws InvalidParameterError if the unit is unknown */
export function angleOfDistance(eps: number, unit: EpsUnit): number {
  if (!EPS_UNITS.includes(unit)) throw new InvalidParameterError('epsUnit', unit, `one of ${EPS_UNITS.join(', ')}`);
  return unit === 'rad' ? eps : (eps * METRES[unit]) / EARTH_RADIUS;
}

/** The chord of an angle on the unit sphere, for the Euclidean distance. Every pair is within an angle of π. */
export function chordOfAngle(angle: number): number {
  // A chord is at most 2; 4 leaves room for the rounding of unit vectors.
  if (angle >= Math.PI) return 4;
  const half = {sin: 0, cos: 0};
  sineCosine(0.5 * angle, half);
  // An angle that vanishes leaves equal places.
  return Math.max(2 * half.sin, Number.MIN_VALUE);
}

/**
 * Unit vectors of places on a sphere: (cos φ · cos λ, cos φ · sin λ, sin φ), φ the latitude, λ the longitude.
 *
 * @throws InvalidPointsError  if a latitude is outside ±90° or a longitude outside ±360°; names the first such point
 * @complexity    O(n), 25 ms for 171,000 places; allocates the result
 */
export function sphereVectors(
  points: PointSet,
  {angles, order}: {readonly angles: Angles; readonly order: PlaceOrder},
): PointSet {
  const {coords} = points;
  const n = coords.length / 2;
  const isDegrees = angles === 'degrees';
  const scale = isDegrees ? RADIANS_PER_DEGREE : 1;
  const maxLat = isDegrees ? 90 : Math.PI / 2;
  const maxLon = isDegrees ? 360 : 2 * Math.PI;
  const latAxis = order === 'lat-lon' ? 0 : 1;
  const vectors = new Float64Array(3 * n);
  const phi = {sin: 0, cos: 0};
  const lambda = {sin: 0, cos: 0};
  for (let i = 0; i < n; i++) {
    const lat = coords[2 * i + latAxis];
    const lon = coords[2 * i + 1 - latAxis];
    if (!(Math.abs(lat) <= maxLat)) throw outside(i, 'latitude', lat, maxLat, angles);
    if (!(Math.abs(lon) <= maxLon)) throw outside(i, 'longitude', lon, maxLon, angles);
    sineCosine(lat * scale, phi);
    sineCosine(lon * scale, lambda);
    vectors[3 * i] = phi.cos * lambda.cos;
    vectors[3 * i + 1] = phi.cos * lambda.sin;
    vectors[3 * i + 2] = phi.sin;
  }
  return {coords: vectors, dim: 3};
}

/** No place has such an angle in degrees: eastings and northings have. */
const PROJECTED_FROM = 360;

function outside(i: number, name: string, value: number, max: number, angles: Angles): InvalidPointsError {
  const isProjected = angles === 'degrees' && Math.abs(value) > PROJECTED_FROM;
  const advice = isProjected ? ' (coordinates in metres, as projections have them, take the metric euclidean)' : '';
  return new InvalidPointsError(`point ${i}, ${name} = ${value}; expected −${max} to ${max} ${angles}${advice}`, i);
}
