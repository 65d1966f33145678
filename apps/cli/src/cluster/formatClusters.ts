import {exponentOf, formatCount, roundTo} from '../text.ts';
import type {ClusterRow} from './clusterTable.ts';

/** More coordinates fill the line. */
const SHOWN_DIM = 4;

/** An error of less than this share of the extent of a cluster does not matter. */
const SHARE = 1e-3;

/** Centres of clusters that differ by less than this share of their extents are the same but for rounding. */
const NOISE_SHARE = 1e-12;

/**
 * Rows for people: `cluster 3    1,234 points around 13.4, 52.5`. Centres have the digits that tell them apart, and are
 * right to a thousandth of the cluster's extent. Without an extent, all digits of the coordinate.
 */
export function formatClusters(rows: readonly ClusterRow[], precision: 'float32' | 'float64'): string[][] {
  const digits = rows.map(({extent}) => extent.map((length) => exponentOf(length * SHARE)));
  for (const [a, row] of rows.entries()) {
    for (let b = 0; b < a; b++) tellApart(row, rows[b], digits[a], digits[b]);
  }
  return rows.map(({cluster, size, center}, k) => {
    const shown = center.map((x, d) =>
      digits[k][d] === -Infinity ? shortest(x, precision) : roundTo(x, digits[k][d]),
    );
    const place = center.length > SHOWN_DIM ? '' : ` around ${shown.join(', ')}`;
    return [`  cluster ${cluster}`, `${formatCount(size)} ${size === 1 ? 'point' : 'points'}${place}`];
  });
}

/** Lowers the last digit, by exponent, where two centres would read the same: on the axis that takes the fewest. */
function tellApart(a: ClusterRow, b: ClusterRow, digitsA: number[], digitsB: number[]): void {
  let [axis, best, most] = [-1, 0, -Infinity];
  for (const [d, x] of a.center.entries()) {
    const difference = Math.abs(x - b.center[d]);
    if (difference <= NOISE_SHARE * Math.max(a.extent[d], b.extent[d])) continue;
    const exponent = exponentOf(difference);
    const room = exponent - Math.max(digitsA[d], digitsB[d]);
    if (room >= 0) return;
    if (room > most) [axis, best, most] = [d, exponent, room];
  }
  if (axis < 0) return;
  digitsA[axis] = Math.min(digitsA[axis], best);
  digitsB[axis] = Math.min(digitsB[axis], best);
}

/** The fewest digits that give the same number. */
function shortest(x: number, precision: 'float32' | 'float64'): string {
  if (precision === 'float64') return String(x);
  let digits = 1;
  while (Math.fround(Number(x.toPrecision(digits))) !== Math.fround(x)) digits++;
  return String(Number(x.toPrecision(digits)));
}
