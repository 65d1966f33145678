import {runsOnGpu, type MeanShiftCell} from '@epsball/benchmarks';
import type {CsvRow, CsvValue} from '../csvRow.ts';
import type {MeanShiftRun} from './section.ts';

// The columns of a cell, in order, and how each is read.
const COLUMNS: readonly (readonly [name: string, read: (cell: MeanShiftCell) => CsvValue])[] = [
  ['method', (cell) => cell.method],
  ['n', (cell) => cell.n],
  ['threads', (cell) => cell.threads],
  ['tile_width', (cell) => cell.tileWidth],
  ['status', (cell) => cell.status],
  ['wall_ms_median', (cell) => (cell.status === 'measured' ? cell.wall.medianMs : null)],
  ['wall_ms_min', (cell) => (cell.status === 'measured' ? cell.wall.minMs : null)],
  ['wall_spread', (cell) => (cell.status === 'measured' ? cell.wall.spread : null)],
  ['estimated_ms', (cell) => (cell.status === 'estimated' ? cell.ms : null)],
  ['device_ms_median', (cell) => (cell.status === 'measured' ? (cell.device?.medianMs ?? null) : null)],
  ['iterations', (cell) => (cell.status === 'measured' ? cell.iterations : null)],
  ['clusters', (cell) => (cell.status === 'measured' ? cell.clusters : null)],
  ['error_bandwidths', (cell) => (cell.status === 'measured' ? cell.error : null)],
  ['verified', (cell) => (cell.status === 'measured' ? cell.verified : null)],
  ['message', messageOf],
];

/** One row a cell. */
export function meanShiftRows({result}: MeanShiftRun): CsvRow[] {
  const {machine, adapter} = result;
  return result.cells.map((cell) => [
    ['machine', runsOnGpu(cell.method) ? (adapter?.name ?? 'no adapter') : machine.cpu],
    ...COLUMNS.map(([name, read]) => [name, read(cell)] as const),
  ]);
}

function messageOf(cell: MeanShiftCell): string | null {
  switch (cell.status) {
    case 'failed':
      return cell.error;
    case 'leftOut':
      return cell.reason;
    case 'estimated':
      return cell.fit;
    default:
      return null;
  }
}
