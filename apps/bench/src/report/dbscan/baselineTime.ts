import {
  fitPower,
  isSameSubject,
  type DbscanResultFile,
  type MeasuredDbscanCell,
  type Subject,
} from '@epsball/benchmarks';

/**
 * The time of a baseline at a workload. `‡`: another run timed it on the same kind of machine. `†`: a power of n,
 * fitted to the times of fewer points, gives it.
 */
export interface BaselineTime {
  readonly ms: number;
  readonly mark: '' | '†' | '‡';
}

export const MARK_NOTES: Readonly<Record<BaselineTime['mark'], string>> = {
  '': '',
  '†': '† The time of the baseline is extrapolated: a power of n, fitted to its measured times.',
  '‡': '‡ The baseline was timed in another run on the same kind of machine, some of them several at a time, so the factor may be up to half too high.',
};

type Workload = Pick<MeasuredDbscanCell, 'dataset' | 'n' | 'dim' | 'eps' | 'minPts'>;

/**
 * The time of a baseline at the workload of a cell: measured in the same run, else in the latest run of references,
 * else extrapolated over n; null if none of these can be had.
 */
export function baselineTime(
  result: DbscanResultFile,
  references: readonly DbscanResultFile[],
  workload: Workload,
  baseline: Subject,
): BaselineTime | null {
  const known = knownTimes(result, references, baseline);
  const here = known.find(({cell}) => isSameWorkload(cell, workload));
  if (here !== undefined) return {ms: here.cell.wall.medianMs, mark: here.mark};
  const smaller = new Map<number, number>();
  for (const {cell} of known) {
    if (isOtherSize(cell, workload) && cell.n < workload.n && !smaller.has(cell.n))
      smaller.set(cell.n, cell.wall.medianMs);
  }
  const fit = fitPower([...smaller].map(([x, y]) => ({x, y})));
  return fit === null ? null : {ms: fit.factor * workload.n ** fit.exponent, mark: '†'};
}

/** Measured times of a subject: those of the run itself, then those of references, from the latest on. */
function knownTimes(
  result: DbscanResultFile,
  references: readonly DbscanResultFile[],
  baseline: Subject,
): {cell: MeasuredDbscanCell; mark: '' | '‡'}[] {
  const alike = references
    .filter(({machine}) => machine.cpu === result.machine.cpu && machine.threads === result.machine.threads)
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  const timesOf = ({cells}: DbscanResultFile): MeasuredDbscanCell[] =>
    cells.filter((cell) => cell.status === 'measured').filter((cell) => isSameSubject(cell, baseline));
  return [
    ...timesOf(result).map((cell) => ({cell, mark: '' as const})),
    ...alike.flatMap(timesOf).map((cell) => ({cell, mark: '‡' as const})),
  ];
}

function isSameWorkload(a: Workload, b: Workload): boolean {
  return a.dataset === b.dataset && a.eps === b.eps && a.minPts === b.minPts;
}

/** The same generator and parameters, another number of points. */
function isOtherSize(a: Workload, b: Workload): boolean {
  return (
    withoutSize(a.dataset) === withoutSize(b.dataset) && a.dim === b.dim && a.eps === b.eps && a.minPts === b.minPts
  );
}

function withoutSize(dataset: string): string {
  return dataset.replace(/\bn=\d+/, '');
}
