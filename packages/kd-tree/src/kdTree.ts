/** Most dimensions of a tree. */
export const KD_DIM_MAX = 1536;

/** Default: most points in a leaf. */
export const KD_LEAF_POINTS = 16;

/**
 * A balanced k-d tree with its points in the order of the leaves.
 *
 * The *position* of a point is its place in this order. A node holds the positions [start, end). Nodes are in preorder:
 * the root is node 0, the left child of node `k` is `k + 1`, and the right child is `right[k]`. A tree without points
 * has no nodes.
 *
 * A plain object: it can be posted to another thread, which shares the arrays if they are on `SharedArrayBuffer`s.
 */
export interface KdTree {
  readonly dim: number;
  /** Number of points. */
  readonly n: number;
  /** n · dim coordinates by position, exact. */
  readonly coords: Float64Array;
  /** Index of the point at each position. */
  readonly pointOrder: Int32Array;
  /** First position of each node. */
  readonly start: Int32Array;
  /** The position after the last of each node. */
  readonly end: Int32Array;
  /** The right child of each node; 0 for a leaf. */
  readonly right: Int32Array;
  /** The axis at which each node is divided: that on which its box is widest; of leaves, too. */
  readonly axis: Uint16Array;
  /** The smallest box around the points of each node: `dim` lower bounds, then `dim` upper bounds. */
  readonly boxes: Float64Array;
}
