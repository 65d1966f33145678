import {nameSubject, type DbscanCell, type MeasuredDbscanCell} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';

const BAR_WIDTH = 10;
/** Factors of a thousand and more fill the bar. */
const BAR_DECADES = 3;

/**
 * One line of progress for a finished cell.
 *
 * @param reference  of the same workload, if it has a time: the line then has a bar and a factor
 */
export function describeCellLine(cell: DbscanCell, reference?: DbscanCell): string {
  const [generator] = cell.dataset.split(':', 1);
  const {n, dim, eps, minPts} = cell;
  const place = `n = ${formatCount(n)}  dim = ${dim}  eps = ${eps}  minPts = ${minPts}`;
  const name = `${generator}  ${place}  ${nameSubject(cell).padEnd(22)}`;
  if (cell.status === 'leftOut') return `${name}  left out: ${cell.reason}`;
  if (cell.status === 'failed') return `${name}  FAILED: ${cell.error}`;
  const device = cell.device === null ? '' : `, device ${formatMs(cell.device.medianMs)}`;
  const spread = cell.wall.allMs.length > 1 ? ` ±${formatPercent(cell.wall.spread / 2)}` : '';
  return `${name}  ${formatMs(cell.wall.medianMs)}${spread}${device}  ${formatCount(cell.clusterCount)} clusters  labels verified${factorText(cell, reference)}`;
}

/** `  ▇▇▇▇▇▇      46.0×`: how many times as fast as the reference, on a logarithmic bar. */
function factorText(cell: MeasuredDbscanCell, reference: DbscanCell | undefined): string {
  if (reference?.status !== 'measured' || nameSubject(reference) === nameSubject(cell)) return '';
  const factor = reference.wall.medianMs / cell.wall.medianMs;
  const length = Math.round((Math.log10(Math.max(1, factor)) / BAR_DECADES) * BAR_WIDTH);
  return `  ${'▇'.repeat(Math.min(BAR_WIDTH, length)).padEnd(BAR_WIDTH)}  ${formatFactor(factor)}`;
}
