import {exponentOf, roundTo} from '../text.ts';

/** Positions of the marks of an axis, and their labels. */
export interface Ticks {
  readonly values: readonly number[];
  readonly labels: readonly string[];
}

/**
 * Round numbers (1, 2 or 5 times a power of ten) inside a range.
 *
 * @param wanted  number of marks; the result has between half and twice as many
 */
export function niceTicks(min: number, max: number, wanted: number): Ticks {
  const span = max - min;
  // Subnormal powers of ten are inexact.
  if (!(span > 1e-300) || !Number.isFinite(span))
    return {values: [min], labels: [withMinus(String(Number(min.toPrecision(12))))]};
  const rough = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(min / step);
  const last = Math.floor(max / step);
  // Counting steps avoids the rounding errors of a sum.
  const values = Array.from({length: Math.max(0, last - first) + 1}, (_, i) => (first + i) * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const isPlain = decimals <= 6 && Math.max(Math.abs(min), Math.abs(max)) < 1e9;
  // As many digits as tell two marks apart.
  const lastDigit = exponentOf(step);
  const labels = values.map((value) =>
    isPlain ? withDecimals(value, decimals) : withMinus(roundTo(value, lastDigit)),
  );
  return {values, labels};
}

function withDecimals(value: number, decimals: number): string {
  return value
    .toLocaleString('en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals})
    .replace('-', '−');
}

function withMinus(number: string): string {
  return number.replace('-', '−').replace('e−', 'e-');
}
