import {createCellSets} from '@epsball/cell-sets';
import type {DbscanAlgorithm} from '@epsball/clustering';

/**
 * Creates DBSCAN on the calling thread over cells whose points are all neighbours: whole cells are core, and one pair
 * of core points joins two cells. A run yields to the event loop about every 25 ms, for abort and progress.
 *
 * Host bytes per point beyond input and result, 2-D float32: grid 28 (dense) or 49 (sparse), forest and firsts 9.
 *
 * @returns    the algorithm, owned by the caller; it holds no memory between runs
 * @complexity O(n · (minPts + log n)), and the search for pairs of crowded cells: few nodes of two trees, unless their
 *             points run along each other at a distance just above eps
 * @source     Gunawan 2013, A faster algorithm for DBSCAN
 */
export function createDenseGridSequential(): DbscanAlgorithm {
  return createCellSets({name: 'dense-grid', index: 'grid', cells: 'diagonal'});
}
