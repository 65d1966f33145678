import type {DbscanExplanation} from '@epsball/dbscan';
import {UsageError} from '../errors.ts';
import type {Nulled} from '../text.ts';

/** Null where no eps is enough. */
export type ExplainedRow = Nulled<DbscanExplanation, 'coreEps' | 'labelEps' | 'clusterEps'>;

/** Such as `noise: 2 of 5 within eps; core from eps 1.5; in reach of cluster 3 from eps 1.25`. */
export function explanationOf(
  row: ExplainedRow,
  {minPts, epsUnit, weighted}: {readonly minPts: number; readonly epsUnit: string | null; readonly weighted: boolean},
): string {
  const {label, isCore, weight, coreEps, labelEps, clusterEps, cluster} = row;
  const from = (eps: number): string => `from eps ${eps}${epsUnit ?? ''}`;
  const what = label < 0 ? 'noise' : `cluster ${label}, ${isCore ? 'core' : 'border'}`;
  const parts = [`${what}: ${weighted ? 'weight ' : ''}${weight} of ${minPts} within eps`];
  if (!isCore) parts.push(coreEps === null ? 'core at no eps' : `core ${from(coreEps)}`);
  if (label < 0 && clusterEps !== null) parts.push(`in reach of cluster ${cluster} ${from(clusterEps)}`);
  if (label < 0 && labelEps !== null && labelEps !== clusterEps) parts.push(`not noise ${from(labelEps)}`);
  return parts.join('; ');
}

/** Before the run: no work is lost to a row that does not exist. */
export function checkRows(rows: readonly number[] = [], n: number): void {
  const wrong = rows.find((row) => row >= n);
  if (wrong === undefined) return;
  throw new UsageError('--explain', `${wrong}`, n === 0 ? 'no rows: there are no points' : `rows from 0 to ${n - 1}`);
}
