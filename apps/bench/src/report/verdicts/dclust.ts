import {
  dclustTable,
  medianOf,
  REFERENCE,
  type DclustTableRow,
  type MeasuredDbscanCell,
  type Subject,
} from '@epsball/benchmarks';
import {formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {partsOf} from '../dbscan/kernelTable.ts';
import {timeWithoutIndex} from '../dbscan/section.ts';
import type {Evidence, Factor} from './evidence.ts';
import {sequentialPower} from './milanesi.ts';
import {factorText, holdsIf, rangeText, sizeText, type Judge} from './verdict.ts';

export const PLAIN_CPU: Subject = {...REFERENCE, options: {index: 'none'}};
export const PLAIN: Subject = {row: 'dclust', backend: 'gpu', options: {index: 'none'}};
export const STAR: Subject = {row: 'dclust', backend: 'gpu', options: {index: 'directory'}};
const STAR_CPU: Subject = {...REFERENCE, options: {index: 'directory'}};
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export const dclustJudges = {
  'dc-fig7a': (evidence) => {
    const factors = evidence.factors('dclust-none', PLAIN, PLAIN_CPU);
    const [few, many] = [atSize(factors, 30_000), atSize(factors, 1_000_000)];
    const times = timesAtMillion(evidence);
    if (few === undefined || many === undefined || times === null) return null;
    return holdsIf(few.factor >= 10 && many.factor >= 15 && times.holds, `${factorText(few)} to ${factorText(many)}`);
  },
  'dc-fig7b': overSizes,
  'dc-fig7c': overMinPts,
  'dc-fig7d': (evidence) => {
    const factors = starFactors(evidence, 'dclust-eps');
    if (factors.length === 0) return null;
    const all = factors.map(({factor}) => factor);
    const isStable = Math.max(...all) <= 1.25 * Math.min(...all);
    return holdsIf(Math.min(...all) >= 9 && isStable, rangeText(factors));
  },
  'dc-fig7e': overDimensions,
  'dc-fig8a': (evidence) => expansionShare(evidence, [520_000]),
  'dc-fig8b': (evidence) => expansionShare(evidence, [4_000_000]),
  'dc-tab1': (evidence) => {
    const rows = indexRows(evidence);
    if (rows.length === 0) return null;
    return holdsIf(
      rows.every(({isShorter}) => isShorter),
      `${sharesText(rows)} of the rest`,
    );
  },
  'dc-c-71': timesAtMillion,
  'dc-c-72': overSizes,
  'dc-c-73': overMinPts,
  'dc-c-74': (evidence) => {
    const factors = starFactors(evidence, 'dclust-eps');
    return factors.length === 0
      ? null
      : holdsIf(
          factors.every(({factor}) => factor >= 9),
          rangeText(factors),
        );
  },
  'dc-c-75': overDimensions,
  'dc-c-76': (evidence) => {
    const rows = indexRows(evidence);
    if (rows.length === 0) return null;
    const holds = rows.every(({share, n}) => share < (n >= 520_000 ? 0.02 : 0.05));
    return holdsIf(holds, sharesText(rows));
  },
  'dc-c-77': (evidence) => expansionShare(evidence, [520_000, 4_000_000]),
  'dc-c-order': (evidence) => {
    const factors = [
      ...evidence.factors('dclust-none', PLAIN, PLAIN_CPU),
      ...['dclust', 'dclust-minpts', 'dclust-eps', 'dclust-dim'].flatMap((suite) => starFactors(evidence, suite)),
    ];
    if (factors.length === 0) return null;
    const middle = medianOf(factors.map(({factor}) => factor));
    return holdsIf(middle >= 10, `${rangeText(factors)}, median ${formatFactor(middle)}`);
  },
  'dc-c-complexity': sequentialPower,
} satisfies Record<string, Judge>;

/** Speed-ups of CUDA-DClust* over the sequential code with the same index. */
export function starFactors(evidence: Evidence, suite: string): Factor[] {
  const withDirectory = evidence.factors(suite, STAR, STAR_CPU);
  // Beyond four dimensions the reference without options takes the directory, too.
  const withDefault = evidence.factors(suite, STAR, REFERENCE).filter(({cell}) => cell.dim > 4);
  return [...withDirectory, ...withDefault.filter(({cell}) => !withDirectory.some((one) => one.cell === cell))];
}

function overSizes(evidence: Evidence): ReturnType<Judge> {
  const factors = starFactors(evidence, 'dclust').filter(({cell}) => cell.n >= 30_000);
  const [few, many] = [atSize(factors, 30_000), atSize(factors, 2_000_000)];
  if (few === undefined || many === undefined) return null;
  const holds = factors.every(({cell, factor}) => factor >= (cell.n > 250_000 ? 10 : 3.5)) && many.factor >= 15;
  return holdsIf(holds, `${factorText(few)} to ${factorText(many)}`);
}

function overMinPts(evidence: Evidence): ReturnType<Judge> {
  const factors = starFactors(evidence, 'dclust-minpts');
  if (factors.length === 0) return null;
  return holdsIf(
    factors.every(({cell, factor}) => factor >= (cell.minPts <= 512 ? 5 : 2)),
    rangeText(factors),
  );
}

function overDimensions(evidence: Evidence): ReturnType<Judge> {
  const factors = starFactors(evidence, 'dclust-dim');
  return factors.length === 0
    ? null
    : holdsIf(
        factors.every(({factor}) => factor >= 7),
        rangeText(factors),
      );
}

function timesAtMillion(evidence: Evidence): ReturnType<Judge> {
  const cpu = evidence.baselineTimes('dclust-none', PLAIN, PLAIN_CPU).find(({n}) => n === 1_000_000)?.time;
  const gpu = evidence.cellsOf('dclust-none', PLAIN).find(({n}) => n === 1_000_000)?.wall.medianMs;
  if (cpu === undefined || gpu === undefined) return null;
  const cpuText = `${cpu.mark === '' ? '' : `${cpu.mark} `}${formatMs(cpu.ms)}`;
  return holdsIf(gpu <= 40 * MINUTE_MS && cpu.ms <= 9 * HOUR_MS, `${formatMs(gpu)}; CPU ${cpuText}`);
}

function expansionShare(evidence: Evidence, sizes: readonly number[]): ReturnType<Judge> {
  const cells = sizes.flatMap(
    (n) => evidence.cells('dclust-kernels').find((cell) => cell.n === n && partsOf(cell).length > 0) ?? [],
  );
  if (cells.length < sizes.length) return null;
  const shares = cells.map((cell) => {
    const parts = partsOf(cell);
    return parts[0].ms / parts.reduce((sum, {ms}) => sum + ms, 0);
  });
  return holdsIf(
    shares.every((share) => share > 0.5),
    shares.map((share, k) => `${formatPercent(share)} at ${sizeText(sizes[k])}`).join(', '),
  );
}

interface IndexRow {
  readonly n: number;
  readonly share: number;
  readonly isShorter: boolean;
}

/** Rows of Table 1 that were measured. */
function indexRows(evidence: Evidence): IndexRow[] {
  return tableRows(evidence).flatMap(({n, indexMs, gpuMs, cell}): IndexRow[] => {
    if (cell === undefined) return [];
    const [ourIndexMs, restMs] = [cell.phaseMs['index'] ?? 0, timeWithoutIndex(cell)];
    return [{n, share: ourIndexMs / restMs, isShorter: ourIndexMs <= indexMs && restMs <= gpuMs}];
  });
}

/** The rows of Table 1, with our cell of the same points and dimensions. */
export function tableRows(evidence: Evidence): (DclustTableRow & {readonly cell: MeasuredDbscanCell | undefined})[] {
  const cells = [...evidence.cellsOf('dclust', STAR), ...evidence.cellsOf('dclust-dim', STAR)];
  return dclustTable.map((row) => ({...row, cell: cells.find(({n, dim}) => n === row.n && dim === row.dim)}));
}

function sharesText(rows: readonly IndexRow[]): string {
  const shares = rows.map(({share}) => share);
  return `${formatPercent(Math.min(...shares))} to ${formatPercent(Math.max(...shares))}`;
}

function atSize(factors: readonly Factor[], n: number): Factor | undefined {
  return factors.find(({cell}) => cell.n === n);
}
