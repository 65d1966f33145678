import {createCellSetsWorkers, type CellSetsWorkersOptions} from '@epsball/cell-sets/workers';
import {checkKnownOptions, type DbscanAlgorithm} from '@epsball/clustering';

export type PdsWorkersOptions = Omit<CellSetsWorkersOptions, 'name' | 'cells'>;

/**
 * Creates PDSDBSCAN-S on worker threads: index, core points, local unions, merging and labels are waves over all
 * threads. The threads live until `destroy()`. Concurrent runs queue. Points on a `SharedArrayBuffer` are used in
 * place, others are copied to one first. Labels and core mask lie on a `SharedArrayBuffer`.
 *
 * Counters: as for `createCellSetsWorkers` of `@epsball/cell-sets/workers`.
 *
 * @param options  threads, and how they share the work
 * @returns        the algorithm, owned by the caller
 * @throws InvalidParameterError  if an option is out of range
 * @complexity as `createPdsSequential`, divided by the threads
 * @source     Patwary et al. 2012, Algorithm 3
 */
export function createPdsWorkers(options: PdsWorkersOptions = {}): DbscanAlgorithm {
  checkKnownOptions(
    options,
    ['index', 'threads', 'pool', 'union', 'partition', 'pointsPerChunk'],
    'options',
    'an object such as {threads: 4}',
  );
  return createCellSetsWorkers({...options, name: 'pds'});
}
