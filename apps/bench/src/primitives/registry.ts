import type {OperationId} from '@epsball/benchmarks';
import type {Operation} from './operation.ts';
import {reduceMaxU32, reduceSumF32} from './operations/reduce.ts';
import {scanExclusiveU32, scanInclusiveF32} from './operations/scan.ts';
import {compactU32} from './operations/select.ts';
import {sortPairsU32} from './operations/sort.ts';

/** The code of every operation that the suite lists. */
export const registry: Readonly<Record<OperationId, Operation>> = {
  'reduce-sum-f32': reduceSumF32,
  'reduce-max-u32': reduceMaxU32,
  'scan-exclusive-u32': scanExclusiveU32,
  'scan-inclusive-f32': scanInclusiveF32,
  'sort-pairs-u32': sortPairsU32,
  'compact-u32': compactU32,
};
