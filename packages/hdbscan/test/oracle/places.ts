import {pointCount, type PointSet} from '@epsball/clustering';

/** Distinct places, in the order of their first points. */
export interface OraclePlaces {
  readonly points: PointSet;
  /** The points at each place. */
  readonly copies: readonly (readonly number[])[];
}

/** The points as they are, each a place of its own. */
export function everyPoint(points: PointSet): OraclePlaces {
  return {points, copies: Array.from({length: pointCount(points)}, (_, i) => [i])};
}

/**
 * The distinct places of points; −0 equals 0.
 *
 * @complexity  O(n · places)
 */
export function distinctPlaces({coords, dim}: PointSet): OraclePlaces {
  const places: {readonly at: readonly number[]; readonly copies: number[]}[] = [];
  for (let i = 0; i < coords.length / dim; i++) {
    const at = Array.from(coords.subarray(i * dim, (i + 1) * dim));
    const known = places.find((place) => place.at.every((x, d) => x === at[d]));
    if (known === undefined) places.push({at, copies: [i]});
    else known.copies.push(i);
  }
  return {
    points: {coords: Float64Array.from(places.flatMap((place) => place.at)), dim},
    copies: places.map(({copies}) => copies),
  };
}
