import type {PointSet} from '@epsball/clustering';
import {cities} from '@epsball/datasets/cities';

/** Latitudes and longitudes of GeoNames, in degrees: `cities` has the longitude first. */
export async function loadPlaces(): Promise<PointSet> {
  return {coords: (await cities({precision: 'float64'})).coords.map((_, k, coords) => coords[k ^ 1]), dim: 2};
}
