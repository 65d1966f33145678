import {pointsAt, RunPacer, type PointSet, type RunOptions} from '@epsball/clustering';
import {buildKdTree, KdNearest} from '@epsball/kd-tree';
import type {CondensedTree} from '../algorithm.ts';
import {lambdaOf} from '../hierarchy/steps.ts';
import type {Clustering} from './clustering.ts';
import type {Exemplars} from './exemplars.ts';
import {expBelowOne} from './expBelowOne.ts';
import {MergeHeights, OWN_LEVEL} from './mergeHeights.ts';
import {TopList} from './topList.ts';

/** Searches among exemplars between two checks of the clock. */
const SEARCHES_PER_PAUSE = 1 << 12;

/**
 * The largest memberships of some points, by their place in the list of points; at equal memberships the lower label
 * first.
 *
 * @param indices  of points
 * @param top      clusters a point, at most as many as there are
 * @returns        `top` labels and values a point; owned by the caller
 * @throws RunAbortedError
 * @complexity     O(points · k · log exemplars) for k clusters, in few dimensions
 */
export async function topMemberships(
  {points, tree, selected, exemplars}: Clustering,
  indices: Int32Array,
  top: number,
  options: RunOptions<'memberships'>,
): Promise<{readonly clusters: Int32Array; readonly values: Float64Array}> {
  const count = indices.length;
  const found = {clusters: new Int32Array(count * top), values: new Float64Array(count * top)};
  if (top === 0) return found;
  const pacer = new RunPacer<'memberships'>(count, options);
  const weights = new MembershipWeights(points, tree, exemplars, selected.clusters);
  const heightsOf = new MergeHeights(tree, selected);
  const heights = new Float64Array(selected.clusters.length);
  const list = new TopList(top);
  const slice = Math.max(1, Math.floor(SEARCHES_PER_PAUSE / selected.clusters.length));
  let last = -1;
  for (const [done, place] of byLastCluster(tree, indices).entries()) {
    const i = indices[place];
    if (tree.clusterOf[i] !== last) heightsOf.write((last = tree.clusterOf[i]), heights);
    list.fill(weights.of(i, heights), found.clusters, found.values, place * top);
    if (done % slice === 0) await pacer.pause('memberships', done);
  }
  return found;
}

/** The places of points in their list, by their last cluster. */
function byLastCluster({parent, clusterOf}: CondensedTree, indices: Int32Array): Int32Array {
  const next = new Int32Array(parent.length + 1);
  for (const i of indices) next[clusterOf[i] + 1]++;
  for (let c = 0; c < parent.length; c++) next[c + 1] += next[c];
  const order = new Int32Array(indices.length);
  for (let place = 0; place < order.length; place++) order[next[clusterOf[indices[place]]]++] = place;
  return order;
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
