import {DestroyedError, PhaseClock, type PointSet} from '@epsball/clustering';
import type {
  MeanShiftAlgorithm,
  MeanShiftParams,
  MeanShiftPhase,
  MeanShiftResult,
  ShiftAlgorithm,
  ShiftOptions,
  ShiftParams,
  ShiftResult,
} from './algorithm.ts';
import {checkRun, checkShift, type CheckedClimb} from './checkRun.ts';
import {runOnDuplicates} from './modes/duplicates.ts';
import type {Trajectories} from './climb/climber.ts';
import {describeTrajectories, labelTrajectories} from './modes/labelTrajectories.ts';

export interface Climbers {
  climb(
    points: PointSet,
    checked: CheckedClimb,
    options: ShiftOptions,
    clock: PhaseClock<MeanShiftPhase>,
  ): Promise<Trajectories>;
  readonly counters: Readonly<Record<string, number>>;
  destroy(): void;
}

const BOUNDS = {name: 'mean-shift', maxDim: Infinity};

export class HostMeanShift implements MeanShiftAlgorithm, ShiftAlgorithm {
  readonly #climbers: Climbers;
  #isDestroyed = false;

  constructor(climbers: Climbers) {
    this.#climbers = climbers;
  }

  async run(points: PointSet, params: MeanShiftParams, options: ShiftOptions = {}): Promise<MeanShiftResult> {
    this.#throwIfDestroyed();
    const run = checkRun(points, params, options, BOUNDS);
    const {counters: own} = this.#climbers;
    if (run.rules.bandwidth === 0) {
      const {stats, ...result} = await runOnDuplicates(points, run, options);
      return {...result, stats: {...stats, counters: {...stats.counters, ...own}}};
    }
    const clock = new PhaseClock<MeanShiftPhase>();
    const trajectories = await this.#climbers.climb(points, run, options, clock);
    clock.enter('labels');
    const labelled = await labelTrajectories(points, trajectories, run, options);
    const {iterations, counters} = describeTrajectories(trajectories, run);
    const stats = {...clock.stop(), counters: {...counters, ...own}};
    return {shifted: trajectories.ends, iterations, ...labelled, stats};
  }

  async shift(points: PointSet, params: ShiftParams, options: ShiftOptions = {}): Promise<ShiftResult> {
    this.#throwIfDestroyed();
    const checked = checkShift(points, params, options, BOUNDS);
    const clock = new PhaseClock<MeanShiftPhase>();
    const trajectories = await this.#climbers.climb(points, checked, options, clock);
    const {iterations, counters} = describeTrajectories(trajectories, checked);
    const stats = {...clock.stop(), counters: {...counters, ...this.#climbers.counters}};
    return {shifted: trajectories.ends, iterations, stats};
  }

  #throwIfDestroyed(): void {
    if (this.#isDestroyed) throw new DestroyedError('mean-shift');
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#climbers.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
