/** Explains rows of a clustering. */
import type {DbscanResult, NamedPoints, ProgressListener} from '@epsball/clustering';
import {explain, type DbscanExplanation, type DbscanRequest} from '@epsball/dbscan';

interface ExplainJob {
  readonly points: NamedPoints;
  readonly request: DbscanRequest;
  readonly result: Pick<DbscanResult, 'labels' | 'coreMask'>;
  readonly rows: readonly number[];
}

export function run({points, request, result, rows}: ExplainJob, onProgress: ProgressListener): DbscanExplanation[] {
  return explain(points, request, result, rows, {onProgress});
}
