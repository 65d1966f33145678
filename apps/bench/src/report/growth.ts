import {fitPower, quartilesOf, type Timing} from '@epsball/benchmarks';
import type {SeriesPoint} from './lineChart.ts';
import {powerText} from './verdicts/verdict.ts';

/** Points below this share of the largest n are dominated by fixed costs, and do not count for the power. */
const FITTED_SHARE = 0.02;
const LEAST_POINTS = 3;

/** ` ∝ n¹·⁹³`: the power by which a time grows; empty for fewer than three points. */
export function growthText(points: readonly SeriesPoint[]): string {
  const largest = Math.max(...points.map(({x}) => x));
  const fitted = points.filter(({x}) => x >= largest * FITTED_SHARE);
  const fit = fitted.length < LEAST_POINTS ? null : fitPower(fitted);
  return fit === null ? '' : ` ∝ ${powerText(fit.exponent)}`;
}

/** The middle half of the runs, as ends of an error bar; none for a single run. */
export function spreadOf(timing: Timing): Pick<SeriesPoint, 'low' | 'high'> {
  if (timing.allMs.length < 3) return {};
  const [low, high] = quartilesOf(timing);
  return {low, high};
}
