import {DestroyedError, PhaseClock, pointCount, RunPacer, type PointSet} from '@epsball/clustering';
import {buildCandidateIndex, searchRadius} from './climb/candidates.ts';
import {CandidateSearch} from './climb/candidateSearch.ts';
import {checkRun, type CheckedRun} from './checkRun.ts';
import {Climber} from './climb/climber.ts';
import {runOnDuplicates} from './modes/duplicates.ts';
import {describeTrajectories, labelTrajectories, type Trajectories} from './modes/labelTrajectories.ts';
import type {MeanShiftAlgorithm, MeanShiftParams, MeanShiftPhase, MeanShiftResult, ShiftOptions} from './algorithm.ts';

/** Candidates between two checks of the clock. */
const WORK_PER_PAUSE = 2 ** 17;

/**
 * Mean shift on the calling thread, in float64. Every point, or seed, moves by itself until it has arrived. Its sums
 * are over the candidates of a grid. Any number of dimensions; beyond 4 the grid has the first 3 axes.
 *
 * Host bytes a point beyond input and result, 3-D float32: grid and sorted points at most 44, trajectories 16.
 *
 * @returns     owned by the caller
 * @complexity  O(n · steps · k · dim), k = points in the 3^min(dim, 4) cells of side `radius` around a point; k = n
 *              without a cut
 * @source      Agnolucci 2020, Algorithms 1 and 2; Comaniciu and Meer 2002
 */
export function createMeanShiftSequential(): MeanShiftAlgorithm {
  return new MeanShiftSequential();
}

class MeanShiftSequential implements MeanShiftAlgorithm {
  #isDestroyed = false;

  async run(points: PointSet, params: MeanShiftParams, options: ShiftOptions = {}): Promise<MeanShiftResult> {
    if (this.#isDestroyed) {
      throw new DestroyedError('mean-shift');
    }
    const run = checkRun(points, params, options, {name: 'mean-shift', maxDim: Infinity});
    if (run.rules.bandwidth === 0) return runOnDuplicates(points, run, options);
    const clock = new PhaseClock<MeanShiftPhase>();
    const trajectories = await climbAll(points, run, options, clock);
    clock.enter('labels');
    const labelled = await labelTrajectories(points, trajectories, run, options.signal);
    const {iterations, counters} = describeTrajectories(points, trajectories, run);
    return {shifted: trajectories.ends, iterations, ...labelled, stats: {...clock.stop(), counters}};
  }

  destroy(): void {
    this.#isDestroyed = true;
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

async function climbAll(
  points: PointSet,
  {rules, seeds}: CheckedRun,
  options: ShiftOptions,
  clock: PhaseClock<MeanShiftPhase>,
): Promise<Trajectories> {
  const {dim} = points;
  const m = pointCount(seeds ?? points);
  const trajectories = {ends: new Float64Array(m * dim), weights: new Float64Array(m), steps: new Uint32Array(m)};
  if (pointCount(points) === 0) {
    trajectories.ends.set(seeds?.coords ?? []);
    return trajectories;
  }
  clock.enter('index');
  const index = buildCandidateIndex(points, searchRadius(rules, pointCount(points)));
  clock.enter('shift');
  const search = new CandidateSearch(index);
  const climber = new Climber(search, rules);
  const pacer = new RunPacer<MeanShiftPhase>(m, options);
  const at = new Float64Array(dim);
  let work = 0;
  for (let k = 0; k < m; k++) {
    // In the order of their cells, so that candidates are still in the cache.
    const i = seeds === undefined ? index.pointOrder[k] : k;
    const {coords} = seeds ?? points;
    for (let d = 0; d < dim; d++) at[d] = coords[i * dim + d];
    climber.climb(at);
    trajectories.ends.set(at, i * dim);
    trajectories.weights[i] = climber.weight;
    trajectories.steps[i] = climber.steps;
    work += climber.work;
    if (work < WORK_PER_PAUSE) continue;
    work = 0;
    await pacer.pause('shift', k);
  }
  return trajectories;
}
