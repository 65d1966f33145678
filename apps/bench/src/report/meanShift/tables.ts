import {isOurs, type MeanShiftCell} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {
  bad,
  faint,
  fromDocument,
  numberColumn,
  plain,
  textColumn,
  type Column,
  type Table,
  type TableCell,
  type TitledTable,
} from '../table.ts';
import {
  bestThreads,
  factorOf,
  figureOf,
  findCell,
  NAIVE,
  onThreads,
  SEQUENTIAL,
  sizesOf,
  TILED,
  timeOf,
  type MeanShiftRun,
  type MeanShiftSection,
  type Time,
} from './section.ts';

/** The document's tables and figures with our numbers beside them, and tables of ours alone. */
export function tablesOf(section: MeanShiftSection): TitledTable[] {
  return section.runs.flatMap((run) => {
    const suffix = section.runs.length > 1 ? ` · ${run.letter}` : '';
    const tables: TitledTable[] = [
      {
        title: 'Worker threads: time, and speed-up over one thread of the sequential version',
        table: threadTable(section, run),
      },
      {title: `TILE_WIDTH at ${formatCount(section.suite.tileSweepN)} points`, table: tileTable(section, run)},
      {title: 'Naive against tiling', table: pairTable(section, run, 'naive')},
      {title: 'Sequential against tiling', table: pairTable(section, run, 'sequential')},
      {title: 'Global comparison', table: globalTable(section, run)},
      {title: 'Ours: points to labels, with a cut and convergence', table: oursTable(run)},
    ];
    return tables.filter(({table}) => table.rows.length > 0).map(({title, table}) => ({title: title + suffix, table}));
  });
}

export function threadTable(section: MeanShiftSection, run: MeanShiftRun): Table {
  const {threads} = section.suite;
  const columns = [
    numberColumn('points'),
    numberColumn('sequential'),
    ...threads.map((count) => numberColumn(count === 1 ? '1 thread' : `${count} threads`)),
    numberColumn('document: best speed-up'),
  ];
  const rows = sizesOf(section).map((n) => {
    const base = timeOf(findCell(run, SEQUENTIAL, n));
    return [
      plain(formatCount(n)),
      timeCell(findCell(run, SEQUENTIAL, n)),
      ...threads.map((count) => {
        const cell = findCell(run, onThreads(count), n);
        const factor = quotient(base, timeOf(cell));
        return {...timeCell(cell), ...(factor === null ? {} : {note: factorText(factor)})};
      }),
      documentCell(factorOf(section, 'sequential', 'workers', n)),
    ];
  });
  return {columns, rows};
}

export function tileTable(section: MeanShiftSection, run: MeanShiftRun): Table {
  const n = section.suite.tileSweepN;
  return {
    columns: [numberColumn('TILE_WIDTH'), numberColumn('ours'), numberColumn('document')],
    rows: section.suite.tileWidths.map((width) => [
      plain(String(width)),
      timeCell(findCell(run, {...TILED, tileWidth: width}, n)),
      documentCell(figureOf(section, 'tiled', n, width)),
    ]),
  };
}

/** A version against tiling: two times and their quotient, ours and the document's. */
export function pairTable(section: MeanShiftSection, run: MeanShiftRun, method: 'naive' | 'sequential'): Table {
  const subject = method === 'naive' ? NAIVE : SEQUENTIAL;
  const titles = [method, 'tiling', 'speed-up'];
  const rows = sizesOf(section).map((n) => {
    const [one, tiled] = [findCell(run, subject, n), findCell(run, TILED, n)];
    return [
      plain(formatCount(n)),
      timeCell(one),
      timeCell(tiled),
      factorCell(quotient(timeOf(one), timeOf(tiled))),
      documentCell(figureOf(section, method, n)),
      documentCell(figureOf(section, 'tiled', n)),
      documentCell(factorOf(section, method, 'tiled', n)),
    ];
  });
  return {columns: withDocument(titles), rows};
}

export function globalTable(section: MeanShiftSection, run: MeanShiftRun): Table {
  const titles = ['sequential', 'threads', 'speed-up', 'tiling', 'speed-up'];
  const rows = sizesOf(section).map((n) => {
    const base = timeOf(findCell(run, SEQUENTIAL, n));
    const best = bestThreads(section, run, n);
    const tiled = findCell(run, TILED, n);
    return [
      plain(formatCount(n)),
      timeCell(findCell(run, SEQUENTIAL, n)),
      best === null
        ? faint('–')
        : {...plain(timeText(best.time)), note: best.threads === 1 ? 'on 1 thread' : `on ${best.threads}`},
      factorCell(quotient(base, best?.time ?? null)),
      timeCell(tiled),
      factorCell(quotient(base, timeOf(tiled))),
      documentCell(figureOf(section, 'sequential', n)),
      documentCell(figureOf(section, 'workers', n)),
      documentCell(factorOf(section, 'sequential', 'workers', n)),
      documentCell(figureOf(section, 'tiled', n)),
      documentCell(factorOf(section, 'sequential', 'tiled', n)),
    ];
  });
  return {columns: withDocument(titles), rows};
}

function oursTable({result}: MeanShiftRun): Table {
  const columns = [
    textColumn('backend'),
    ...['points', 'time', 'device', 'steps', 'clusters', 'a whole step further, bandwidths'].map(numberColumn),
  ];
  const rows = result.cells
    .filter(({method}) => isOurs(method))
    .map((cell) => [
      plain(cell.method.slice('ours-'.length), cell.threads > 1 ? `on ${cell.threads} threads` : undefined),
      plain(formatCount(cell.n)),
      timeCell(cell),
      ...(cell.status === 'measured'
        ? [
            cell.device === null ? faint('–') : plain(formatMs(cell.device.medianMs)),
            plain(formatCount(cell.iterations)),
            plain(formatCount(cell.clusters ?? 0)),
            plain(cell.error.toExponential(1)),
          ]
        : [faint('–'), faint('–'), faint('–'), faint('–')]),
    ]);
  return {columns, rows};
}

function withDocument(titles: readonly string[]): Column[] {
  return [
    numberColumn('points'),
    ...titles.map(numberColumn),
    ...titles.map((title) => numberColumn(`document: ${title}`)),
  ];
}

/** A whole run's time; below it the spread, or the device's part. */
function timeCell(cell: MeanShiftCell | undefined): TableCell {
  if (cell?.status === 'failed') return bad('failed');
  const time = timeOf(cell);
  if (time === null) return faint(cell?.status === 'leftOut' ? 'left out' : '–');
  if (cell?.status !== 'measured') return plain(timeText(time));
  const spread = cell.wall.allMs.length > 1 ? `±${formatPercent(cell.wall.spread / 2)}` : undefined;
  return plain(timeText(time), cell.device === null ? spread : `device ${formatMs(cell.device.medianMs)}`);
}

function quotient(above: Time | null, below: Time | null): Time | null {
  if (above === null || below === null || below.ms === 0) return null;
  return {ms: above.ms / below.ms, isEstimated: above.isEstimated || below.isEstimated};
}

function factorCell(factor: Time | null): TableCell {
  return factor === null ? faint('–') : plain(factorText(factor));
}

function documentCell(printed: string | null): TableCell {
  return printed === null ? faint('–') : fromDocument(printed);
}

function timeText({ms, isEstimated}: Time): string {
  return `${isEstimated ? '† ' : ''}${formatMs(ms)}`;
}

function factorText({ms, isEstimated}: Time): string {
  return `${isEstimated ? '† ' : ''}${formatFactor(ms)}`;
}
