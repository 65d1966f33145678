/** Labels the noise of a clustering by the nearest core point. */
import type {DbscanResult, NamedPoints, ProgressListener} from '@epsball/clustering';
import type {DbscanRequest} from '@epsball/dbscan';
import {assignNoise} from '@epsball/predict';

interface AssignJob {
  readonly points: NamedPoints;
  readonly request: DbscanRequest;
  readonly result: Pick<DbscanResult, 'labels' | 'coreMask'>;
  readonly within: number | undefined;
}

export function run(
  {points, request, result, within}: AssignJob,
  onProgress: ProgressListener,
): {readonly labels: Int32Array} {
  return {labels: assignNoise(points, request, result, {within, onProgress})};
}
