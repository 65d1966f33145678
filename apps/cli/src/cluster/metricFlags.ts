import {orderOfCoordinates, orderOnSphere, toWeights, type Metric, type PlaceOrder} from '@epsball/clustering';
import type {LoadedPoints} from '@epsball/datasets';
import type {DbscanRequest} from '@epsball/dbscan';
import type {MetricFlags, Radius} from '../flags.ts';

/** Which of two columns is the latitude; undefined if they are none. On a globe one of them is. */
export function orderOf(columns: readonly string[] | undefined, metric: Metric | undefined): PlaceOrder | undefined {
  return metric === 'haversine' ? orderOnSphere(columns) : orderOfCoordinates(columns);
}

/** The names of the columns for people, and what they were taken for where the names do not tell. */
export function describeColumns(columns: readonly string[], metric: Metric): string {
  const names = columns.join(', ');
  if (metric !== 'haversine' || orderOfCoordinates(columns) !== undefined) return names;
  return `${names} (${orderOnSphere(columns) === 'lat-lon' ? 'latitude, longitude' : 'longitude, latitude'})`;
}

export function requestOf(
  {
    eps,
    minPts,
    metric,
    angles = 'degrees',
    epsTime,
    collapse,
  }: MetricFlags & {
    readonly eps: Radius;
    readonly minPts: number;
    readonly epsTime?: number;
    readonly collapse?: boolean;
  },
  {coords, dim, weights, times}: LoadedPoints,
): DbscanRequest {
  return {
    eps: eps.value,
    minPts,
    metric,
    ...(collapse === undefined ? {} : {collapse}),
    ...(weights === undefined ? {} : {sampleWeight: toWeights(weights, coords.length / dim)}),
    ...(times === undefined ? {} : {time: times, epsTime}),
    ...(metric === 'haversine' ? {angles, epsUnit: eps.unit} : {}),
  };
}
