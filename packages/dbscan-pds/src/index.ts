import {createCellSets, type IndexChoice} from '@epsball/cell-sets';
import {checkKnownOptions, type DbscanAlgorithm} from '@epsball/clustering';

export interface PdsOptions {
  /**
   * Index that finds neighbours. 'grid': a uniform grid, 1 to 4 dimensions. 'none': tests all pairs, O(n²), any
   * dimension. 'tree': a k-d tree, 1 to 1536 dimensions. 'auto' (default): the grid in 1 to 4 dimensions, the tree up
   * to 64, otherwise none.
   */
  readonly index?: IndexChoice | undefined;
}

/**
 * Creates DSDBSCAN on the calling thread: marks core points, unites neighbouring core points (Rem's algorithm with
 * splicing), then labels border points. It is PDSDBSCAN-S with one part. A run yields to the event loop about every
 * 25 ms, for abort and progress.
 *
 * Host bytes per point beyond input and result, 2-D float32: grid 28 (dense) or 39 (sparse), forest and firsts 9.
 *
 * @param options  the index
 * @returns        the algorithm, owned by the caller; it holds no memory between runs
 * @throws InvalidParameterError  if `index` is unknown
 * @complexity grid: O(n · k), k = points in the 3^dim cells around a point, far less in dense regions; none: O(n²)
 * @source     Patwary et al. 2012, Algorithm 2
 */
export function createPdsSequential(options: PdsOptions = {}): DbscanAlgorithm {
  checkKnownOptions(options, ['index'], 'options', "an object such as {index: 'grid'}");
  return createCellSets({...options, name: 'pds'});
}
