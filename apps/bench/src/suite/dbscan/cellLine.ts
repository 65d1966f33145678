import {nameSubject, type DbscanCell} from '@epsball/benchmarks';
import {formatCount, formatMs, formatPercent} from '@epsball/cli/command';

/** One line of progress for a finished cell. */
export function describeCellLine(cell: DbscanCell): string {
  const [generator] = cell.dataset.split(':', 1);
  const {n, dim, eps, minPts} = cell;
  const place = `n = ${formatCount(n)}  dim = ${dim}  eps = ${eps}  minPts = ${minPts}`;
  const name = `${generator}  ${place}  ${nameSubject(cell).padEnd(22)}`;
  if (cell.status === 'leftOut') return `${name}  left out: ${cell.reason}`;
  if (cell.status === 'failed') return `${name}  FAILED: ${cell.error}`;
  const device = cell.device === null ? '' : `, device ${formatMs(cell.device.medianMs)}`;
  const spread = cell.wall.allMs.length > 1 ? ` ±${formatPercent(cell.wall.spread / 2)}` : '';
  return `${name}  ${formatMs(cell.wall.medianMs)}${spread}${device}  ${formatCount(cell.clusterCount)} clusters  labels verified`;
}
