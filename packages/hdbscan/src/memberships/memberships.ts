import {
  checkInteger,
  checkKnownOptions,
  InvalidParameterError,
  pointCount,
  pointsAt,
  RunPacer,
  throwIfAborted,
  validatePoints,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';
import {buildKdTree, KdNearest} from '@epsball/kd-tree';
import type {CondensedTree, HdbscanPhase, HdbscanResult} from '../algorithm.ts';
import {lambdaOf} from '../hierarchy/condense.ts';
import {CLUSTERS, prepareRun, type HdbscanRequest} from '../request.ts';
import {expBelowOne} from './expBelowOne.ts';
import {exemplarsOf, selectedOf, type Exemplars} from './exemplars.ts';
import {MergeHeights, OWN_LEVEL} from './mergeHeights.ts';
import {TopList} from './topList.ts';

/** Clusters of a point. */
const TOP = 10;
/** Searches among exemplars between two checks of the clock. */
const SEARCHES_PER_PAUSE = 1 << 12;

export interface MembershipOptions {
  /** Most clusters a point; integer ≥ 1. Default: 10. */
  readonly top?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How much points belong to clusters. */
export interface Memberships {
  /** n + 1 offsets: the clusters of point i are from `start[i]` to `start[i + 1]`. */
  readonly start: Int32Array;
  /** Labels, the largest membership first, at equal memberships the lower label. */
  readonly clusters: Int32Array;
  /** From 0 to 1. Over all clusters those of a point sum to its probability to be in any. */
  readonly values: Float64Array;
  /** The most typical points of each cluster. */
  readonly exemplars: Exemplars;
  /** By label: stability relative to that of as many points that stay for ever; from 0 to 1. */
  readonly persistence: Float64Array;
}

/**
 * Soft clustering: how much each point belongs to the clusters that are nearest to it by their exemplars and by the
 * condensed tree.
 *
 * @param points  that were clustered; not modified
 * @param params  of the clustering
 * @param result  of the clustering
 * @returns       arrays owned by the caller: 12 bytes for each of the `top` clusters of a point, and 4
 * @throws InvalidParameterError, InvalidPointsError, RunAbortedError  as `hdbscan`; if the result does not fit
 * @complexity    O(n · k · log exemplars) for k clusters, in few dimensions; on the calling thread in slices
 * @source        McInnes, Healy and Astels, hdbscan: soft clustering; docs/contract.md
 */
export async function memberships(
  points: PointsInput,
  params: HdbscanRequest,
  result: Pick<HdbscanResult, 'labels' | 'condensedTree'>,
  options: MembershipOptions = {},
): Promise<Memberships> {
  checkKnownOptions(options, ['top', 'signal'], 'options', 'an object such as {top: 10}');
  const {top = TOP, signal} = options;
  checkInteger('top', top, 1);
  const {points: mapped} = prepareRun(points, params, {}, CLUSTERS);
  validatePoints(mapped);
  throwIfAborted(signal, 'start');
  const n = pointCount(mapped);
  const {labels, condensedTree: tree} = result;
  if (labels.length !== n) throw new InvalidParameterError('labels.length', labels.length, `${n}, one a point`);
  const selected = selectedOf(tree, labels);
  const exemplars = exemplarsOf(tree, selected);
  const perPoint = Math.min(top, selected.clusters.length);
  const found = {
    start: Int32Array.from({length: n + 1}, (_, i) => i * perPoint),
    clusters: new Int32Array(n * perPoint),
    values: new Float64Array(n * perPoint),
  };
  const persistence = persistenceOf(tree, selected.clusters);
  if (perPoint === 0) return {...found, exemplars, persistence};
  const pacer = new RunPacer<HdbscanPhase>(n, {signal});
  const weights = new MembershipWeights(mapped, tree, exemplars, selected.clusters);
  const heightsOf = new MergeHeights(tree, selected);
  const heights = new Float64Array(selected.clusters.length);
  const list = new TopList(perPoint);
  const slice = Math.max(1, Math.floor(SEARCHES_PER_PAUSE / selected.clusters.length));
  let last = -1;
  for (const [k, i] of byLastCluster(tree).entries()) {
    if (tree.clusterOf[i] !== last) heightsOf.write((last = tree.clusterOf[i]), heights);
    list.fill(weights.of(i, heights), found.clusters, found.values, i * perPoint);
    if (k % slice === 0) await pacer.pause('hierarchy', k);
  }
  return {...found, exemplars, persistence};
}

/** Points by their last cluster. */
function byLastCluster({parent, clusterOf}: CondensedTree): Int32Array {
  const next = new Int32Array(parent.length + 1);
  for (const c of clusterOf) next[c + 1]++;
  for (let c = 0; c < parent.length; c++) next[c + 1] += next[c];
  const order = new Int32Array(clusterOf.length);
  for (let i = 0; i < clusterOf.length; i++) order[next[clusterOf[i]]++] = i;
  return order;
}

/** Stability / (size · largest finite λ of the tree); 1 where the stability is infinite. */
function persistenceOf({stability, size, leavesSquared}: CondensedTree, clusters: Int32Array): Float64Array {
  const least = leavesSquared.reduce((low, squared) => (squared > 0 && squared < low ? squared : low), Infinity);
  const most = lambdaOf(least);
  return Float64Array.from(clusters, (c) =>
    stability[c] === Infinity || most === 0 ? 1 : Math.min(1, stability[c] / (size[c] * most)),
  );
}

function nearestOf(points: PointSet, exemplars: Exemplars, label: number): KdNearest {
  const own = exemplars.points.subarray(exemplars.start[label], exemplars.start[label + 1]);
  return new KdNearest(buildKdTree(pointsAt(points, own)), 1);
}

/** The memberships of one point at a time, in all clusters. Holds scratch memory. */
class MembershipWeights {
  readonly #points: PointSet;
  readonly #tree: CondensedTree;
  /** By label: a search among the exemplars. */
  readonly #exemplars: readonly KdNearest[];
  readonly #at: Float64Array;
  readonly #lambdaMax: Float64Array;
  readonly #squared: Float64Array;
  readonly #weights: Float64Array;
  readonly #ascending: Float64Array;

  constructor(points: PointSet, tree: CondensedTree, exemplars: Exemplars, clusters: Int32Array) {
    const k = clusters.length;
    this.#points = points;
    this.#tree = tree;
    this.#exemplars = Array.from({length: k}, (_, label) => nearestOf(points, exemplars, label));
    this.#at = new Float64Array(points.dim);
    this.#lambdaMax = Float64Array.from(clusters, (c) => lambdaOf(tree.deathSquared[c]));
    this.#squared = new Float64Array(k);
    this.#weights = new Float64Array(k);
    this.#ascending = new Float64Array(k);
  }

  /**
   * @param heights  by label, as `MergeHeights` writes them for the last cluster of the point
   * @returns        by label; valid until the next call
   */
  of(i: number, heights: Float64Array): Float64Array {
    const {clusterOf, leavesSquared, deathSquared} = this.#tree;
    const weights = this.#weights;
    const own = lambdaOf(leavesSquared[i]);
    const least = this.#nearestExemplars(i);
    if (least === 0) {
      weights.forEach((_, label) => (weights[label] = this.#squared[label] === 0 ? 1 : 0));
    } else {
      this.#writeScores(heights, own, lambdaOf(deathSquared[clusterOf[i]]));
    }
    // In ascending order, which does not depend on the numbers of the clusters.
    this.#ascending.set(weights);
    this.#ascending.sort();
    const sum = this.#ascending.reduce((total, weight) => total + weight, 0);
    const share = sum === 0 ? 0 : this.#anyCluster(heights, own);
    for (let label = 0; label < weights.length; label++)
      weights[label] = sum === 0 ? 0 : (weights[label] / sum) * share;
    return weights;
  }

  /** Writes the squared distance of the nearest exemplar of each cluster, and returns the least one. */
  #nearestExemplars(i: number): number {
    const {coords, dim} = this.#points;
    for (let d = 0; d < dim; d++) this.#at[d] = coords[i * dim + d];
    let least = Infinity;
    for (const [label, exemplars] of this.#exemplars.entries()) {
      this.#squared[label] = exemplars.query(this.#at, 0);
      least = Math.min(least, this.#squared[label]);
    }
    return least;
  }

  /** √(1/distance) · e^(2 · score), relative to the largest score: its limit where scores are infinite. */
  #writeScores(heights: Float64Array, own: number, lambdaMax: number): void {
    const weights = this.#weights;
    let most = 0;
    for (let label = 0; label < weights.length; label++) {
      const height = heights[label] === OWN_LEVEL ? own : heights[label];
      const score = height === lambdaMax ? Infinity : lambdaMax === Infinity ? 1 : lambdaMax / (lambdaMax - height);
      weights[label] = score;
      most = Math.max(most, score);
    }
    for (let label = 0; label < weights.length; label++) {
      const factor = weights[label] === most ? 1 : most === Infinity ? 0 : expBelowOne(2 * (weights[label] - most));
      weights[label] = factor / Math.sqrt(Math.sqrt(this.#squared[label]));
    }
  }

  /** The probability to be in any cluster: of the cluster in whose component the point is longest. */
  #anyCluster(heights: Float64Array, own: number): number {
    let most = -1;
    let share = 0;
    for (let label = 0; label < heights.length; label++) {
      const height = heights[label] === OWN_LEVEL ? own : heights[label];
      if (height < most) continue;
      const lambdaMax = this.#lambdaMax[label];
      const of = height >= lambdaMax ? 1 : height / lambdaMax;
      share = height > most ? of : Math.max(share, of);
      most = height;
    }
    return share;
  }
}
