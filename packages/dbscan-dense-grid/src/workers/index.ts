import {createCellSetsWorkers, type CellSetsWorkersOptions} from '@epsball/cell-sets/workers';
import {checkKnownOptions, type DbscanAlgorithm} from '@epsball/clustering';

export type DenseGridWorkersOptions = Pick<CellSetsWorkersOptions, 'threads' | 'pool' | 'pointsPerChunk'>;

/**
 * Creates `createDenseGridSequential` on worker threads, which live until `destroy()`. Concurrent runs queue. Points on
 * a `SharedArrayBuffer` are used in place, others are copied to one first. Labels and core mask lie on a
 * `SharedArrayBuffer`.
 *
 * Counters: as for `createCellSetsWorkers` of `@epsball/cell-sets/workers`.
 *
 * @param options  threads, and how much each takes at a time
 * @returns        the algorithm, owned by the caller
 * @throws InvalidParameterError  if an option is out of range
 * @complexity as `createDenseGridSequential`, divided by the threads
 */
export function createDenseGridWorkers(options: DenseGridWorkersOptions = {}): DbscanAlgorithm {
  checkKnownOptions(options, ['threads', 'pool', 'pointsPerChunk'], 'options', 'an object such as {threads: 4}');
  const {threads, pool, pointsPerChunk} = options;
  return createCellSetsWorkers({threads, pool, pointsPerChunk, name: 'dense-grid', index: 'grid', cells: 'diagonal'});
}
