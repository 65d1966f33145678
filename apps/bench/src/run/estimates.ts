import {nameSubject, timeOf, type Cell} from '@epsball/benchmarks';

/**
 * Estimates cells that were too slow from the subject's smaller sizes, as the document on mean shift does: a · n² +
 * b · n by least squares of the relative errors, so that small times count as much as large ones. Ours, which stops at
 * convergence, does not follow the law.
 */
export function withEstimates(cells: readonly Cell[], slow: ReadonlySet<Cell>): Cell[] {
  return cells.map((cell) => {
    if (!slow.has(cell) || cell.status !== 'leftOut' || cell.row !== 'shift') return cell;
    const times = cells.flatMap((one) =>
      one.status === 'measured' && nameSubject(one) === nameSubject(cell) ? [{n: one.n, ms: timeOf(one)}] : [],
    );
    const fit = fitQuadratic(times);
    if (fit === undefined) return cell;
    const {perPair, perPoint} = fit;
    const sizes = times.map(({n}) => n.toLocaleString('en-US')).join(', ');
    const law = `t = ${perPair.toPrecision(3)} · n² + ${perPoint.toPrecision(3)} · n ms`;
    const ms = perPair * cell.n * cell.n + perPoint * cell.n;
    return {...cell, status: 'estimated', ms, reason: `${law}, fitted to n = ${sizes}`};
  });
}

/** Neither term is negative. Undefined for fewer than two sizes. */
export function fitQuadratic(
  times: readonly {readonly n: number; readonly ms: number}[],
): {perPair: number; perPoint: number} | undefined {
  if (new Set(times.map(({n}) => n)).size < 2) return undefined;
  // Of each time: n² / ms and n / ms, whose weighted sum shall be 1.
  let [pp, pq, qq, p1, q1] = [0, 0, 0, 0, 0];
  for (const {n, ms} of times) {
    const [p, q] = [(n * n) / ms, n / ms];
    pp += p * p;
    pq += p * q;
    qq += q * q;
    p1 += p;
    q1 += q;
  }
  const determinant = pp * qq - pq * pq;
  const perPair = (p1 * qq - q1 * pq) / determinant;
  const perPoint = (q1 * pp - p1 * pq) / determinant;
  if (perPair < 0) return {perPair: 0, perPoint: q1 / qq};
  return perPoint < 0 || !Number.isFinite(perPoint) ? {perPair: p1 / pp, perPoint: 0} : {perPair, perPoint};
}
