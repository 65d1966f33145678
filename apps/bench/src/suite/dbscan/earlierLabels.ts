import {basename} from 'node:path';
import {nameSubject, type MeasuredDbscanCell, type Subject, type Workload} from '@epsball/benchmarks';
import {readResult} from '../../readResult.ts';

/** Labels of a workload as an earlier run verified them. */
interface EarlierLabels {
  readonly datasetHash: string;
  readonly labelsHash: string;
  /** Name of the result file. */
  readonly file: string;
  /** What a run of the reference, or of `sequential` with an index, took there; null if neither ran. */
  readonly seconds: number | null;
}

/** Looks labels up, for a workload and the subject that is its reference. */
export type FindLabels = (workload: Workload, reference: Subject) => EarlierLabels | undefined;

/**
 * The labels of workloads in earlier result files, which may come from another machine: labels are the same everywhere.
 * A machine that is available for minutes then need not run a reference that takes hours. They are the labels of
 * `sequential`, of a variant that was compared with it, or of the very subject that is the reference.
 *
 * @param files  results of suites of DBSCAN; other results are ignored
 * @throws InvalidParameterError  if a file is not a result file
 */
export async function readEarlierLabels(files: readonly string[]): Promise<FindLabels> {
  const sequential = new Map<string, EarlierLabels>();
  const ofSubjects = new Map<string, EarlierLabels>();
  for (const file of files) {
    const result = await readResult(file);
    if (result.kind !== 'dbscan') continue;
    for (const cell of result.cells) {
      if (cell.status !== 'measured') continue;
      const {datasetHash, labelsHash, wall} = cell;
      const key = keyOf(cell.dataset, cell);
      const labels = {datasetHash, labelsHash, file: basename(file)};
      const name = `${nameSubject(cell)} ${key}`;
      const seconds = Math.min(wall.medianMs / 1000, ofSubjects.get(name)?.seconds ?? Infinity);
      ofSubjects.set(name, {...labels, seconds});
      if (!hasSequentialLabels(cell)) continue;
      const isIndexed = cell.row === 'sequential' && cell.options['index'] !== 'none';
      sequential.set(key, {...labels, seconds: isIndexed ? seconds : (sequential.get(key)?.seconds ?? null)});
    }
  }
  return ({dataset, params}, reference) => {
    const key = keyOf(dataset, params);
    const own = ofSubjects.get(`${nameSubject(reference)} ${key}`);
    const labels = sequential.get(key) ?? own;
    return labels === undefined ? undefined : {...labels, seconds: own?.seconds ?? labels.seconds};
  };
}

/** Labels of two variants that only agree with each other do not replace those of `sequential`. */
function hasSequentialLabels(cell: MeasuredDbscanCell): boolean {
  return cell.row === 'sequential' || cell.verifiedAgainst.includes('sequential');
}

function keyOf(dataset: string, {eps, minPts}: {readonly eps: number; readonly minPts: number}): string {
  return `${dataset} ${eps} ${minPts}`;
}
