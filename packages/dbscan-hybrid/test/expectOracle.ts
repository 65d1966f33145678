import type {DbscanAlgorithm, DbscanParams, PointSet} from '@epsball/clustering';
import {dbscanOracle} from '@epsball/conformance';
import {expect} from 'vitest';

/** Runs the algorithm, and expects what the contract says. */
export async function expectOracle(algorithm: DbscanAlgorithm, points: PointSet, params: DbscanParams): Promise<void> {
  const expected = dbscanOracle(points, params);
  const {labels, coreMask, clusterCount} = await algorithm.run(points, params);
  expect({labels: labels.slice(), coreMask: coreMask.slice(), clusterCount}).toEqual({
    labels: expected.labels,
    coreMask: expected.coreMask,
    clusterCount: expected.clusterCount,
  });
}
