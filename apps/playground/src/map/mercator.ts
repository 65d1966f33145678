import {METRES_PER_DEGREE} from '@epsball/clustering';

/** Kilometres of a degree along a meridian. */
export const KM_PER_DEGREE = METRES_PER_DEGREE / 1000;

/** Latitudes beyond are drawn here: the projection has no poles. */
const LATITUDE_MAX = 85;

/**
 * Mercator's projection of a latitude, in degrees of longitude at the equator. It keeps angles, so a small eps-ball is
 * a circle, 1 / cos(latitude) as large as at the equator.
 */
export function mercator(latitude: number): number {
  const phi = (Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, latitude)) * Math.PI) / 180;
  return (Math.log(Math.tan(Math.PI / 4 + phi / 2)) * 180) / Math.PI;
}

/** The latitude at a height of the projection. */
export function latitudeAt(y: number): number {
  return (Math.atan(Math.sinh((y * Math.PI) / 180)) * 180) / Math.PI;
}

/** Kilometres of a unit of the projection, at one of its heights. */
export function kmPerUnit(y: number): number {
  return KM_PER_DEGREE * Math.cos((latitudeAt(y) * Math.PI) / 180);
}

/** A round number of kilometres, at most `km`, for a scale bar: 1, 2 or 5 times a power of ten. */
export function roundKm(km: number): number {
  const power = 10 ** Math.floor(Math.log10(km));
  const step = [5, 2, 1].find((factor) => factor * power <= km) ?? 1;
  return step * power;
}
