import {pointCount, type PointSet} from '@epsball/clustering';
import {FractionatedSort} from './fractionatedSort.ts';
import {orderedWords, type KeyColumns} from './keyColumns.ts';
import {projectPoints, type Projection, type PrincipalAxes} from './projection.ts';
import {directoryShape, leafStarts, levelStart, type DirectoryShape, type DirectoryShapeOptions} from './shape.ts';

/**
 * Points in the order of a directory. The first level cuts them into `fanout` quantiles of the first key, the second
 * each of these by the second key, and so on (Böhm et al. 2009, section 6). A position is a point's place in this
 * order; every node holds a run of positions.
 */
export interface QuantileDirectory extends DirectoryShape {
  readonly dim: number;
  /** Points. */
  readonly n: number;
  /** CSR, length leaves + 1: leaf c holds positions leafStart[c] … leafStart[c + 1] − 1. */
  readonly leafStart: Int32Array;
  /**
   * Smallest and largest key of each node on its level's axis, level by level; an empty node has ∞, −∞. With those of
   * the nodes above it they are the node's bounding rectangle.
   */
  readonly nodeBounds: Float64Array;
  /** Original index of each position. */
  readonly pointOrder: Int32Array;
  /** Position of each original index. */
  readonly positionOf: Int32Array;
  /** Coordinates by position, point-major, of the input's type. */
  readonly sortedCoords: Float32Array | Float64Array;
  /** Keys by position: `sortedCoords`, or projections. */
  readonly sortedKeys: KeyColumns;
  /** Where keys are projections: how far they may be off. */
  readonly projection: Projection | undefined;
}

export interface QuantileDirectoryOptions extends DirectoryShapeOptions {
  /**
   * Order by projections on these axes instead of the first coordinates, as the paper suggests, so that the first levels
   * tell most points apart. Distances, and so labels, stay those of the coordinates. Points of which a projection could
   * overflow (a coordinate beyond 2^500) are ordered by coordinates.
   */
  readonly axes?: PrincipalAxes | undefined;
}

/**
 * Sorts points into a directory by quantiles of their first dimensions.
 *
 * Bytes a point that the directory keeps, for dim axes of b-byte coordinates: dim·b + 8, and 8·levels where it has
 * projections. Building takes at most 20 more (28 for float64 keys).
 *
 * @param points  points that `validatePoints` accepts, of any dim; not modified, not kept
 * @throws        InvalidParameterError  if levels or fanout are out of range, or the axes are not of the points' dim
 * @complexity    O(n · levels), the table of nodes beside it
 * @source        Böhm et al. 2009, section 6
 */
export function buildQuantileDirectory(points: PointSet, options: QuantileDirectoryOptions = {}): QuantileDirectory {
  const {coords, dim} = points;
  const n = pointCount(points);
  const shape = directoryShape(dim, options);
  const projection = options.axes && projectPoints(points, options.axes, shape.levels);
  const keys: KeyColumns = projection ?? {values: coords, stride: dim};
  const leafStart = leafStarts(n, shape);
  const nodeBounds = new Float64Array(2 * shape.nodes);
  const pointOrder = Int32Array.from({length: n}, (_, i) => i);
  const sorter = new FractionatedSort(n);
  for (let level = 0; level < shape.levels; level++) {
    const words = orderedWords(keys, level, n);
    const span = shape.leaves / shape.fanout ** level;
    for (let c = 0; c < shape.leaves; c += span) sorter.sort(pointOrder, leafStart[c], leafStart[c + span], words);
    // Now, because the next level takes the points of a node out of this order.
    writeBounds(level, {shape, leafStart, pointOrder, keys, nodeBounds});
  }
  const positionOf = new Int32Array(n);
  for (let k = 0; k < n; k++) positionOf[pointOrder[k]] = k;
  const sortedCoords = gatherRows(coords, dim, pointOrder);
  const sortedKeys = projection
    ? {values: gatherRows(projection.values, projection.stride, pointOrder), stride: projection.stride}
    : {values: sortedCoords, stride: dim};
  return {...shape, dim, n, leafStart, nodeBounds, pointOrder, positionOf, sortedCoords, sortedKeys, projection};
}

interface BoundsInput {
  readonly shape: DirectoryShape;
  readonly leafStart: Int32Array;
  readonly pointOrder: Int32Array;
  readonly keys: KeyColumns;
  readonly nodeBounds: Float64Array;
}

/** Bounds of the nodes of a level, whose points are in ascending order of its key. */
function writeBounds(level: number, {shape, leafStart, pointOrder, keys, nodeBounds}: BoundsInput): void {
  const count = shape.fanout ** (level + 1);
  const span = shape.leaves / count;
  let at = 2 * levelStart(level, shape.fanout);
  for (let node = 0; node < count; node++, at += 2) {
    const start = leafStart[node * span];
    const end = leafStart[(node + 1) * span];
    const isEmpty = start === end;
    nodeBounds[at] = isEmpty ? Infinity : keys.values[pointOrder[start] * keys.stride + level];
    nodeBounds[at + 1] = isEmpty ? -Infinity : keys.values[pointOrder[end - 1] * keys.stride + level];
  }
}

/** Rows of `stride` numbers in the order of `pointOrder`; a new array of the same type. */
function gatherRows<T extends Float32Array | Float64Array>(values: T, stride: number, pointOrder: Int32Array): T;
function gatherRows(
  values: Float32Array | Float64Array,
  stride: number,
  pointOrder: Int32Array,
): Float32Array | Float64Array {
  const length = pointOrder.length * stride;
  const sorted = values instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
  for (let k = 0, to = 0; k < pointOrder.length; k++) {
    const from = pointOrder[k] * stride;
    for (let d = 0; d < stride; d++) sorted[to++] = values[from + d];
  }
  return sorted;
}
