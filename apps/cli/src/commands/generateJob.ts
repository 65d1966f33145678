/** Generates a dataset. */
import type {PointSet, ProgressListener} from '@epsball/clustering';
import {generateDataset, type DatasetRequest} from '@epsball/datasets';

export function run(request: DatasetRequest, onProgress: ProgressListener): PointSet {
  return generateDataset({...request, onProgress});
}
