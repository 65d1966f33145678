import type {Workload} from '@epsball/benchmarks';
import {pointCount, type PointSet} from '@epsball/clustering';
import {generateDataset} from '@epsball/datasets';

/** Workload name of the GeoNames places, which come from a package and not from a generator. */
const CITIES = 'cities';

/**
 * The points of a workload.
 *
 * @throws InvalidParameterError  if the specification is unknown
 * @throws Error                  if the data does not have the size that the suite states
 */
export async function loadWorkload({dataset, n, dim}: Workload): Promise<PointSet> {
  const points = dataset === CITIES ? await loadCities() : generateDataset(dataset);
  if (pointCount(points) !== n || points.dim !== dim) {
    throw new Error(`${dataset}: ${pointCount(points)} points of ${points.dim} coordinates; expected ${n} of ${dim}`);
  }
  return points;
}

async function loadCities(): Promise<PointSet> {
  const {cities} = await import('@epsball/datasets/cities');
  return cities();
}
