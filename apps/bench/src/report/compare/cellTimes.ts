import {
  nameHdbscan,
  nameMeanShift,
  namePrimitive,
  nameSubject,
  type ResultFile,
  type Timing,
} from '@epsball/benchmarks';

/** A cell, whatever it measures, over all results of one side. */
export interface CellTimes {
  /** Suite and cell in words; the key of the comparison. */
  readonly name: string;
  readonly status: 'measured' | 'failed' | 'other';
  /** Median milliseconds of each process. */
  readonly processMs: readonly number[];
  /** Hashes of points and labels; null for cells without. */
  readonly points: string | null;
  readonly labels: string | null;
}

/** Cells by name; several results of a suite are several processes. Estimated times are not measured. */
export function cellTimesOf(results: readonly ResultFile[]): Map<string, CellTimes> {
  const cells = new Map<string, CellTimes>();
  for (const cell of results.flatMap(entriesOf)) {
    const known = cells.get(cell.name);
    cells.set(cell.name, known === undefined ? cell : merge(known, cell));
  }
  return cells;
}

function merge(one: CellTimes, other: CellTimes): CellTimes {
  if (one.status === 'failed' || other.status === 'failed') return {...one, status: 'failed'};
  if (one.status !== 'measured') return other;
  if (other.status !== 'measured') return one;
  return {...one, processMs: [...one.processMs, ...other.processMs]};
}

function entriesOf(result: ResultFile): CellTimes[] {
  const {suite} = result;
  if (result.kind === 'dbscan') {
    return result.cells.map((cell) => ({
      name: `${suite}: ${nameSubject(cell)} on ${cell.dataset}, eps ${cell.eps}, minPts ${cell.minPts}`,
      status: statusOf(cell.status),
      processMs: cell.status === 'measured' ? processesOf(cell.wall) : [],
      points: cell.status === 'measured' ? cell.datasetHash : null,
      labels: cell.status === 'measured' ? cell.labelsHash : null,
    }));
  }
  const plain = {points: null, labels: null};
  if (result.kind === 'primitives') {
    return result.cells.map((cell) => {
      const time = cell.status === 'measured' ? (cell.device ?? cell.wall) : null;
      const processMs = time === null ? [] : processesOf(time);
      return {...plain, name: `${suite}: ${namePrimitive(cell)}`, status: statusOf(cell.status), processMs};
    });
  }
  const cells =
    result.kind === 'mean-shift'
      ? result.cells.map((cell) => ({cell, name: nameMeanShift(cell)}))
      : result.cells.map((cell) => ({cell, name: nameHdbscan(cell)}));
  return cells.map(({cell, name}) => {
    const processMs = cell.status === 'measured' ? processesOf(cell.wall) : [];
    return {...plain, name: `${suite}: ${name}`, status: statusOf(cell.status), processMs};
  });
}

function statusOf(status: string): CellTimes['status'] {
  return status === 'measured' || status === 'failed' ? status : 'other';
}

function processesOf({medianMs, processMs}: Timing): readonly number[] {
  return processMs === undefined || processMs.length === 0 ? [medianMs] : processMs;
}
