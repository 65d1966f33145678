import {NOISE, type PointSet} from '@epsball/clustering';
import type {DbscanLabels} from '@epsball/clustering/definition';

/** A run of DBSCAN with times. Sums of the weights are exact in float64, in any order: multiples of 1/4. */
export interface TimeRequest {
  readonly eps: number;
  readonly minPts: number;
  readonly epsTime: number;
  readonly time: Float64Array;
  readonly metric?: 'euclidean' | 'manhattan' | 'chebyshev';
  readonly sampleWeight?: Float64Array;
}

/** Whether a pair are neighbours, from their distance (squared if Euclidean), its bound, and their times. */
export type PairRule = (distance: number, limit: number, apart: number, epsTime: number) => boolean;

/** The rule of the contract. */
export const nearInSpaceAndTime: PairRule = (distance, limit, apart, epsTime) => distance <= limit && apart <= epsTime;

/** The rules of the three loops; mutants replace some. */
export interface PairRules {
  readonly core: PairRule;
  readonly cluster: PairRule;
  readonly border: PairRule;
}

const CONTRACT: PairRules = {core: nearInSpaceAndTime, cluster: nearInSpaceAndTime, border: nearInSpaceAndTime};

/**
 * DBSCAN with times by its definition: all pairs, in float64, with no part of the packages but types.
 *
 * @param points  not modified, without times
 * @complexity    O(n²)
 * @source        Birant and Kut 2007, ST-DBSCAN: Retrieve_Neighbors with Eps1 and Eps2, without Δε
 */
export function timeOracle({coords, dim}: PointSet, request: TimeRequest, rules: PairRules = CONTRACT): DbscanLabels {
  const {eps, minPts, epsTime, time, metric = 'euclidean', sampleWeight} = request;
  const n = time.length;
  const limit = metric === 'euclidean' ? eps * eps : eps;
  const near = (rule: PairRule, i: number, j: number): boolean => {
    let distance = 0;
    for (let d = 0; d < dim; d++) {
      const delta = Math.abs(coords[i * dim + d] - coords[j * dim + d]);
      if (metric === 'euclidean') distance += delta * delta;
      else if (metric === 'manhattan') distance += delta;
      else distance = Math.max(distance, delta);
    }
    return rule(distance, limit, Math.abs(time[i] - time[j]), epsTime);
  };
  const all = Array.from({length: n}, (_, i) => i);
  const isCore = all.map((i) => {
    const ball = all.filter((j) => near(rules.core, i, j));
    return ball.reduce((sum, j) => sum + (sampleWeight?.[j] ?? 1), 0) >= minPts;
  });
  const labels = new Int32Array(n).fill(NOISE);
  let clusterCount = 0;
  for (const first of all) {
    if (!isCore[first] || labels[first] !== NOISE) continue;
    labels[first] = clusterCount;
    for (let grown = [first]; grown.length > 0;) {
      const reached = all.filter(
        (j) => isCore[j] && labels[j] === NOISE && grown.some((i) => near(rules.cluster, i, j)),
      );
      for (const j of reached) labels[j] = clusterCount;
      grown = reached;
    }
    clusterCount++;
  }
  for (const i of all) {
    if (isCore[i]) continue;
    const adjacent = all.filter((j) => isCore[j] && near(rules.border, i, j)).map((j) => labels[j]);
    if (adjacent.length > 0) labels[i] = Math.min(...adjacent);
  }
  return {labels, coreMask: Uint8Array.from(isCore, Number), clusterCount};
}
