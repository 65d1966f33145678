import {squaredEps} from '@epsball/clustering';
import type {Projection} from './projection.ts';

/**
 * Upper bound of the distance of two neighbours: fl(d²) ≤ fl(eps²) implies |x − y| ≤ eps · (1 + (dim + 3) · 2^-53), or,
 * if squares are subnormal or 0, |x − y| ≤ √(eps² + (dim + 1) · 2^-1075), since the square on each axis may be off by
 * half of 2^-1074. Valid for any dim below 2^12: √(2^12 + 1) · 2^-537.5 < 2^-531.
 */
export function neighborReach(eps: number): number {
  return (eps + 2 ** -530) * (1 + 2 ** -40);
}

/**
 * The largest squared distance to the rectangle of a node at which the node may contain neighbours. A search skips a
 * node if and only if `gap2 > limit2`.
 *
 * If keys are coordinates: eps², without a margin. Let x be the query and y in the node. On each axis of the directory
 * the gap g of x to the node's interval is fl(min − x), fl(x − max) or 0. Rounding is monotone, so g ≤ |fl(x − y)|,
 * fl(g²) ≤ fl(fl(x − y)²), and a sum of such terms, in the order of the axes, is at most the sum of all terms of d². So
 * gap2 > fl(eps²) implies fl(d²) > fl(eps²). Overflow to ∞ keeps this order.
 *
 * If keys are projections: by the bounds in projection.ts, the keys of neighbours are at most stretch · reach + 2 ·
 * displacement · √levels apart. gap2 has at most levels + 3 roundings of 2^-53. The factors 1 + 2^-40 cover these and
 * the roundings of this formula.
 */
export function limit2Of(eps: number, levels: number, projection: Projection | undefined): number {
  if (projection === undefined) return squaredEps(eps);
  const reach = projection.stretch * neighborReach(eps) + 2 * projection.displacement * Math.sqrt(levels);
  return (reach * (1 + 2 ** -40)) ** 2 * (1 + 2 ** -40);
}
