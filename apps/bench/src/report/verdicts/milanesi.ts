import {fitExponential, fitPower, REFERENCE, type MeasuredDbscanCell, type Subject} from '@epsball/benchmarks';
import {formatCount, formatMs, formatPercent} from '@epsball/cli/command';
import type {Evidence, Factor} from './evidence.ts';
import {factorText, holdsIf, powerText, rangeText, sizeText, type Judge} from './verdict.ts';

const SERIAL: Subject = {row: 'grid-bfs', backend: 'sequential'};
const GPU: Subject = {row: 'grid-bfs', backend: 'gpu'};
const ALL = 1_000_000;
const FEW = 100_000;
/** Fixed costs dominate the times of fewer points. */
const FIT_FROM = 10_000;
const ALL_PAIRS: Subject = {...REFERENCE, options: {index: 'none'}};

export const milanesiJudges = {
  'mil-fig1a': (evidence) => {
    const cell = evidence.cells('milanesi').find(({n}) => n === ALL);
    if (cell === undefined) return null;
    return holdsIf(
      cell.noiseCount > 0,
      `${formatCount(cell.n)} points, ${formatPercent(cell.noiseCount / cell.n)} noise`,
    );
  },
  'mil-fig1b': (evidence) => {
    const cell = evidence.cells('milanesi').find(({n}) => n === ALL);
    return cell === undefined ? null : holdsIf(cell.clusterCount === 10, `${cell.clusterCount} clusters`);
  },
  'mil-fig2': (evidence) => {
    const [serial, gpu] = [at(evidence, SERIAL), at(evidence, GPU)];
    if (serial === undefined || gpu === undefined) return null;
    return holdsIf(
      serial.wall.medianMs <= 68_000 && gpu.wall.medianMs <= 1000,
      `${formatMs(serial.wall.medianMs)}; GPU ${formatMs(gpu.wall.medianMs)}`,
    );
  },
  'mil-fig3': speedUpAtAll,
  'mil-c-cpu68': (evidence) => {
    const serial = at(evidence, SERIAL);
    return serial === undefined ? null : holdsIf(serial.wall.medianMs <= 68_000, formatMs(serial.wall.medianMs));
  },
  'mil-c-gpu1': (evidence) => {
    const times = evidence.cellsOf('milanesi', GPU).map(({wall}) => wall.medianMs);
    if (times.length === 0) return null;
    return holdsIf(Math.max(...times) <= 1000, `${formatMs(Math.min(...times))} to ${formatMs(Math.max(...times))}`);
  },
  'mil-c-59x': speedUpAtAll,
  'mil-c-small-n': (evidence) => {
    const factors = evidence.factors('milanesi', GPU, SERIAL);
    const all = factors.find(({cell}) => cell.n === ALL);
    const few = factors.filter(({cell}) => cell.n < FEW);
    if (all === undefined || few.length === 0) return null;
    const isSmall = few.every(({factor}) => factor <= all.factor / 2);
    return holdsIf(isSmall, `${rangeText(few)} below 100k, ${factorText(all)} at ${sizeText(ALL)}`);
  },
  'mil-c-growth': (evidence) => {
    const serial = pointsOf(evidence.cellsOf('milanesi', SERIAL));
    const gpu = fitPower(pointsOf(evidence.cellsOf('milanesi', GPU)));
    const factors = evidence.factors('milanesi', GPU, SERIAL).filter(({cell}) => cell.n >= FIT_FROM);
    const speedUp = fitPower(factors.map(({cell, factor}: Factor) => ({x: cell.n, y: factor})));
    const power = fitPower(serial);
    const exponential = fitExponential(serial);
    if (gpu === null || speedUp === null || power === null || exponential === null) return null;
    const isLinear = (exponent: number): boolean => exponent >= 0.8 && exponent <= 1.2;
    return holdsIf(
      exponential.error < power.error && isLinear(gpu.exponent) && isLinear(speedUp.exponent),
      `serial ${powerText(power.exponent)}, GPU ${powerText(gpu.exponent)}, speed-up ${powerText(speedUp.exponent)}`,
    );
  },
  'mil-c-complexity': sequentialPower,
} satisfies Record<string, Judge>;

/** The power by which the sequential time grows that compares all pairs. */
export function sequentialPower(evidence: Evidence): ReturnType<Judge> {
  const fit = fitPower(pointsOf(evidence.cellsOf('dclust-none', ALL_PAIRS), 0));
  return fit === null ? null : holdsIf(fit.exponent >= 1.8 && fit.exponent <= 2.2, powerText(fit.exponent));
}

function speedUpAtAll(evidence: Evidence): ReturnType<Judge> {
  const one = evidence.factors('milanesi', GPU, SERIAL).find(({cell}) => cell.n === ALL);
  return one === undefined ? null : holdsIf(one.factor >= 59, factorText(one));
}

function at(evidence: Evidence, subject: Subject): MeasuredDbscanCell | undefined {
  return evidence.cellsOf('milanesi', subject).find(({n}) => n === ALL);
}

function pointsOf(cells: readonly MeasuredDbscanCell[], from = FIT_FROM): {x: number; y: number}[] {
  return cells.filter(({n}) => n >= from).map(({n, wall}) => ({x: n, y: wall.medianMs}));
}
