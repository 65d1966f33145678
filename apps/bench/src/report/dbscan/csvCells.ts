import type {DbscanCell} from '@epsball/benchmarks';
import type {CsvRow, CsvValue} from '../csvRow.ts';
import {machineOf, type DbscanRun} from './section.ts';

// The columns of a cell, in order, and how each is read.
const COLUMNS: readonly (readonly [name: string, read: (cell: DbscanCell) => CsvValue])[] = [
  ['dataset', (cell) => cell.dataset],
  ['n', (cell) => cell.n],
  ['dim', (cell) => cell.dim],
  ['eps', (cell) => cell.eps],
  ['min_pts', (cell) => cell.minPts],
  ['variant', (cell) => cell.row],
  ['backend', (cell) => cell.backend],
  ['threads', (cell) => cell.threads],
  ['options', (cell) => describeOptions(cell.options)],
  ['status', (cell) => cell.status],
  ['wall_ms_median', (cell) => (cell.status === 'measured' ? cell.wall.medianMs : null)],
  ['wall_ms_min', (cell) => (cell.status === 'measured' ? cell.wall.minMs : null)],
  ['wall_spread', (cell) => (cell.status === 'measured' ? cell.wall.spread : null)],
  ['repeats', (cell) => (cell.status === 'measured' ? cell.wall.allMs.length : null)],
  ['device_ms_median', (cell) => (cell.status === 'measured' ? (cell.device?.medianMs ?? null) : null)],
  ['clusters', (cell) => (cell.status === 'measured' ? cell.clusterCount : null)],
  ['noise', (cell) => (cell.status === 'measured' ? cell.noiseCount : null)],
  ['core', (cell) => (cell.status === 'measured' ? cell.coreCount : null)],
  ['host_bytes', (cell) => (cell.status === 'measured' ? cell.memory.hostBytes : null)],
  ['device_bytes', (cell) => (cell.status === 'measured' ? cell.memory.deviceBytes : null)],
  ['verified_against', (cell) => (cell.status === 'measured' ? cell.verifiedAgainst.join(' ') : null)],
  ['dataset_hash', (cell) => (cell.status === 'measured' ? cell.datasetHash : null)],
  ['labels_hash', (cell) => (cell.status === 'measured' ? cell.labelsHash : null)],
  ['message', (cell) => (cell.status === 'failed' ? cell.error : cell.status === 'leftOut' ? cell.reason : null)],
];

/** `index=none union=lock`, or nothing. */
function describeOptions(options: DbscanCell['options']): CsvValue {
  const words = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  return words.length === 0 ? null : words.join(' ');
}

/** One row a cell. */
export function dbscanRows(run: DbscanRun): CsvRow[] {
  return run.result.cells.map((cell) => [
    ['machine', machineOf(run, cell.backend)],
    ...COLUMNS.map(([name, read]) => [name, read(cell)] as const),
  ]);
}
