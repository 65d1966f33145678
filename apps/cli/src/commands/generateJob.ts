/** Generates a dataset. */
import type {PointSet} from '@epsball/clustering';
import {generateDataset} from '@epsball/datasets';

export function run(request: Parameters<typeof generateDataset>[0]): PointSet {
  return generateDataset(request);
}
