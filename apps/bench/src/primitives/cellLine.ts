import type {PrimitiveCell} from '@epsball/benchmarks';
import {formatCount, formatMs, formatPercent} from '@epsball/cli/command';
import {formatRate} from './text.ts';

/** One line of progress for a finished cell. */
export function describePrimitiveLine(cell: PrimitiveCell): string {
  const {operation, implementation, count} = cell;
  const name = `${operation.padEnd(22)}  ${implementation.padEnd(10)}  ${formatCount(count).padStart(11)}`;
  if (cell.status === 'leftOut') return `${name}  left out: ${cell.reason}`;
  if (cell.status === 'failed') return `${name}  FAILED: ${cell.error}`;
  const timing = cell.device ?? cell.wall;
  if (timing === null) return `${name}  no timestamps`;
  const calls = cell.device === null || cell.wall === null ? '' : `, ${formatMs(cell.wall.medianMs)} with transfers`;
  const rate = `${formatRate(cell.bytes / timing.medianMs / 1e6)} GB/s`;
  return `${name}  ${formatMs(timing.medianMs)} ±${formatPercent(timing.spread / 2)}  ${rate}${calls}`;
}
