import {
  fitPower,
  isOurs,
  suites,
  USUAL_TILE,
  type MeanShiftCell,
  type MeanShiftMethod,
  type MeanShiftSuite,
} from '@epsball/benchmarks';
import {formatFactor, formatMs} from '@epsball/cli/command';
import {timeOf, type Time} from '../meanShift/section.ts';
import type {Evidence} from './evidence.ts';
import {holdsIf, powerText, sizeText, type Judge} from './verdict.ts';

/** With fewer points fixed costs dominate. */
const FIT_FROM = 1000;

export const meanShiftJudges = {
  'ms-fig-threads': (evidence) => {
    const {threads, profiles} = suite();
    for (const n of profiles.full.sizes.toReversed()) {
      const base = find(evidence, 'sequential', n);
      const times = threads.flatMap((count) => {
        const cell = find(evidence, 'workers', n, count);
        return cell?.status === 'measured' ? [{count, ms: cell.wall.medianMs}] : [];
      });
      if (base?.status !== 'measured' || times.length < 2) continue;
      const grows = times.every(({ms}, k) => k === 0 || ms < times[k - 1].ms);
      const best = times.reduce((one, other) => (other.ms < one.ms ? other : one));
      const factor = formatFactor(base.wall.medianMs / best.ms);
      return holdsIf(grows, `${factor} on ${best.count} threads, ${sizeText(n)} points`);
    }
    return null;
  },
  'ms-fig-tile': (evidence) => {
    const tiles = tilesOf(evidence);
    if (tiles.length < 2) return null;
    const slowest = tiles.reduce((one, other) => (other.ms > one.ms ? other : one));
    return holdsIf(slowest.width === 16, `slowest at ${slowest.width}: ${formatMs(slowest.ms)}`);
  },
  'ms-tab-tile': (evidence) => {
    const tiles = tilesOf(evidence);
    if (tiles.length === 0) return null;
    const {published} = suite();
    const isShorter = tiles.every(({width, ms}) => ms <= (published.find((one) => one.tileWidth === width)?.ms ?? 0));
    const times = tiles.map(({ms}) => ms);
    return holdsIf(isShorter, `${formatMs(Math.min(...times))} to ${formatMs(Math.max(...times))}`);
  },
  'ms-tab-naive': (evidence) => {
    const factors = factorsOf(evidence, 'naive', 'tiled');
    return factors.length === 0
      ? null
      : holdsIf(
          factors.every(({ours}) => ours >= 1),
          `naive/tiling ${rangeOf(factors)}`,
        );
  },
  'ms-tab-seq': (evidence) => compared(factorsOf(evidence, 'sequential', 'tiled'), 'tiling'),
  'ms-tab-global': (evidence) => {
    const tiled = factorsOf(evidence, 'sequential', 'tiled');
    const workers = factorsOf(evidence, 'sequential', 'workers');
    if (tiled.length === 0 || workers.length === 0) return null;
    const holds = [...tiled, ...workers].every(({ours, document}) => ours >= document);
    return holdsIf(holds, `threads ${rangeOf(workers)}; tiling ${rangeOf(tiled)}`);
  },
  'ms-c-complexity': (evidence) => {
    const points = suite().profiles.full.sizes.flatMap((n) => {
      const cell = find(evidence, 'sequential', n);
      return cell?.status === 'measured' && n >= FIT_FROM ? [{x: n, y: cell.wall.medianMs}] : [];
    });
    const fit = fitPower(points);
    return fit === null ? null : holdsIf(fit.exponent >= 1.8 && fit.exponent <= 2.2, powerText(fit.exponent));
  },
  'ms-c-conclusions': (evidence) => {
    const tiled = factorsOf(evidence, 'sequential', 'tiled');
    const workers = factorsOf(evidence, 'sequential', 'workers');
    if (tiled.length === 0 || workers.length === 0) return null;
    const isGreatest = tiled.every(({n, ours}) => ours >= (workers.find((one) => one.n === n)?.ours ?? 0));
    return holdsIf(isGreatest, `threads ${rangeOf(workers)}; tiling ${rangeOf(tiled)}`);
  },
} satisfies Record<string, Judge>;

interface FactorAt {
  readonly n: number;
  readonly ours: number;
  readonly document: number;
  readonly isEstimated: boolean;
}

/** Our factors at every size, with the document's; of worker threads the best number. */
function factorsOf(evidence: Evidence, over: MeanShiftMethod, method: MeanShiftMethod): FactorAt[] {
  const {profiles, publishedFactors} = suite();
  return profiles.full.sizes.flatMap((n) => {
    const [above, below] = [shortestTime(evidence, over, n), shortestTime(evidence, method, n)];
    const printed = publishedFactors.find((one) => one.over === over && one.method === method && one.n === n)?.printed;
    if (above === null || below === null || below.ms === 0) return [];
    return [
      {
        n,
        ours: above.ms / below.ms,
        document: Number.parseFloat(printed?.replace('† ', '') ?? '0'),
        isEstimated: above.isEstimated || below.isEstimated,
      },
    ];
  });
}

function shortestTime(evidence: Evidence, method: MeanShiftMethod, n: number): Time | null {
  const times = evidence
    .meanShift()
    .filter((cell) => cell.method === method && cell.n === n && isUsualTile(cell) && !isOurs(cell.method))
    .flatMap((cell) => timeOf(cell) ?? []);
  return times.length === 0 ? null : times.reduce((one, other) => (other.ms < one.ms ? other : one));
}

function compared(factors: readonly FactorAt[], what: string): ReturnType<Judge> {
  if (factors.length === 0) return null;
  return holdsIf(
    factors.every(({ours, document}) => ours >= document),
    `${what} ${rangeOf(factors)}`,
  );
}

function rangeOf(factors: readonly FactorAt[]): string {
  const sorted = [...factors].sort((a, b) => a.ours - b.ours);
  const ends = [sorted[0], sorted.at(-1)].filter((one) => one !== undefined);
  return [...new Set(ends.map(({ours, isEstimated}) => `${isEstimated ? '†\u00A0' : ''}${formatFactor(ours)}`))].join(
    ' to ',
  );
}

function tilesOf(evidence: Evidence): {width: number; ms: number}[] {
  const {tileWidths, tileSweepN} = suite();
  return tileWidths.flatMap((width) => {
    const cell = evidence
      .meanShift()
      .find((one) => one.method === 'tiled' && one.n === tileSweepN && one.tileWidth === width);
    return cell?.status === 'measured' ? [{width, ms: cell.wall.medianMs}] : [];
  });
}

function find(evidence: Evidence, method: MeanShiftMethod, n: number, threads = 1): MeanShiftCell | undefined {
  return evidence.meanShift().find((cell) => cell.method === method && cell.n === n && cell.threads === threads);
}

function isUsualTile({tileWidth}: MeanShiftCell): boolean {
  return tileWidth === null || tileWidth === USUAL_TILE;
}

function suite(): MeanShiftSuite {
  const found = suites.find((one) => one.kind === 'mean-shift');
  if (found === undefined) throw new Error('no suite of mean shift');
  return found;
}
