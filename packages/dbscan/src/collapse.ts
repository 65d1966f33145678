import {collapseDuplicates, pointCount, type CollapsedPoints, type DbscanResult} from '@epsball/clustering';
import type {PreparedRun} from './request.ts';

export interface CollapsedRun {
  readonly prepared: PreparedRun;
  /** The result for all points, from the result of the run. */
  readonly expand: (result: DbscanResult) => DbscanResult;
}

/**
 * Puts weights in the place of equal points; the labels stay the same. Without duplicates, and where sums of weights
 * are not exact, the run stays as it is.
 */
export function collapseRun(prepared: PreparedRun): CollapsedRun {
  const {points, params} = prepared;
  const collapsed = collapseDuplicates(points, params.sampleWeight);
  const {sampleWeight, groupOf} = collapsed;
  if (sampleWeight.length === pointCount(points)) return {prepared, expand: (result) => result};
  return {
    prepared: {points: collapsed.points, params: {...params, sampleWeight}},
    expand: (result) => expanded(result, groupOf),
  };
}

function expanded(result: DbscanResult, groupOf: CollapsedPoints['groupOf']): DbscanResult {
  const {labels, coreMask, clusterCount, stats} = result;
  const n = groupOf.length;
  const all = {labels: new Int32Array(n), coreMask: new Uint8Array(n)};
  for (let i = 0; i < n; i++) {
    all.labels[i] = labels[groupOf[i]];
    all.coreMask[i] = coreMask[groupOf[i]];
  }
  return {...all, clusterCount, stats};
}
