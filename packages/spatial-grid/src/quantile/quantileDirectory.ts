import {checkKnownOptions, indicesBelow, pointCount, type PointSet} from '@epsball/clustering';
import {positionsOfPoints} from '../storedGrid.ts';
import {orderedWords, sortPartition} from './fractionatedSort.ts';
import {projectPoints, type KeyColumns, type Projection, type PrincipalAxes} from './projection.ts';
import {directoryShape, leafStarts, levelStart, type DirectoryShape, type DirectoryShapeOptions} from './shape.ts';

/**
 * Points in the order of a directory. The first level divides them into `fanout` quantiles of the first key. The second
 * level divides each of these by the second key, and so on (Böhm et al. 2009, section 6). The position of a point is
 * its place in this order. Every node holds a run of positions.
 */
export interface QuantileDirectory extends DirectoryShape {
  readonly dim: number;
  /** Number of points. */
  readonly n: number;
  /** CSR, length leaves + 1: leaf c holds positions leafStart[c] … leafStart[c + 1] − 1. */
  readonly leafStart: Int32Array;
  /**
   * Smallest and largest key of each node on the axis of its level, level by level; ∞ and −∞ for an empty node. The
   * intervals of a node and of its ancestors are its bounding rectangle.
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
  /** Error bounds of the keys, if they are projections. */
  readonly projection: Projection | undefined;
}

export interface QuantileDirectoryOptions extends DirectoryShapeOptions {
  /**
   * Axes of the projections that order the points, in place of the first coordinates. As the paper suggests, the first
   * levels then separate most points. Distances and labels are still those of the coordinates. If a projection could
   * overflow (a coordinate beyond 2^500), the coordinates order the points.
   */
  readonly axes?: PrincipalAxes | undefined;
}

/**
 * Sorts points into a directory by quantiles of their first dimensions.
 *
 * Bytes a point, for dim axes of b-byte coordinates: dim·b + 8, plus 8·levels with projections. The build takes at most
 * 20 more (28 for float64 keys).
 *
 * @param points  validated by `validatePoints`, of any dim; not modified, not kept
 * @throws        InvalidParameterError  if levels or fanout are out of range, or the axes have another dim than the
 *                                       points
 * @complexity    O(n · levels + fanout ^ levels)
 * @source        Böhm et al. 2009, section 6
 */
export function buildQuantileDirectory(points: PointSet, options: QuantileDirectoryOptions = {}): QuantileDirectory {
  checkKnownOptions(options, ['levels', 'fanout', 'axes'], 'options', 'an object such as {levels: 3}');
  const {coords, dim} = points;
  const n = pointCount(points);
  const shape = directoryShape(dim, options);
  const projection = options.axes && projectPoints(points, options.axes, shape.levels);
  const keys: KeyColumns = projection ?? {values: coords, stride: dim};
  const leafStart = leafStarts(n, shape);
  const nodeBounds = new Float64Array(2 * shape.nodes);
  const pointOrder = indicesBelow(n);
  for (let level = 0; level < shape.levels; level++) {
    const words = orderedWords(keys, level, n);
    const span = shape.leaves / shape.fanout ** level;
    for (let c = 0; c < shape.leaves; c += span) sortPartition(pointOrder, leafStart[c], leafStart[c + span], words);
    // The points of each node are sorted by the key of the level now; the next level changes the order within a node.
    const children = span / shape.fanout;
    let at = 2 * levelStart(level, shape.fanout);
    for (let c = 0; c < shape.leaves; c += children, at += 2) {
      const [start, end] = [leafStart[c], leafStart[c + children]];
      nodeBounds[at] = start === end ? Infinity : keys.values[pointOrder[start] * keys.stride + level];
      nodeBounds[at + 1] = start === end ? -Infinity : keys.values[pointOrder[end - 1] * keys.stride + level];
    }
  }
  const positionOf = positionsOfPoints(pointOrder);
  const sortedCoords = gatherRows(coords, dim, pointOrder);
  const sortedKeys = projection
    ? {values: gatherRows(projection.values, projection.stride, pointOrder), stride: projection.stride}
    : {values: sortedCoords, stride: dim};
  return {...shape, dim, n, leafStart, nodeBounds, pointOrder, positionOf, sortedCoords, sortedKeys, projection};
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
