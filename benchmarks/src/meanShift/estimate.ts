/** A quadratic law of times: ms = perPair · n² + perPoint · n. */
export interface QuadraticFit {
  readonly perPair: number;
  readonly perPoint: number;
  /** Numbers of points that it was fitted to. */
  readonly sizes: readonly number[];
}

/**
 * Fits times to n² and n, as the document does for what takes too long: least squares of the relative errors, so that
 * small times count as much as large ones; neither term is negative.
 *
 * @param times  measured medians; at least two sizes, or there is no fit
 */
export function fitQuadratic(times: readonly {readonly n: number; readonly ms: number}[]): QuadraticFit | undefined {
  const sizes = times.map(({n}) => n);
  if (new Set(sizes).size < 2) return undefined;
  // Of each time: n² / ms and n / ms, whose weighted sum shall be 1.
  let [pp, pq, qq, p1, q1] = [0, 0, 0, 0, 0];
  for (const {n, ms} of times) {
    const p = (n * n) / ms;
    const q = n / ms;
    pp += p * p;
    pq += p * q;
    qq += q * q;
    p1 += p;
    q1 += q;
  }
  const determinant = pp * qq - pq * pq;
  const perPair = (p1 * qq - q1 * pq) / determinant;
  const perPoint = (q1 * pp - p1 * pq) / determinant;
  if (perPair < 0) return {perPair: 0, perPoint: q1 / qq, sizes};
  if (perPoint < 0 || !Number.isFinite(perPoint)) return {perPair: p1 / pp, perPoint: 0, sizes};
  return {perPair, perPoint, sizes};
}

/** Milliseconds at a number of points. */
export function estimateMs({perPair, perPoint}: QuadraticFit, n: number): number {
  return perPair * n * n + perPoint * n;
}

/** The law in words. */
export function describeFit({perPair, perPoint, sizes}: QuadraticFit): string {
  const list = sizes.map((n) => n.toLocaleString('en-US')).join(', ');
  return `t = ${perPair.toPrecision(3)} · n² + ${perPoint.toPrecision(3)} · n ms, fitted to n = ${list}`;
}
