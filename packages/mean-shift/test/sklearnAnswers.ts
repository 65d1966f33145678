import {readFileSync} from 'node:fs';
import type {PointSet} from '@epsball/clustering';
import type {MeanShiftParams, MeanShiftResult} from '../src/meanShift.ts';

interface SklearnRun {
  readonly points: string;
  readonly bandwidth: number;
  readonly cluster_all?: boolean;
  readonly bin_seeding?: boolean;
  readonly min_bin_freq?: number;
  readonly max_iter?: number;
  readonly seeds?: number[][];
  readonly centers: number[][];
  readonly labels: number[];
  readonly iterations: number;
}

interface SklearnAnswers {
  readonly points: Record<string, number[][]>;
  readonly runs: readonly SklearnRun[];
  readonly estimates: readonly {points: string; quantile: number; bandwidth: number}[];
  readonly bins: readonly {points: string; binSize: number; minFrequency: number; seeds: number[][]}[];
}

/** What scikit-learn says, as `fixtures/sklearn_answers.py` has written it down. */
export const sklearn: SklearnAnswers = JSON.parse(
  readFileSync(new URL('./fixtures/sklearn.json', import.meta.url), 'utf8'),
);

export function pointsOf(name: string): PointSet {
  return pointSet(sklearn.points[name]);
}

export function pointSet(rows: readonly number[][]): PointSet {
  return {coords: Float64Array.from(rows.flat()), dim: rows[0].length};
}

/** A run's name, and what to run for it. */
export function runsOfSklearn(): {
  name: string;
  points: PointSet;
  seeds?: PointSet;
  params: MeanShiftParams;
  answer: SklearnRun;
}[] {
  return sklearn.runs.map((answer) => {
    const {points, bandwidth, seeds, centers: _, labels: __, iterations: ___, ...rest} = answer;
    return {
      name: `${points}, bandwidth ${bandwidth} ${JSON.stringify(rest)}${seeds === undefined ? '' : ' from seeds'}`,
      points: pointsOf(points),
      ...(seeds === undefined ? {} : {seeds: pointSet(seeds)}),
      params: {
        kernel: 'flat',
        bandwidth,
        ...(answer.cluster_all === undefined ? {} : {clusterAll: answer.cluster_all}),
        ...(answer.bin_seeding === undefined ? {} : {binSeeding: answer.bin_seeding}),
        ...(answer.min_bin_freq === undefined ? {} : {minBinFrequency: answer.min_bin_freq}),
        ...(answer.max_iter === undefined ? {} : {maxIterations: answer.max_iter}),
      },
      answer,
    };
  });
}

/** The largest difference of a coordinate of the centres, infinite where their number differs. */
export function centerError({clusterCenters}: MeanShiftResult, centers: readonly number[][]): number {
  const expected = centers.flat();
  if (expected.length !== clusterCenters.length) return Infinity;
  return expected.reduce((most, x, k) => Math.max(most, Math.abs(x - clusterCenters[k])), 0);
}
