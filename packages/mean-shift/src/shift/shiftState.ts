import type {PointSet} from '@epsball/clustering';
import type {CheckedShiftParams} from './validateShift.ts';
import {weightedSum} from '../weightedSum.ts';

/** The arrays of a run in float64, on one thread or shared by many. */
export interface ShiftState {
  readonly dim: number;
  /** n · dim: the points as given; not modified. */
  readonly coords: Float64Array;
  /** m · dim: current positions. */
  readonly positions: Float64Array;
  /** The positions that have not arrived come first, ascending. */
  readonly moving: Int32Array;
  /** By slot in `moving`: 1 if the last shift was at least as long as the tolerance. */
  readonly hasMoved: Uint8Array;
}

/** A weight with a smaller logarithm is 0 in float64. */
const LEAST_LOG = -746;

/** What a shift needs of the parameters. */
export interface ShiftRule {
  /** w = exp(falloff · d²) */
  readonly falloff: number;
  /** Points with a larger d² have weight 0. */
  readonly radius2: number;
  readonly tolerance: number;
}

export function shiftRule({bandwidth, tolerance}: CheckedShiftParams): ShiftRule {
  const falloff = gaussianFalloff(bandwidth);
  // Finite: falloff may be 0 for a huge bandwidth, and d² infinite.
  return {falloff, radius2: Math.min(LEAST_LOG / falloff, Number.MAX_VALUE), tolerance};
}

/** Of w = exp(falloff · d²). Finite for the smallest bandwidth, too, so that a point always has weight 1 on itself. */
export function gaussianFalloff(bandwidth: number): number {
  return Math.max(-0.5 / (bandwidth * bandwidth), -Number.MAX_VALUE);
}

/** Sets all positions to the points or seeds, and lists all of them. */
export function fillState(state: ShiftState, starts: PointSet): void {
  state.positions.set(starts.coords);
  for (let i = 0; i < state.moving.length; i++) state.moving[i] = i;
}

/**
 * Moves the positions in slots [first, end) of `moving` once.
 *
 * A position stays if all points are too far for float64. That happens only to seeds: a point has weight 1 on itself in
 * the first iteration, and the density never falls along a trajectory (Comaniciu and Meer 2002, Theorem 1).
 *
 * @complexity O((end − first) · n · dim)
 * @source     Agnolucci 2020, Algorithms 1 to 4
 */
export function shiftPositions(
  state: ShiftState,
  {falloff, radius2, tolerance}: ShiftRule,
  first: number,
  end: number,
): void {
  const {dim, coords, positions, moving, hasMoved} = state;
  const sum = weightedSum(dim);
  const n = coords.length / dim;
  const at = new Float64Array(dim);
  const sums = new Float64Array(dim + 1);
  for (let slot = first; slot < end; slot++) {
    const from = moving[slot] * dim;
    for (let d = 0; d < dim; d++) at[d] = positions[from + d];
    sum(coords, at, at, 0, n, radius2, falloff, sums.fill(0));
    const weight = sums[dim];
    let length2 = 0;
    for (let d = 0; d < dim; d++) {
      const step = weight > 0 ? sums[d] / weight : 0;
      positions[from + d] = at[d] + step;
      length2 += step * step;
    }
    hasMoved[slot] = Math.sqrt(length2) < tolerance ? 0 : 1;
  }
}

/**
 * Removes the positions that have arrived from the list.
 *
 * @param count  slots in use
 * @returns      slots in use now
 */
export function keepMoving({moving, hasMoved}: ShiftState, count: number): number {
  let kept = 0;
  for (let slot = 0; slot < count; slot++) if (hasMoved[slot] === 1) moving[kept++] = moving[slot];
  return kept;
}
