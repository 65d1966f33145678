import type {ResultFileOf, SuiteKind} from '@epsball/benchmarks';
import type {CsvRow, CsvValue} from './csvRow.ts';
import {escapeCsv} from './escape.ts';
import {kinds} from '../suite/kinds.ts';
import type {Report} from './model.ts';
import type {Run, SectionOf} from './run.ts';

// The columns that all cells of a run share, in order, and how each is read.
const RUN_COLUMNS: readonly (readonly [name: string, read: (run: Run<ResultFileOf<SuiteKind>>) => CsvValue])[] = [
  ['suite', ({result}) => result.suite],
  ['profile', ({result}) => result.profile],
  ['started_at', ({result}) => result.startedAt],
  ['commit', ({result}) => result.commit.hash],
  ['dirty', ({result}) => result.commit.dirty],
  ['cpu', ({result}) => result.machine.cpu],
  ['adapter', ({result}) => result.adapter?.name ?? null],
  ['adapter_kind', ({result}) => result.adapter?.kind ?? null],
  ['node', ({result}) => result.machine.node],
];

/** Every cell of every run as one CSV table (RFC 4180), with the columns of every kind of cell that occurs. */
export function renderCsv(report: Report): string {
  const rows = report.sections.flatMap(rowsOf);
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
  const lines = rows.map((row) => {
    const values = new Map(row);
    return names.map((name) => escapeCsv(values.get(name) ?? null));
  });
  return [names.map(escapeCsv), ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

function rowsOf<Kind extends SuiteKind>({kind, runs}: SectionOf<Kind>): CsvRow[] {
  return runs.flatMap((run) => kinds[kind].csvRows(run).map((row) => [...runValues(run), ...row]));
}

function runValues(run: Run<ResultFileOf<SuiteKind>>): CsvRow {
  return RUN_COLUMNS.map(([name, read]) => [name, read(run)]);
}
