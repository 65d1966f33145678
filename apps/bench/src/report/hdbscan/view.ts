import {
  nameHdbscan,
  type HdbscanCell,
  type HdbscanMethod,
  type HdbscanResultFile,
  type MeasuredHdbscanCell,
} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {listGaps} from '../gaps.ts';
import type {Run, SectionOf} from '../run.ts';
import type {SectionView} from '../sectionView.ts';
import {bad, faint, numberColumn, plain, textColumn, type Table, type TableCell} from '../table.ts';

const OURS: readonly HdbscanMethod[] = ['sequential', 'workers', 'gpu'];

/** One table a run: a row for each data set and size. */
export function hdbscanView({runs}: SectionOf<'hdbscan'>): SectionView {
  const suffixOf = ({letter}: Run): string => (runs.length > 1 ? ` · ${letter}` : '');
  return {
    findings: runs.flatMap((run) => findingsOf(run).map((sentence) => sentence + suffixOf(run))),
    tables: runs.map((run) => ({title: `Time of a run, from points to labels${suffixOf(run)}`, table: tableOf(run)})),
    gaps: listGaps(runs, nameHdbscan),
    documents: [],
    drawCharts: () => Promise.resolve([]),
    loadPictures: () => Promise.resolve([]),
  };
}

interface Row {
  readonly dataset: string;
  readonly n: number;
  readonly cellOf: (method: HdbscanMethod) => HdbscanCell | undefined;
}

function rowsOf({result}: Run<HdbscanResultFile>): Row[] {
  const groups = Map.groupBy(result.cells, ({dataset, n}) => `${dataset} ${n}`);
  return [...groups.values()].map((cells) => ({
    dataset: cells[0].dataset,
    n: cells[0].n,
    cellOf: (method) => cells.find((cell) => cell.method === method),
  }));
}

function tableOf(run: Run<HdbscanResultFile>): Table {
  const titles = ['points', 'one thread', 'worker threads', 'GPU', 'R', 'one thread against R', 'clusters'];
  const rows = rowsOf(run).map(({dataset, n, cellOf}) => {
    const one = cellOf('sequential');
    const factor = factorOverR(cellOf);
    return [
      plain(dataset),
      plain(formatCount(n)),
      ...OURS.map((method) => timeCell(cellOf(method))),
      timeCell(cellOf('R')),
      factor === null ? faint('–') : plain(formatFactor(factor)),
      one?.status === 'measured' ? plain(formatCount(one.clusters ?? 0)) : faint('–'),
    ];
  });
  return {columns: [textColumn('data'), ...titles.map(numberColumn)], rows};
}

/** A whole run's time; below it the spread, or the device's part. */
function timeCell(cell: HdbscanCell | undefined): TableCell {
  if (cell?.status === 'failed') return bad('failed');
  if (cell?.status !== 'measured') return faint(cell === undefined ? '–' : 'left out');
  const spread = cell.wall.allMs.length > 1 ? `±${formatPercent(cell.wall.spread / 2)}` : undefined;
  const note = cell.device === null ? spread : `device ${formatMs(cell.device.medianMs)}`;
  return plain(formatMs(cell.wall.medianMs), note);
}

function factorOverR(cellOf: Row['cellOf']): number | null {
  const [ours, theirs] = [cellOf('sequential'), cellOf('R')];
  if (ours?.status !== 'measured' || theirs?.status !== 'measured') return null;
  return theirs.wall.medianMs / ours.wall.medianMs;
}

function findingsOf(run: Run<HdbscanResultFile>): string[] {
  const measured = run.result.cells.filter((cell): cell is MeasuredHdbscanCell => cell.status === 'measured');
  const version = measured.find((cell) => cell.version !== null)?.version;
  const beside = rowsOf(run).flatMap(({dataset, n, cellOf}) => {
    const factor = factorOverR(cellOf);
    const [ours, theirs] = [cellOf('sequential'), cellOf('R')];
    if (factor === null || ours?.status !== 'measured' || theirs?.status !== 'measured') return [];
    const times = `${formatMs(ours.wall.medianMs)} on one thread, R ${formatMs(theirs.wall.medianMs)}`;
    return [`HDBSCAN* of ${formatCount(n)} points of ${dataset}: ${times}; ${formatFactor(factor)} as fast as R.`];
  });
  if (measured.length === 0) return [];
  const checked = `All ${measured.length} measured runs were compared before their times counted.`;
  return version == null ? [checked, ...beside] : [checked, ...beside, `R’s package dbscan is version ${version}.`];
}
