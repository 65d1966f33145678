import {
  checkKnownOptions,
  InvalidParameterError,
  pointCount,
  UnsupportedDimensionError,
  type PartListener,
  type PointSet,
} from '@epsball/clustering';
import {KD_DIM_MAX, KD_LEAF_POINTS, type KdTree} from './kdTree.ts';
import {selectPosition} from './select.ts';

/** Leaves above this size make no sense, and let a query test all points. */
const LEAF_POINTS_MAX = 1024;

export interface KdTreeOptions {
  /** Most points in a leaf; integer from 1 to 1024. Default: 16. */
  readonly leafPoints?: number | undefined;
  /** Whether the arrays are on `SharedArrayBuffer`s, for worker threads. Default: false. */
  readonly isShared?: boolean | undefined;
  /** Hears of the points that are in leaves. Default: nothing. */
  readonly onProgress?: PartListener | undefined;
}

/**
 * Builds a k-d tree. A node is divided at the median of the axis on which its box is widest.
 *
 * Bytes: n · (8 · dim + 4), and 16 · dim + 14 for each of some 2.7 · n / leafPoints nodes.
 *
 * @param points  points that `validatePoints` accepts, at most 1536 dimensions; not modified, not kept
 * @returns       owned by the caller
 * @throws UnsupportedDimensionError  if the points have more dimensions
 * @throws InvalidParameterError      if an option is unknown or out of range
 * @complexity    O(n · dim · log n)
 * @source        Friedman, Bentley and Finkel 1977
 */
export function buildKdTree(points: PointSet, options: KdTreeOptions = {}): KdTree {
  checkKnownOptions(options, ['leafPoints', 'isShared', 'onProgress'], 'options', 'an object such as {leafPoints: 16}');
  const {leafPoints = KD_LEAF_POINTS, isShared = false, onProgress} = options;
  if (!Number.isInteger(leafPoints) || leafPoints < 1 || leafPoints > LEAF_POINTS_MAX) {
    throw new InvalidParameterError('leafPoints', leafPoints, `an integer from 1 to ${LEAF_POINTS_MAX}`);
  }
  const tree = layKdTree(points, leafPoints, isShared);
  divideKdNode(tree, leafPoints, {node: 0, from: 0, to: tree.n}, onProgress);
  return tree;
}

/**
 * Makes a tree with all of its points in the root, which is not divided yet.
 *
 * @param leafPoints  as in `KdTreeOptions`; not checked
 * @throws UnsupportedDimensionError  as `buildKdTree`
 */
export function layKdTree(points: PointSet, leafPoints: number, isShared: boolean): KdTree {
  const {dim} = points;
  if (dim > KD_DIM_MAX) throw new UnsupportedDimensionError('a k-d tree', dim, KD_DIM_MAX);
  const tree = allocateTree(dim, pointCount(points), leafPoints, isShared);
  tree.coords.set(points.coords);
  for (let i = 0; i < tree.n; i++) tree.pointOrder[i] = i;
  return tree;
}

/** A node and its positions [from, to). */
export interface KdNode {
  readonly node: number;
  readonly from: number;
  readonly to: number;
}

/** Builds the subtree of a node. Subtrees of different nodes share no word: threads may build them side by side. */
export function divideKdNode(tree: KdTree, leafPoints: number, root: KdNode, onProgress?: PartListener): void {
  const waiting = [root];
  const count = Math.max(1, root.to - root.from);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const children = splitKdNode(tree, leafPoints, node);
    waiting.push(...children);
    // The last positions come first.
    if (children.length === 0 && onProgress !== undefined) onProgress((root.to - node.from) / count);
  }
}

/** Writes a node, and moves its points to its children's sides. Returns the children: none of a leaf. */
export function splitKdNode(tree: KdTree, leafPoints: number, {node, from, to}: KdNode): KdNode[] {
  if (from === to) return [];
  const {dim, start, end, right, boxes} = tree;
  start[node] = from;
  end[node] = to;
  const axis = (tree.axis[node] = layBox(tree, node));
  if (to - from <= leafPoints) return [];
  const middle = from + ((to - from) >>> 1);
  const low = 2 * dim * node + axis;
  if (boxes[low] < boxes[low + dim]) selectPosition(tree, axis, from, to - 1, middle);
  right[node] = node + 1 + nodeCount(middle - from, leafPoints);
  return [
    {node: node + 1, from, to: middle},
    {node: right[node], from: middle, to},
  ];
}

function allocateTree(dim: number, n: number, leafPoints: number, isShared: boolean): KdTree {
  const nodes = nodeCount(n, leafPoints);
  const buffer = (bytes: number): ArrayBufferLike => (isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  return {
    dim,
    n,
    coords: new Float64Array(buffer(8 * n * dim)),
    pointOrder: new Int32Array(buffer(4 * n)),
    start: new Int32Array(buffer(4 * nodes)),
    end: new Int32Array(buffer(4 * nodes)),
    right: new Int32Array(buffer(4 * nodes)),
    axis: new Uint16Array(buffer(2 * nodes)),
    boxes: new Float64Array(buffer(16 * nodes * dim)),
  };
}

/** Nodes of a tree. On one level of a tree, sizes of nodes differ by one at most. */
function nodeCount(n: number, leafPoints: number): number {
  if (n === 0) return 0;
  let small = n;
  let smalls = 1;
  let larges = 0;
  let nodes = 1;
  while (small + 1 > leafPoints && smalls + larges > 0) {
    // Of the nodes of a level, those of size `small` may be leaves already.
    const split = small > leafPoints ? smalls : 0;
    nodes += 2 * (split + larges);
    const half = small >>> 1;
    const isOdd = (small & 1) === 1;
    const nextSmalls = isOdd ? split : 2 * split + larges;
    larges = isOdd ? split + 2 * larges : larges;
    smalls = nextSmalls;
    small = half;
  }
  return nodes;
}

/** Writes the box of a node, and returns the axis on which it is widest. */
function layBox({dim, coords, start, end, boxes}: KdTree, node: number): number {
  const low = node * 2 * dim;
  const high = low + dim;
  const first = start[node] * dim;
  for (let d = 0; d < dim; d++) boxes[low + d] = boxes[high + d] = coords[first + d];
  const stop = end[node] * dim;
  for (let at = first + dim; at < stop; at += dim) {
    for (let d = 0; d < dim; d++) {
      const x = coords[at + d];
      if (x < boxes[low + d]) boxes[low + d] = x;
      else if (x > boxes[high + d]) boxes[high + d] = x;
    }
  }
  let widest = 0;
  let width = -1;
  for (let d = 0; d < dim; d++) {
    const extent = boxes[high + d] - boxes[low + d];
    if (extent > width) {
      width = extent;
      widest = d;
    }
  }
  return widest;
}
