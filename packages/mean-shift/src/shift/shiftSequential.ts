import {DestroyedError, PhaseClock, pointCount, RunPacer, type PointSet} from '@epsball/clustering';
import type {MeanShiftPhase, ShiftAlgorithm, ShiftOptions, ShiftParams, ShiftResult} from '../algorithm.ts';
import {fillState, keepMoving, shiftPositions, shiftRule, type ShiftState} from './shiftState.ts';
import {validateShift} from './validateShift.ts';

/** Approximate number of pairs between two pauses: a millisecond or two. */
const SLICE_PAIRS = 2 ** 17;

/**
 * The shift on the calling thread, in float64: the source's sequential version. A run yields to the event loop about
 * every 25 ms, for abort and progress.
 *
 * Host bytes a point beyond input and result: 8 · dim + 5.
 *
 * @returns    owned by the caller; it holds nothing between runs
 * @complexity O(n · m · iterations · dim)
 * @source     Agnolucci 2020, Algorithms 1 and 2
 */
export function createShiftSequential(): ShiftAlgorithm {
  let isDestroyed = false;
  const destroy = (): void => {
    isDestroyed = true;
  };
  return {
    shift: async (points, params, options) => {
      if (isDestroyed) throw new DestroyedError('mean-shift');
      return shift(points, params, options);
    },
    destroy,
    [Symbol.dispose]: destroy,
  };
}

async function shift(points: PointSet, params: ShiftParams, options: ShiftOptions = {}): Promise<ShiftResult> {
  const checked = validateShift(points, params, options, {name: 'mean-shift', maxDim: Infinity});
  const rule = shiftRule(checked);
  const starts = options.seeds ?? points;
  const n = pointCount(points);
  const m = pointCount(starts);
  const clock = new PhaseClock<MeanShiftPhase>();
  clock.enter('shift');
  const state: ShiftState = {
    dim: points.dim,
    coords: new Float64Array(points.coords),
    positions: new Float64Array(starts.coords.length),
    moving: new Int32Array(m),
    hasMoved: new Uint8Array(m),
  };
  fillState(state, starts);
  const pacer = new RunPacer<MeanShiftPhase>(m * checked.maxIterations, options);
  const slice = Math.max(1, Math.ceil(SLICE_PAIRS / Math.max(1, n)));
  // Without points seeds do not move.
  let moving = n === 0 ? 0 : m;
  let iterations = 0;
  let shifts = 0;
  let arrived = 0;
  for (; iterations < checked.maxIterations && moving > 0; iterations++) {
    for (let first = 0; first < moving; first += slice) {
      const end = Math.min(first + slice, moving);
      shiftPositions(state, rule, first, end);
      // Positions that have arrived count as done.
      await pacer.pause('shift', m * iterations + m - moving + end);
    }
    shifts += moving;
    const kept = keepMoving(state, moving);
    arrived += moving - kept;
    moving = kept;
  }
  return {shifted: state.positions, iterations, stats: {...clock.stop(), counters: {arrived, shifts}}};
}
