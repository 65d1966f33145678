import {basename} from 'node:path';
import {measuredCells, nameSubject, timeOf, type Subject, type Workload} from '@epsball/benchmarks';
import {readResult} from '../readResult.ts';

/** Labels of a workload as an earlier run verified them. */
interface EarlierLabels {
  /** Content hashes of points and labels. */
  readonly points: string;
  readonly labels: string;
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
 * @throws InvalidParameterError  if a file is not a result file
 */
export async function readEarlierLabels(files: readonly string[]): Promise<FindLabels> {
  const sequential = new Map<string, EarlierLabels>();
  const ofSubjects = new Map<string, EarlierLabels>();
  for (const file of files) {
    for (const cell of measuredCells(await readResult(file))) {
      const {points, labels, row, options, verified} = cell;
      if (points === null || labels === null) continue;
      const key = keyOf(cell);
      const name = `${nameSubject(cell)} ${key}`;
      const seconds = Math.min(timeOf(cell) / 1000, ofSubjects.get(name)?.seconds ?? Infinity);
      const found = {points, labels, file: basename(file)};
      ofSubjects.set(name, {...found, seconds});
      // Labels of two variants that only agree with each other do not replace those of `sequential`.
      if (row !== 'sequential' && !verified.includes('sequential')) continue;
      const isIndexed = row === 'sequential' && options['index'] !== 'none';
      sequential.set(key, {...found, seconds: isIndexed ? seconds : (sequential.get(key)?.seconds ?? null)});
    }
  }
  return (workload, reference) => {
    const key = keyOf(workload);
    const own = ofSubjects.get(`${nameSubject(reference)} ${key}`);
    const labels = sequential.get(key) ?? own;
    return labels === undefined ? undefined : {...labels, seconds: own?.seconds ?? labels.seconds};
  };
}

function keyOf({dataset, params: {eps, minPts}}: Pick<Workload, 'dataset' | 'params'>): string {
  return `${dataset} ${eps} ${minPts}`;
}
