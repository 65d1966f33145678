import {limitOf, NOISE, type PartListener, type PointSet, type Radius, type VariantMetric} from '@epsball/clustering';
import {boxFarSquared, boxNearSquared, buildKdTree, type KdTree} from '@epsball/kd-tree';

/** Waiting nodes of a traversal: at most one a level, and a tree has fewer than 32 levels. */
const STACK = 64;

/** A bound of the compared distances between a point and the points of a node, as `boxNearSquared`. */
type BoxBound = typeof boxNearSquared;

/** Finds the lowest cluster of the core points within eps of a point, in any metric. */
export class LowestCluster {
  readonly #tree: KdTree;
  readonly #clusters: Int32Array;
  readonly #lowest: Int32Array;
  readonly #limit: number;
  readonly #near: BoxBound;
  readonly #far: BoxBound;
  readonly #metric: VariantMetric;
  readonly #stack = new Int32Array(STACK);

  /** @param clusters  of the core points, at most 1536 dimensions; ≥ 0 */
  constructor(core: PointSet, clusters: Int32Array, radius: Radius, onProgress?: PartListener) {
    const tree = buildKdTree(core, {onProgress});
    this.#tree = tree;
    this.#clusters = tree.pointOrder.map((index) => clusters[index]);
    this.#lowest = lowestOfNodes(tree, this.#clusters);
    this.#limit = limitOf(radius);
    this.#metric = radius.metric ?? 'euclidean';
    this.#near = this.#metric === 'euclidean' ? boxNearSquared : boxBound(this.#metric, false);
    this.#far = this.#metric === 'euclidean' ? boxFarSquared : boxBound(this.#metric, true);
  }

  /**
   * The compared distance of the nearest core point, if it is at most `limit`; else infinite. Nearer nodes come first.
   *
   * @complexity  O(log n) in few dimensions
   */
  nearest(at: Float64Array, offset: number, limit: number): number {
    const {dim, n, coords, start, end, right, boxes} = this.#tree;
    const stack = this.#stack;
    let best = Infinity;
    let waiting = 0;
    if (n > 0) stack[waiting++] = 0;
    while (waiting > 0) {
      const node = stack[--waiting];
      const near = this.#near(boxes, dim, node, at, offset, Infinity);
      if (near > limit || near >= best) continue;
      if (right[node] === 0) {
        for (let p = start[node]; p < end[node]; p++) {
          best = Math.min(best, distanceOf(coords, dim, p, at, offset, this.#metric));
        }
        continue;
      }
      const leftNear = this.#near(boxes, dim, node + 1, at, offset, Infinity);
      const isLeftFirst = leftNear <= this.#near(boxes, dim, right[node], at, offset, Infinity);
      stack[waiting++] = isLeftFirst ? right[node] : node + 1;
      stack[waiting++] = isLeftFirst ? node + 1 : right[node];
    }
    return best <= limit ? best : Infinity;
  }

  /**
   * The lowest cluster within a limit of a point, whose coordinates begin at `offset`; or −1. A node whose lowest
   * cluster is not below the best so far is not opened, nor is one that lies within the limit as a whole.
   *
   * @param limit  of compared distances. Default: that of eps
   */
  of(at: Float64Array, offset: number, limit: number = this.#limit): number {
    const {dim, n, right, boxes} = this.#tree;
    const lowest = this.#lowest;
    const stack = this.#stack;
    const none = 0x7fff_ffff;
    let best = none;
    let waiting = 0;
    if (n > 0 && this.#near(boxes, dim, 0, at, offset, limit) <= limit) stack[waiting++] = 0;
    while (waiting > 0) {
      const node = stack[--waiting];
      if (lowest[node] >= best) continue;
      if (right[node] === 0) {
        best = this.#lowestInLeaf(node, at, offset, best, limit);
        continue;
      }
      if (this.#far(boxes, dim, node, at, offset, limit) <= limit) {
        best = lowest[node];
        continue;
      }
      const leftNear = this.#near(boxes, dim, node + 1, at, offset, limit);
      const rightNear = this.#near(boxes, dim, right[node], at, offset, limit);
      // The nearer child first: it probably holds a neighbour, after which others need not be opened.
      const isLeftFirst = leftNear <= rightNear;
      if ((isLeftFirst ? rightNear : leftNear) <= limit) stack[waiting++] = isLeftFirst ? right[node] : node + 1;
      if ((isLeftFirst ? leftNear : rightNear) <= limit) stack[waiting++] = isLeftFirst ? node + 1 : right[node];
    }
    return best === none ? NOISE : best;
  }

  #lowestInLeaf(node: number, at: Float64Array, offset: number, bestSoFar: number, limit: number): number {
    const {dim, coords, start, end} = this.#tree;
    const clusters = this.#clusters;
    const lowest = this.#lowest[node];
    const metric = this.#metric;
    let best = bestSoFar;
    for (let p = start[node]; p < end[node]; p++) {
      if (clusters[p] >= best) continue;
      if (distanceOf(coords, dim, p, at, offset, metric) > limit) continue;
      best = clusters[p];
      if (best === lowest) break;
    }
    return best;
  }
}

/** The compared distance of a position and a point whose coordinates begin at `offset`. */
export function distanceOf(
  coords: Float64Array,
  dim: number,
  position: number,
  at: Float64Array,
  offset: number,
  metric: VariantMetric,
): number {
  const from = position * dim;
  let sum = 0;
  if (metric === 'euclidean') {
    for (let d = 0; d < dim; d++) {
      const delta = coords[from + d] - at[offset + d];
      sum += delta * delta;
    }
    return sum;
  }
  for (let d = 0; d < dim; d++) {
    const delta = Math.abs(coords[from + d] - at[offset + d]);
    sum = metric === 'manhattan' ? sum + delta : Math.max(sum, delta);
  }
  return sum;
}

/** Lower or upper bounds by boxes. They need no margin: rounding is monotone, as for squared distances. */
function boxBound(metric: VariantMetric, isFar: boolean): BoxBound {
  return (boxes, dim, node, at, offset) => {
    const low = node * 2 * dim;
    let sum = 0;
    for (let d = 0; d < dim; d++) {
      const x = at[offset + d];
      const below = boxes[low + d] - x;
      const above = x - boxes[low + dim + d];
      const delta = isFar ? Math.max(-below, -above) : Math.max(below, above, 0);
      sum = metric === 'manhattan' ? sum + delta : Math.max(sum, delta);
    }
    return sum;
  };
}

/** By node: the lowest cluster of its points. */
function lowestOfNodes({start, end, right}: KdTree, clusters: Int32Array): Int32Array {
  const lowest = new Int32Array(start.length);
  // Children follow their parent.
  for (let node = start.length - 1; node >= 0; node--) {
    if (right[node] !== 0) {
      lowest[node] = Math.min(lowest[node + 1], lowest[right[node]]);
    } else if (start[node] < end[node]) {
      lowest[node] = clusters.subarray(start[node], end[node]).reduce((least, cluster) => Math.min(least, cluster));
    }
  }
  return lowest;
}
