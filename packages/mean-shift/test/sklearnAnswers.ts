import {readFileSync} from 'node:fs';
import type {PointSet} from '@epsball/clustering';
import type {MeanShiftParams, MeanShiftResult} from '../src/algorithm.ts';

/** Precision of the coordinates. */
type Precision = 'float64' | 'float32';

interface SklearnRun {
  readonly points: string;
  readonly dtype: Precision;
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
  /** Lattices whose sums are rounded, in float64. */
  readonly lattices: readonly SklearnRun[];
  /** A run with a result other than ours. */
  readonly departure: SklearnRun;
  readonly estimates: readonly {points: string; dtype: Precision; quantile: number; bandwidth: number}[];
  readonly bins: readonly {
    points: string;
    dtype: Precision;
    binSize: number;
    minFrequency: number;
    seeds: number[][];
  }[];
}

/**
 * Largest error of scikit-learn's centres of float32 points, in coordinate units: it sums in float32, here up to 119
 * coordinates of 7 to 12. With the same coordinates in float64 its centres differ by up to 4.1 · 10⁻⁶, and its labels
 * and iterations are the same.
 */
const MEANS_IN_FLOAT32 = 1e-5;

/** Results of scikit-learn, written by `fixtures/sklearn_answers.py`. */
export const sklearn: SklearnAnswers = JSON.parse(
  readFileSync(new URL('./fixtures/sklearn.json', import.meta.url), 'utf8'),
);

export function pointsOf(name: string, dtype: Precision = 'float64'): PointSet {
  const {coords, dim} = pointSet(sklearn.points[name]);
  return {coords: dtype === 'float32' ? Float32Array.from(coords) : coords, dim};
}

export function pointSet(rows: readonly number[][]): PointSet {
  return {coords: Float64Array.from(rows.flat()), dim: rows[0].length};
}

/** A run of scikit-learn, and the same run for us. */
interface RunToRepeat {
  readonly name: string;
  readonly points: PointSet;
  readonly seeds?: PointSet;
  readonly params: MeanShiftParams;
  readonly answer: SklearnRun;
  /** Effect of rounding in scikit-learn on its centres, in coordinate units. */
  readonly rounding: number;
}

export function runsOfSklearn(): RunToRepeat[] {
  return sklearn.runs.map((answer) => repeat(answer));
}

export function repeat(answer: SklearnRun): RunToRepeat {
  const {points, dtype, bandwidth, seeds, centers: _, labels: __, iterations: ___, ...rest} = answer;
  const from = seeds === undefined ? '' : ' from seeds';
  return {
    name: `${points} in ${dtype}, bandwidth ${bandwidth} ${JSON.stringify(rest)}${from}`,
    points: pointsOf(points, dtype),
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
    rounding: dtype === 'float32' && bandwidth > 0 ? MEANS_IN_FLOAT32 : 0,
  };
}

/** The largest difference of a coordinate of the centres; infinite if their numbers differ. */
export function centerError({clusterCenters}: MeanShiftResult, centers: readonly number[][]): number {
  const expected = centers.flat();
  if (expected.length !== clusterCenters.length) return Infinity;
  return expected.reduce((most, x, k) => Math.max(most, Math.abs(x - clusterCenters[k])), 0);
}
