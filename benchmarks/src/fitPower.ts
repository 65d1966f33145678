import {linearRegression} from 'simple-statistics';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** y = factor · x^exponent, or factor · e^(exponent · x). */
export interface Fit {
  readonly factor: number;
  readonly exponent: number;
  /** Mean of the squared differences of the logarithms. */
  readonly error: number;
}

/**
 * Fits a power by least squares of the logarithms.
 *
 * @param points  x and y > 0
 * @returns       null for fewer than two different x
 */
export function fitPower(points: readonly Point[]): Fit | null {
  return fitLogarithms(points.filter(({x}) => x > 0).map(({x, y}) => ({x: Math.log(x), y})));
}

/** The same for an exponential. */
export function fitExponential(points: readonly Point[]): Fit | null {
  return fitLogarithms(points);
}

function fitLogarithms(points: readonly Point[]): Fit | null {
  const pairs = points.filter(({y}) => y > 0).map(({x, y}): [number, number] => [x, Math.log(y)]);
  if (new Set(pairs.map(([x]) => x)).size < 2) return null;
  const {m, b} = linearRegression(pairs);
  const squares = pairs.reduce((sum, [x, y]) => sum + (m * x + b - y) ** 2, 0);
  return {factor: Math.exp(b), exponent: m, error: squares / pairs.length};
}
