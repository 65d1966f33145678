import {nameMeanShift, type MeanShiftCell} from '@epsball/benchmarks';
import {formatMs, formatPercent} from '@epsball/cli/command';

/** One line of progress for a finished cell. */
export function describeMeanShiftLine(cell: MeanShiftCell): string {
  const name = nameMeanShift(cell).padEnd(34);
  switch (cell.status) {
    case 'leftOut':
      return `${name}  left out: ${cell.reason}`;
    case 'failed':
      return `${name}  FAILED: ${cell.error}`;
    case 'estimated':
      return `${name}  † ${formatMs(cell.ms)}`;
    default: {
      const device = cell.device === null ? '' : `, device ${formatMs(cell.device.medianMs)}`;
      const spread = cell.wall.allMs.length > 1 ? ` ±${formatPercent(cell.wall.spread / 2)}` : '';
      return `${name}  ${formatMs(cell.wall.medianMs)}${spread}${device}  verified`;
    }
  }
}
