import type {Adapter} from '../machine.ts';
import {nameSubject} from './plan.ts';
import type {DbscanCell, MeasuredDbscanCell} from './result.ts';
import type {DbscanSuite, MemoryLimits} from './suite.ts';

/**
 * Whether the host memory of a cell is held against the limit: not in small runs, and not on a software adapter, which
 * keeps device memory in the process.
 */
export function isHostCounted(cell: MeasuredDbscanCell, adapter: Adapter | null, limits: MemoryLimits): boolean {
  return cell.n >= limits.hostFromPoints && (cell.backend !== 'gpu' || adapter?.kind === 'hardware');
}

/**
 * Failed cells, and cells that exceed the suite's limits on memory, one sentence each.
 */
export function brokenPromises(
  suite: DbscanSuite,
  {cells, adapter}: {readonly cells: readonly DbscanCell[]; readonly adapter: Adapter | null},
): string[] {
  return cells.flatMap((cell): string[] => {
    const name = `${suite.id}: ${nameSubject(cell)} on ${cell.dataset}, eps = ${cell.eps}`;
    if (cell.status === 'failed') return [`${name}: ${cell.error}`];
    if (cell.status !== 'measured' || suite.memoryLimits?.rows.includes(cell.row) !== true) return [];
    return exceededMemory(cell, adapter, suite.memoryLimits).map((what) => `${name}: ${what}`);
  });
}

function exceededMemory(cell: MeasuredDbscanCell, adapter: Adapter | null, limits: MemoryLimits): string[] {
  const {hostBytesPerPoint: host, deviceBytesPerPoint: device} = cell.memory;
  const exceeded: string[] = [];
  if (isHostCounted(cell, adapter, limits) && host !== null && host > limits.hostBytesPerPoint) {
    exceeded.push(`${host.toFixed(1)} host bytes a point; allowed ${limits.hostBytesPerPoint}`);
  }
  if (device !== null && device > limits.deviceBytesPerPoint) {
    exceeded.push(`${device.toFixed(1)} device bytes a point; allowed ${limits.deviceBytesPerPoint}`);
  }
  return exceeded;
}
