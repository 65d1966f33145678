import {
  comparedDistance,
  indicesBelow,
  isNeighbor,
  pointCount,
  WeightSum,
  type DbscanParams,
  type PointSet,
} from '@epsball/clustering';

/** Values that are sorted at a time, at least. */
const SORTED_MIN = 1024;

/** Compared distances at which points become core. Holds a number for each point that it was asked for. */
export class CoreBounds {
  readonly #points: PointSet;
  readonly #params: DbscanParams;
  readonly #sum: WeightSum | undefined;
  readonly #known = new Map<number, number>();

  /** @param params  with weights in a Float64Array */
  constructor(points: PointSet, params: DbscanParams) {
    this.#points = points;
    this.#params = params;
    const {sampleWeight, minPts} = params;
    this.#sum = sampleWeight === undefined ? undefined : new WeightSum(Float64Array.from(sampleWeight), minPts);
  }

  /** The compared distances of all points from one; infinite where times are too far apart. */
  distancesFrom(i: number): Float64Array {
    const {coords, dim} = this.#points;
    const {metric = 'euclidean', epsTime} = this.#params;
    const distances = new Float64Array(pointCount(this.#points));
    const axes = epsTime === undefined ? dim : dim - 1;
    for (let j = 0; j < distances.length; j++) {
      const isNear =
        epsTime === undefined || Math.abs(coords[(i + 1) * dim - 1] - coords[(j + 1) * dim - 1]) <= epsTime;
      distances[j] = isNear ? comparedDistance(coords, dim, i, j, metric, axes) : Infinity;
    }
    return distances;
  }

  areNeighbors(i: number, j: number): boolean {
    return isNeighbor(this.#points.coords, this.#points.dim, i, j, this.#params);
  }

  /**
   * The smallest bound, `least` or more, at which a point is core; infinite if there is none.
   *
   * @complexity  O(n · log minPts); with weights O(n · log n)
   */
  of(i: number, least: number): number {
    if (this.#sum !== undefined) return weightedBound(this.distancesFrom(i), this.#sum, least);
    let bound = this.#known.get(i);
    if (bound === undefined) {
      bound = kthSmallest(this.distancesFrom(i), this.#params.minPts);
      this.#known.set(i, bound);
    }
    return Math.max(bound, least);
  }
}

/** Infinite for fewer than k values. */
function kthSmallest(values: Float64Array, k: number): number {
  if (k > values.length) return Infinity;
  // The k smallest so far, and values below them.
  const least = new Float64Array(Math.max(2 * k, SORTED_MIN)).fill(Infinity);
  let count = 0;
  let bound = Infinity;
  for (let i = 0; i < values.length; i++) {
    if (!(values[i] < bound)) continue;
    least[count++] = values[i];
    if (count < least.length) continue;
    bound = least.sort()[k - 1];
    count = k;
  }
  return least.fill(Infinity, count).sort()[k - 1];
}

/** With weights of any sign a point can be core at a distance, and not at a larger one. */
function weightedBound(distances: Float64Array, sum: WeightSum, least: number): number {
  const order = indicesBelow(distances.length).sort((a, b) => distances[a] - distances[b]);
  sum.start();
  for (let k = 0; k < order.length; k++) {
    sum.addOne(order[k]);
    const here = distances[order[k]];
    // All points of one distance count, and all below the least bound.
    const next = k + 1 < order.length ? distances[order[k + 1]] : Infinity;
    if (next > here && next > least && sum.isEnough()) return Math.max(here, least);
  }
  return Infinity;
}
