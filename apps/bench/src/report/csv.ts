import type {Cell, ResultFile} from '@epsball/benchmarks';
import {escapeCsv} from './escape.ts';

type Value = string | number | boolean | null;
type Column = readonly [name: string, read: (cell: Cell, result: ResultFile) => Value];

const words = (record: Readonly<Record<string, string | number>>): Value => {
  const texts = Object.entries(record).map(([name, value]) => `${name}=${value}`);
  return texts.length === 0 ? null : texts.join(' ');
};
/** A column of measured cells; other cells leave it empty. */
const measured = (name: string, read: (cell: Extract<Cell, {status: 'measured'}>) => Value): Column => [
  name,
  (cell) => (cell.status === 'measured' ? read(cell) : null),
];

const COLUMNS: readonly Column[] = [
  ['suite', (_, {suite}) => suite],
  ['profile', (_, {profile}) => profile],
  ['started_at', (_, {startedAt}) => startedAt],
  ['commit', (_, {commit}) => commit.hash],
  ['dirty', (_, {commit}) => commit.dirty],
  ['cpu', (_, {machine}) => machine.cpu],
  ['adapter', (_, {adapter}) => adapter?.name ?? null],
  ['adapter_kind', (_, {adapter}) => adapter?.kind ?? null],
  ['node', (_, {machine}) => machine.node],
  ['load_before', (_, {load}) => load?.before ?? null],
  ['load_after', (_, {load}) => load?.after ?? null],
  ['dataset', ({dataset}) => dataset],
  ['n', ({n}) => n],
  ['dim', ({dim}) => dim],
  ['params', ({params}) => words(params)],
  ['variant', ({row}) => row],
  ['backend', ({backend}) => backend],
  ['threads', ({threads}) => threads],
  ['options', ({options}) => words(options)],
  ['status', ({status}) => status],
  measured('wall_ms_median', ({wall}) => wall?.medianMs ?? null),
  measured('wall_ms_min', ({wall}) => wall?.minMs ?? null),
  measured('wall_spread', ({wall}) => wall?.spread ?? null),
  measured('repeats', ({wall, device}) => (wall ?? device)?.allMs.length ?? null),
  measured('device_ms_median', ({device}) => device?.medianMs ?? null),
  measured('device_ms_min', ({device}) => device?.minMs ?? null),
  ['estimated_ms', (cell) => (cell.status === 'estimated' ? cell.ms : null)],
  measured('clusters', ({clusters}) => clusters),
  measured('noise', ({noise}) => noise),
  measured('host_bytes', ({hostBytes}) => hostBytes),
  measured('device_bytes', ({deviceBytes}) => deviceBytes),
  measured('phases_ms', ({phaseMs}) => words(phaseMs)),
  measured('counters', ({counters}) => words(counters)),
  measured('verified', ({verified}) => verified.join(' ')),
  measured('points_hash', ({points}) => points),
  measured('labels_hash', ({labels}) => labels),
  ['message', (cell) => (cell.status === 'measured' ? null : cell.reason)],
];

/** Every cell of every result as one CSV table (RFC 4180). */
export function renderCsv(results: readonly ResultFile[]): string {
  const rows = results.flatMap((result) => result.cells.map((cell) => COLUMNS.map(([, read]) => read(cell, result))));
  return [COLUMNS.map(([name]) => name), ...rows].map((row) => `${row.map(escapeCsv).join(',')}\r\n`).join('');
}
