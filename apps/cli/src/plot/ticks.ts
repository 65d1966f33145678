import {exponentOf, roundTo} from '../text.ts';

export interface Tick {
  readonly value: number;
  readonly label: string;
}

/**
 * Round numbers (1, 2 or 5 times a power of ten) inside a range.
 *
 * @param wanted  number of marks; the result has between half and twice as many
 */
export function niceTicks(min: number, max: number, wanted: number): Tick[] {
  const span = max - min;
  // Subnormal powers of ten are inexact.
  if (!(span > 1e-300) || !Number.isFinite(span))
    return [{value: min, label: withMinus(String(Number(min.toPrecision(12))))}];
  const rough = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(min / step);
  const last = Math.floor(max / step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const isPlain = decimals <= 6 && Math.max(Math.abs(min), Math.abs(max)) < 1e9;
  // As many digits as tell two marks apart.
  const lastDigit = exponentOf(step);
  // Counting steps avoids the rounding errors of a sum.
  return Array.from({length: Math.max(0, last - first) + 1}, (_, i) => {
    const value = (first + i) * step;
    return {value, label: isPlain ? withDecimals(value, decimals) : withMinus(roundTo(value, lastDigit))};
  });
}

/** Marks of a logarithmic axis, about. */
const LOG_TICKS = 9;

/** Round numbers between two powers of ten: powers of ten, or 1, 2 and 5 times these. */
export function logTicks(low: number, high: number): number[] {
  const factors = (high - low) * 3 <= LOG_TICKS ? [1, 2, 5] : [1];
  const step = Math.max(1, Math.ceil((high - low) / LOG_TICKS));
  const first = Math.floor(low / step) * step;
  return Array.from({length: Math.floor((high - first) / step) + 1}, (_, k) => first + k * step)
    .flatMap((power) => factors.map((factor) => factor * 10 ** power))
    .filter((value) => Math.log10(value) >= low && Math.log10(value) <= high);
}

function withDecimals(value: number, decimals: number): string {
  return value
    .toLocaleString('en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals})
    .replace('-', '−');
}

function withMinus(number: string): string {
  return number.replace('-', '−').replace('e−', 'e-');
}
