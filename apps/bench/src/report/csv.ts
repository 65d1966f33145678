import type {Cell} from '@epsball/benchmarks';
import {machineOf, type Report, type Run} from './model.ts';

type Value = string | number | boolean | null;

// One row a cell; the columns, in order, with how each is read.
const COLUMNS: readonly (readonly [name: string, read: (run: Run, cell: Cell) => Value])[] = [
  ['suite', ({result}) => result.suite],
  ['profile', ({result}) => result.profile],
  ['started_at', ({result}) => result.startedAt],
  ['commit', ({result}) => result.commit.hash],
  ['dirty', ({result}) => result.commit.dirty],
  ['machine', (run, cell) => machineOf(run, cell.backend)],
  ['cpu', ({result}) => result.machine.cpu],
  ['adapter', ({result}) => result.adapter?.name ?? null],
  ['adapter_kind', ({result}) => result.adapter?.kind ?? null],
  ['node', ({result}) => result.machine.node],
  ['dataset', (_, cell) => cell.dataset],
  ['n', (_, cell) => cell.n],
  ['dim', (_, cell) => cell.dim],
  ['eps', (_, cell) => cell.eps],
  ['min_pts', (_, cell) => cell.minPts],
  ['variant', (_, cell) => cell.row],
  ['backend', (_, cell) => cell.backend],
  ['threads', (_, cell) => cell.threads],
  ['status', (_, cell) => cell.status],
  ['wall_ms_median', (_, cell) => (cell.status === 'measured' ? cell.wall.medianMs : null)],
  ['wall_ms_min', (_, cell) => (cell.status === 'measured' ? cell.wall.minMs : null)],
  ['wall_spread', (_, cell) => (cell.status === 'measured' ? cell.wall.spread : null)],
  ['repeats', (_, cell) => (cell.status === 'measured' ? cell.wall.allMs.length : null)],
  ['device_ms_median', (_, cell) => (cell.status === 'measured' ? (cell.device?.medianMs ?? null) : null)],
  ['clusters', (_, cell) => (cell.status === 'measured' ? cell.clusterCount : null)],
  ['noise', (_, cell) => (cell.status === 'measured' ? cell.noiseCount : null)],
  ['core', (_, cell) => (cell.status === 'measured' ? cell.coreCount : null)],
  ['host_bytes', (_, cell) => (cell.status === 'measured' ? cell.memory.hostBytes : null)],
  ['device_bytes', (_, cell) => (cell.status === 'measured' ? cell.memory.deviceBytes : null)],
  ['verified_against', (_, cell) => (cell.status === 'measured' ? cell.verifiedAgainst.join(' ') : null)],
  ['dataset_hash', (_, cell) => (cell.status === 'measured' ? cell.datasetHash : null)],
  ['labels_hash', (_, cell) => (cell.status === 'measured' ? cell.labelsHash : null)],
  ['message', (_, cell) => (cell.status === 'failed' ? cell.error : cell.status === 'leftOut' ? cell.reason : null)],
];

/** Every cell of every run as one CSV table (RFC 4180). */
export function renderCsv(report: Report): string {
  const rows = report.runs.flatMap((run) =>
    run.result.cells.map((cell) => COLUMNS.map(([, read]) => quote(read(run, cell)))),
  );
  return [COLUMNS.map(([name]) => name), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function quote(value: Value): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
