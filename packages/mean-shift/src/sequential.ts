import {pointCount, reportParts, RunPacer} from '@epsball/clustering';
import type {MeanShiftAlgorithm, MeanShiftPhase, ShiftAlgorithm} from './algorithm.ts';
import {CandidateSearch} from './climb/candidateSearch.ts';
import {buildCandidateIndex, searchRadius} from './climb/candidates.ts';
import {Climber} from './climb/climber.ts';
import {HostMeanShift, type Climbers} from './hostMeanShift.ts';

/** Candidates between two checks of the clock: a millisecond or two. */
const WORK_PER_PAUSE = 2 ** 17;

/**
 * Mean shift on the calling thread, in float64. Every point, or seed, moves by itself until it has arrived. Its sums
 * are over the candidates of a grid. Any number of dimensions; beyond 4 the grid has the first 3 axes. Between two
 * trajectories a run yields to the event loop about every 25 ms, for abort and progress.
 *
 * Host bytes a point beyond input and result, 3-D float32: grid and sorted points at most 44, trajectories 16.
 *
 * @returns     owned by the caller
 * @complexity  O(n · steps · k · dim), k = points in the 3^min(dim, 4) cells of side `radius` around a point; k = n
 *              without a cut
 * @source      Agnolucci 2020, Algorithms 1 and 2; Comaniciu and Meer 2002
 */
export function createMeanShiftSequential(): MeanShiftAlgorithm {
  return new HostMeanShift(CALLING_THREAD);
}

/**
 * The shift alone, the source's sequential version. Points do not change while positions move, so one position makes
 * all its steps before the next one begins. Host bytes a point beyond input and result: 16.
 *
 * @complexity O(n · m · iterations · dim)
 * @source     Agnolucci 2020, Algorithms 1 and 2
 */
export function createShiftSequential(): ShiftAlgorithm {
  return new HostMeanShift(CALLING_THREAD);
}

const CALLING_THREAD: Climbers = {
  climb: async (points, {rules, seeds}, options, clock) => {
    const {dim} = points;
    const n = pointCount(points);
    const m = pointCount(seeds ?? points);
    const trajectories = {ends: new Float64Array(m * dim), weights: new Float64Array(m), steps: new Uint32Array(m)};
    if (n === 0) {
      trajectories.ends.set(seeds?.coords ?? []);
      return trajectories;
    }
    clock.enter('index');
    const indexed = reportParts<MeanShiftPhase>('index', m, options.onProgress);
    const index = buildCandidateIndex(points, searchRadius(rules, n), indexed);
    clock.enter('shift');
    const climber = new Climber(new CandidateSearch(index), rules, trajectories);
    const pacer = new RunPacer<MeanShiftPhase>(m, options);
    let work = 0;
    for (let k = 0; k < m; k++) {
      // In the order of their cells, so that candidates are still in the cache.
      const i = seeds === undefined ? (index.pointOrder?.[k] ?? k) : k;
      work += climber.climb(seeds ?? points, i);
      if (work < WORK_PER_PAUSE) continue;
      work = 0;
      await pacer.pause('shift', k);
    }
    return trajectories;
  },
  counters: {},
  destroy: () => undefined,
};
