import {NOISE, pointCount, type DbscanParams, type PointSet} from '@epsball/clustering';
import {sweepNeighbors, type NeighborSearch} from './neighbors.ts';
import type {DbscanLabels} from '@epsball/clustering/definition';

export interface Judged {
  readonly points: PointSet;
  readonly params: DbscanParams;
  readonly result: DbscanLabels;
  readonly neighbors: NeighborSearch;
}

/** A statement of the contract. Returns the violation, or null if the statement holds. */
export type LegalityPredicate = (judged: Judged) => string | null;

/** `labels` is Int32Array(n), `coreMask` is Uint8Array(n) of 0 and 1, `clusterCount` an integer ≥ 0. */
export function arraysHaveTypeAndLength({points, result}: Judged): string | null {
  const n = pointCount(points);
  const {labels, coreMask, clusterCount} = result;
  if (!(labels instanceof Int32Array)) return 'labels is not an Int32Array';
  if (!(coreMask instanceof Uint8Array)) return 'coreMask is not a Uint8Array';
  if (labels.length !== n) return `labels.length = ${labels.length}; expected ${n}`;
  if (coreMask.length !== n) return `coreMask.length = ${coreMask.length}; expected ${n}`;
  const odd = coreMask.findIndex((flag) => flag > 1);
  if (odd >= 0) return `coreMask[${odd}] = ${coreMask[odd]}; expected 0 or 1`;
  if (!Number.isInteger(clusterCount) || clusterCount < 0) return `clusterCount = ${clusterCount}`;
  return null;
}

/** A point is core iff its closed eps-ball contains at least minPts points, itself included. */
export function coreMaskIsRight({points, params, result, neighbors}: Judged): string | null {
  return firstOf(points, (i) => {
    const count = [...neighbors(i)].length;
    const isCore = count >= params.minPts ? 1 : 0;
    const found = result.coreMask[i];
    if (found === isCore) return null;
    return `coreMask[${i}] = ${found}, but it has ${count} neighbours and minPts = ${params.minPts}`;
  });
}

/** Two core points within eps are in the same cluster, and every core point is in one. */
export function adjacentCoresShareALabel({points, result, neighbors}: Judged): string | null {
  const {labels, coreMask} = result;
  return firstOf(points, (i) => {
    if (coreMask[i] !== 1) return null;
    if (labels[i] < 0) return `core point ${i} has label ${labels[i]}`;
    for (const j of neighbors(i)) {
      if (coreMask[j] === 1 && labels[j] !== labels[i]) {
        return `core points ${i} and ${j} are neighbours with labels ${labels[i]} and ${labels[j]}`;
      }
    }
    return null;
  });
}

/** A point without a core point within eps has label −1. */
export function noiseIsMinusOne({points, result, neighbors}: Judged): string | null {
  const {labels, coreMask} = result;
  return firstOf(points, (i) => {
    if (labels[i] === NOISE || [...neighbors(i)].some((j) => coreMask[j] === 1)) return null;
    return `point ${i} has no core point within eps, but label ${labels[i]}`;
  });
}

/** A border point has the lowest label among its core neighbours. */
export function borderTakesLowestLabel({points, result, neighbors}: Judged): string | null {
  const {labels, coreMask} = result;
  return firstOf(points, (i) => {
    if (coreMask[i] === 1) return null;
    let lowest = Infinity;
    for (const j of neighbors(i)) if (coreMask[j] === 1 && labels[j] < lowest) lowest = labels[j];
    if (lowest === Infinity || labels[i] === lowest) return null;
    return `border point ${i} has label ${labels[i]}; the lowest among its core neighbours is ${lowest}`;
  });
}

/** The first core points of the clusters have the labels 0, 1, 2 … in order; clusterCount is their number. */
export function labelsFollowSmallestCore({points, result}: Judged): string | null {
  const {labels, coreMask, clusterCount} = result;
  const n = pointCount(points);
  let next = 0;
  for (let i = 0; i < n; i++) {
    if (labels[i] < NOISE || labels[i] >= clusterCount) {
      return `labels[${i}] = ${labels[i]}; expected −1 to ${clusterCount - 1}`;
    }
    if (coreMask[i] !== 1) continue;
    if (labels[i] > next) return `core point ${i} has the new label ${labels[i]}; expected ${next}`;
    if (labels[i] === next) next++;
  }
  return next === clusterCount ? null : `clusterCount = ${clusterCount}, but core points have ${next} labels`;
}

/** The core points of one label are connected: no two components have the same label. */
export function labelIsOneComponent({points, result, neighbors}: Judged): string | null {
  const {labels, coreMask} = result;
  const n = pointCount(points);
  const wasReached = new Uint8Array(n);
  const openedBy = new Map<number, number>();
  for (let start = 0; start < n; start++) {
    if (coreMask[start] !== 1 || wasReached[start] === 1) continue;
    const earlier = openedBy.get(labels[start]);
    if (earlier !== undefined)
      return `label ${labels[start]} belongs to the components of core points ${earlier} and ${start}`;
    openedBy.set(labels[start], start);
    wasReached[start] = 1;
    const pending = [start];
    for (let i = pending.pop(); i !== undefined; i = pending.pop()) {
      for (const j of neighbors(i)) {
        if (coreMask[j] !== 1 || wasReached[j] === 1) continue;
        wasReached[j] = 1;
        pending.push(j);
      }
    }
  }
  return null;
}

/** All statements of the contract about a result, cheapest first. Together they determine the result. */
const legalityPredicates: readonly LegalityPredicate[] = [
  arraysHaveTypeAndLength,
  labelsFollowSmallestCore,
  coreMaskIsRight,
  adjacentCoresShareALabel,
  noiseIsMinusOne,
  borderTakesLowestLabel,
  labelIsOneComponent,
];

/**
 * Checks a result against the contract without the oracle: for sizes at which O(n²) is too slow.
 *
 * @param points     not modified; nor is `result`
 * @param neighbors  a correct search; by default `sweepNeighbors`, whose queries cost a slab of width 2·eps
 * @returns          the first violated predicate with details, or null
 * @complexity       a few queries per point; O(n) memory
 */
export function findIllegality(
  points: PointSet,
  params: DbscanParams,
  result: DbscanLabels,
  neighbors: NeighborSearch = sweepNeighbors(points, params.eps, params.eps2),
): string | null {
  for (const predicate of legalityPredicates) {
    const violation = predicate({points, params, result, neighbors});
    if (violation !== null) return `${predicate.name}: ${violation}`;
  }
  return null;
}

function firstOf(points: PointSet, violationAt: (i: number) => string | null): string | null {
  const n = pointCount(points);
  for (let i = 0; i < n; i++) {
    const violation = violationAt(i);
    if (violation !== null) return violation;
  }
  return null;
}
