import {indicesBelow, InvalidParameterError, pointCount, type PointSet} from '@epsball/clustering';
import {reachOf} from './reach.ts';
import {tilingFromCuts, type CutTree, type Tiling} from './tiling.ts';

interface PlanOptions {
  readonly eps: number;
  /** Number of points of the whole data, of which the sample is a part. */
  readonly rowCount: number;
  /** Maximum number of points that a tile reads, its halo included. */
  readonly capacity: number;
  /** Least number of tiles, if the extent of the data allows it. Default: 1. */
  readonly minTiles?: number | undefined;
  /** Least width of a box, in units of the reach of eps. Default: 2; narrower boxes are mostly halo. */
  readonly minWidth?: number | undefined;
}

/** A box in the sample: its own points, and the points that it reads. */
interface SampledBox {
  readonly owned: Int32Array;
  readonly read: Int32Array;
  division?: {readonly axis: number; readonly at: number; readonly below: SampledBox; readonly above: SampledBox};
}

/**
 * Divides space at medians of a sample until each tile reads at most `capacity` points.
 *
 * A box is cut on its longest axis that is wide enough. A box that no cut improves stays whole, even above the
 * capacity.
 *
 * @param sample  m points of the data, any order; not modified
 * @complexity    O(m · log tiles) time and memory
 */
export function planTiling(sample: PointSet, options: PlanOptions): Tiling {
  const {eps, rowCount, capacity, minTiles = 1, minWidth = 2} = options;
  if (!(capacity >= 1)) throw new InvalidParameterError('capacity', capacity, 'a number ≥ 1');
  const reach = reachOf(eps);
  const m = pointCount(sample);
  const perSample = m === 0 ? 0 : rowCount / m;
  const all = indicesBelow(m);
  const root: SampledBox = {owned: all, read: all};
  const open = [root];
  let tileCount = 1;
  while (open.length > 0) {
    const largest = takeLargest(open);
    if (largest.read.length * perSample <= capacity && tileCount >= minTiles) break;
    const division = divide(sample, largest, reach, minWidth);
    if (division === undefined) continue;
    largest.division = division;
    open.push(division.below, division.above);
    tileCount++;
  }
  const toTree = ({division}: SampledBox): CutTree | undefined =>
    division && {...division, below: toTree(division.below), above: toTree(division.above)};
  return tilingFromCuts(sample.dim, toTree(root));
}

function takeLargest(boxes: SampledBox[]): SampledBox {
  let at = 0;
  for (let k = 1; k < boxes.length; k++) if (boxes[k].read.length > boxes[at].read.length) at = k;
  return boxes.splice(at, 1)[0];
}

function divide(sample: PointSet, box: SampledBox, reach: number, minWidth: number): SampledBox['division'] {
  const {coords, dim} = sample;
  const axes = Array.from({length: dim}, (_, axis) => ({axis, ...extentOf(sample, box.owned, axis)}))
    .filter(({low, high}) => high > low && high - low > minWidth * reach)
    .sort((a, b) => b.high - b.low - (a.high - a.low));
  for (const {axis} of axes) {
    const x = new Float64Array(box.owned.length);
    for (let k = 0; k < x.length; k++) x[k] = coords[box.owned[k] * dim + axis];
    const at = medianAbove(x.sort());
    const owned = divideAt(sample, box.owned, axis, at, 0);
    const read = divideAt(sample, box.read, axis, at, reach);
    const below = {owned: owned.below, read: read.below};
    const above = {owned: owned.above, read: read.above};
    // A side that reads everything gains nothing, and the other side is then all halo.
    if (Math.max(below.read.length, above.read.length) < box.read.length || minWidth === 0)
      return {axis, at, below, above};
  }
  return undefined;
}

function extentOf({coords, dim}: PointSet, indices: Int32Array, axis: number): {low: number; high: number} {
  let low = Infinity;
  let high = -Infinity;
  for (const i of indices) {
    const x = coords[i * dim + axis];
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return {low, high};
}

/** The points on both sides of a cut. Above 0, each side also has those of the other within reach. */
function divideAt(
  {coords, dim}: PointSet,
  indices: Int32Array,
  axis: number,
  at: number,
  reach: number,
): {below: Int32Array; above: Int32Array} {
  const below = new Int32Array(indices.length);
  const above = new Int32Array(indices.length);
  let [belowCount, aboveCount] = [0, 0];
  for (let k = 0; k < indices.length; k++) {
    const i = indices[k];
    const x = coords[i * dim + axis];
    const isBelow = x < at;
    if (isBelow || (reach > 0 && x - at <= reach)) below[belowCount++] = i;
    if (!isBelow || (reach > 0 && at - x <= reach)) above[aboveCount++] = i;
  }
  return {below: below.slice(0, belowCount), above: above.slice(0, aboveCount)};
}

/** The median of ascending values, or the next larger value if the median is the least one: both sides own points. */
function medianAbove(values: Float64Array): number {
  const median = values[values.length >> 1];
  return median > values[0] ? median : (values.find((value) => value > median) ?? median);
}
