import type {PrimitiveCell} from '@epsball/benchmarks';
import type {CsvRow, CsvValue} from '../csvRow.ts';
import {rateOf, type PrimitiveRun} from './section.ts';

// The columns of a cell, in order, and how each is read.
const COLUMNS: readonly (readonly [name: string, read: (cell: PrimitiveCell) => CsvValue])[] = [
  ['operation', (cell) => cell.operation],
  ['element', (cell) => cell.element],
  ['count', (cell) => cell.count],
  ['implementation', (cell) => cell.implementation],
  ['status', (cell) => cell.status],
  ['device_ms_median', (cell) => (cell.status === 'measured' ? (cell.device?.medianMs ?? null) : null)],
  ['device_ms_min', (cell) => (cell.status === 'measured' ? (cell.device?.minMs ?? null) : null)],
  ['device_spread', (cell) => (cell.status === 'measured' ? (cell.device?.spread ?? null) : null)],
  ['device_repeats', (cell) => (cell.status === 'measured' ? (cell.device?.allMs.length ?? null) : null)],
  ['batch', (cell) => (cell.status === 'measured' ? cell.batch : null)],
  ['bytes', (cell) => (cell.status === 'measured' ? cell.bytes : null)],
  ['device_gb_per_s', (cell) => (cell.status === 'measured' ? rateOf(cell) : null)],
  ['wall_ms_median', (cell) => (cell.status === 'measured' ? (cell.wall?.medianMs ?? null) : null)],
  ['wall_ms_min', (cell) => (cell.status === 'measured' ? (cell.wall?.minMs ?? null) : null)],
  ['wall_spread', (cell) => (cell.status === 'measured' ? (cell.wall?.spread ?? null) : null)],
  ['verified', (cell) => (cell.status === 'measured' ? cell.verified : null)],
  ['message', (cell) => (cell.status === 'failed' ? cell.error : cell.status === 'leftOut' ? cell.reason : null)],
];

/** One row a cell. */
export function primitiveRows({result}: PrimitiveRun): CsvRow[] {
  const {machine, adapter} = result;
  return result.cells.map((cell) => [
    ['machine', cell.implementation === 'javascript' ? machine.cpu : (adapter?.name ?? 'no adapter')],
    ...COLUMNS.map(([name, read]) => [name, read(cell)] as const),
  ]);
}
