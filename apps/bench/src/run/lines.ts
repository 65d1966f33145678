import {
  measuredCells,
  nameSubject,
  nameWorkload,
  suites,
  timeOf,
  type Cell,
  type MeasuredCell,
  type ResultFile,
} from '@epsball/benchmarks';
import {formatFactor, formatMs, formatPercent} from '@epsball/cli/command';

/** Columns of a terminal where its width is unknown. */
const COLUMNS = 80;
const INDENT = '      ';

/** Between words, but for a number and its unit, and for `1,000 × 2`. */
const BREAK = /(?<=\S)(?<! ×) (?!(?:%|×|µs|ms|s|min|h)(?![\p{L}\d]))/u;

/** Breaks a line between words, so that a terminal breaks none. Further lines are indented. */
export function wrapLine(line: string, columns: number = process.stdout.columns ?? COLUMNS): string {
  const lines: string[] = [];
  for (const word of line.trimEnd().split(BREAK)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns)
      lines.push(last === undefined ? word : INDENT + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

/** One line of progress for a finished cell: what, its time, and how many times as fast as the reference. */
export function cellLine(cell: Cell, reference: Cell | undefined): string {
  const name = `${nameSubject(cell)} on ${nameWorkload(cell)}:`;
  if (cell.status === 'estimated') return `${name} † ${formatMs(cell.ms)}`;
  if (cell.status !== 'measured') return `${name} ${cell.status === 'failed' ? 'FAILED' : 'left out'}: ${cell.reason}`;
  const timing = cell.wall ?? cell.device;
  const spread = timing !== null && timing.allMs.length > 1 ? ` ±${formatPercent(timing.spread / 2)}` : '';
  const device = cell.device === null || cell.wall === null ? '' : `, device ${formatMs(cell.device.medianMs)}`;
  const isOther = reference?.status === 'measured' && reference !== cell;
  const factor = isOther ? `, ${formatFactor(timeOf(reference) / timeOf(cell))} as fast as ${reference.row}` : '';
  return `${name} ${formatMs(timeOf(cell))}${spread}${device}${factor}; verified`;
}

/** `left out: 12 cells, this machine has 2 threads; 8 cells, …`; null where nothing was. */
export function leftOutLine(cells: readonly Cell[]): string | null {
  const reasons = cells.flatMap((cell) => (cell.status === 'leftOut' ? [cell.reason] : []));
  if (reasons.length === 0) return null;
  const counted = [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, all]) => `${all.length} ${all.length === 1 ? 'cell' : 'cells'}, ${reason}`,
  );
  return `left out: ${counted.join('; ')}`;
}

/** What wins a set of points, and by how much over the second. */
export interface Win {
  readonly workload: string;
  readonly best: MeasuredCell;
  readonly second: MeasuredCell;
  readonly factor: number;
}

/** Verified whole runs of DBSCAN. Software adapters do not compete. */
export function speedCells(results: readonly ResultFile[]): MeasuredCell[] {
  const ofDbscan = results.filter(({suite}) => suites.find(({id}) => id === suite)?.kind === 'dbscan');
  return ofDbscan.flatMap((result) =>
    measuredCells(result).filter(({backend}) => backend !== 'gpu' || result.adapter?.kind === 'hardware'),
  );
}

/** The fastest code on each set of points, the second of another variant or backend, largest sets first. */
export function winsOf(results: readonly ResultFile[]): Win[] {
  const cells = speedCells(results.filter(({suite}) => suite !== 'memory'));
  const groups = [...Map.groupBy(cells, nameWorkload)];
  return groups
    .flatMap(([workload, all]): Win[] => {
      const sorted = all.toSorted((a, b) => timeOf(a) - timeOf(b));
      const [best] = sorted;
      const second = sorted.find(({row, backend}) => row !== best.row || backend !== best.backend);
      return second === undefined ? [] : [{workload, best, second, factor: timeOf(second) / timeOf(best)}];
    })
    .sort((a, b) => b.best.n - a.best.n || a.workload.localeCompare(b.workload));
}
