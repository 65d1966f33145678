import {basename} from 'node:path';
import type {DbscanCell, MeasuredDbscanCell, Workload} from '@epsball/benchmarks';
import {readResult} from '../../readResult.ts';

/** Labels of a workload as an earlier run verified them. */
export interface EarlierLabels {
  readonly datasetHash: string;
  readonly labelsHash: string;
  /** Name of the result file. */
  readonly file: string;
  /** What a run of `sequential` took there; infinite if it did not run. */
  readonly seconds: number;
}

/**
 * The labels of workloads in earlier result files, which may come from another machine: labels are the same everywhere.
 * A machine that is available for minutes then need not run a reference that takes hours.
 *
 * @param files  results of suites of DBSCAN; other results are ignored
 * @throws InvalidParameterError  if a file is not a result file
 */
export async function readEarlierLabels(
  files: readonly string[],
): Promise<(workload: Workload) => EarlierLabels | undefined> {
  const byWorkload = new Map<string, EarlierLabels>();
  for (const file of files) {
    const result = await readResult(file);
    if (result.kind !== 'dbscan') continue;
    for (const cell of result.cells.filter(hasSequentialLabels)) {
      const {datasetHash, labelsHash} = cell;
      const key = keyOf(cell.dataset, cell);
      const own = cell.row === 'sequential' ? cell.wall.medianMs / 1000 : Infinity;
      const seconds = Math.min(own, byWorkload.get(key)?.seconds ?? Infinity);
      byWorkload.set(key, {datasetHash, labelsHash, file: basename(file), seconds});
    }
  }
  return ({dataset, params}) => byWorkload.get(keyOf(dataset, params));
}

/** Labels of two variants that only agree with each other do not replace those of `sequential`. */
function hasSequentialLabels(cell: DbscanCell): cell is MeasuredDbscanCell {
  if (cell.status !== 'measured') return false;
  return cell.row === 'sequential' || cell.verifiedAgainst.includes('sequential');
}

function keyOf(dataset: string, {eps, minPts}: {readonly eps: number; readonly minPts: number}): string {
  return `${dataset} ${eps} ${minPts}`;
}
