import type {HdbscanCell, HdbscanResultFile} from '@epsball/benchmarks';
import type {CsvRow, CsvValue} from '../csvRow.ts';
import type {Run} from '../run.ts';

// The columns of a cell, in order, and how each is read.
const COLUMNS: readonly (readonly [name: string, read: (cell: HdbscanCell) => CsvValue])[] = [
  ['method', (cell) => cell.method],
  ['dataset', (cell) => cell.dataset],
  ['n', (cell) => cell.n],
  ['status', (cell) => cell.status],
  ['wall_ms_median', (cell) => (cell.status === 'measured' ? cell.wall.medianMs : null)],
  ['wall_ms_min', (cell) => (cell.status === 'measured' ? cell.wall.minMs : null)],
  ['wall_spread', (cell) => (cell.status === 'measured' ? cell.wall.spread : null)],
  ['device_ms_median', (cell) => (cell.status === 'measured' ? (cell.device?.medianMs ?? null) : null)],
  ['clusters', (cell) => (cell.status === 'measured' ? cell.clusters : null)],
  ['verified', (cell) => (cell.status === 'measured' ? cell.verified : null)],
  ['message', (cell) => (cell.status === 'failed' ? cell.error : cell.status === 'leftOut' ? cell.reason : null)],
];

/** One row a cell. */
export function hdbscanRows({result}: Run<HdbscanResultFile>): CsvRow[] {
  const {machine, adapter} = result;
  return result.cells.map((cell) => [
    ['machine', cell.method === 'gpu' ? (adapter?.name ?? 'no adapter') : machine.cpu],
    ...COLUMNS.map(([name, read]) => [name, read(cell)] as const),
  ]);
}
