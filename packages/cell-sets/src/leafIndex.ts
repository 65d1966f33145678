import {squaredEps} from '@epsball/clustering';
import {boxesNearSquared, type KdTree} from '@epsball/kd-tree';
import {cellsToRanges, type CellIndex} from '@epsball/spatial-grid';

/** A k-d tree and its leaves, which serve as cells. */
export interface LeafArrays {
  readonly tree: KdTree;
  readonly cellStart: Int32Array;
  readonly firstLeaf: Int32Array;
}

/** A `CellIndex` whose cells are the leaves of a tree. */
export interface LeafIndex extends CellIndex {
  readonly tree: KdTree;
}

export function isLeafIndex(index: CellIndex): index is LeafIndex {
  return 'tree' in index;
}

/** Lists the leaves of a tree, on shared memory. */
export function listLeaves(tree: KdTree): LeafArrays {
  const {right, start, n} = tree;
  const leaves = right.reduce((count, child) => count + Number(child === 0), 0);
  const words = new Int32Array(new SharedArrayBuffer(4 * (Math.max(leaves, 1) + 1 + right.length)));
  const cellStart = words.subarray(0, Math.max(leaves, 1) + 1);
  const firstLeaf = words.subarray(cellStart.length);
  // Nodes are in preorder, so leaves are in the order of their positions.
  for (let node = 0, leaf = 0; node < right.length; node++) {
    firstLeaf[node] = leaf;
    if (right[node] === 0) cellStart[leaf++] = start[node];
  }
  cellStart[cellStart.length - 1] = n;
  return {tree, cellStart, firstLeaf};
}

/** Opens an index of leaves on one thread. The cells around a leaf are the leaves whose boxes are within eps. */
export function openLeaves({tree, cellStart, firstLeaf}: LeafArrays, eps: number): LeafIndex {
  const {dim, n, boxes, right, pointOrder, coords} = tree;
  const limit = squaredEps(eps);
  const cellCount = cellStart.length - 1;
  const nodeOfLeaf = new Int32Array(cellCount);
  for (let node = 0; node < right.length; node++) if (right[node] === 0) nodeOfLeaf[firstLeaf[node]] = node;
  // A tree has fewer than 32 levels, and one child of each waits.
  const stack = new Int32Array(64);
  const neighborCells = (cell: number, cells: Int32Array): number => {
    if (n === 0) return 0;
    const own = nodeOfLeaf[cell];
    let count = 0;
    let waiting = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
      const node = stack[--waiting];
      if (boxesNearSquared(boxes, dim, own, node, limit) > limit) continue;
      if (right[node] !== 0) {
        stack[waiting++] = right[node];
        stack[waiting++] = node + 1;
        continue;
      }
      const leaf = firstLeaf[node];
      if (count > 0 && cells[count - 1] === leaf) {
        cells[count - 1] = leaf + 1;
        continue;
      }
      cells[count++] = leaf;
      cells[count++] = leaf + 1;
    }
    return count >> 1;
  };
  const neighborRanges = (cell: number, ranges: Int32Array): number =>
    cellsToRanges(ranges, neighborCells(cell, ranges), cellStart);
  const arrays = {cellStart, pointOrder, sortedCoords: coords};
  return {dim, reach: 1, rangesLength: 2 * cellCount, n, cellCount, ...arrays, neighborRanges, neighborCells, tree};
}
