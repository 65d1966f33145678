import type {OperationId} from '@epsball/benchmarks';
import type {Operation} from './operation.ts';
import {reduceMaxU32, reduceSumF32} from './operations/reduce.ts';
import {scanExclusiveU32, scanInclusiveF32} from './operations/scan.ts';
import {compactU32, partitionU32} from './operations/select.ts';
import {argsortU32, sortKeysU32, sortKeysU64, sortPairsF32, sortPairsU32} from './operations/sort.ts';

/** The code of every operation that the suite lists. */
export const registry: Readonly<Record<OperationId, Operation>> = {
  'reduce-sum-f32': reduceSumF32,
  'reduce-max-u32': reduceMaxU32,
  'scan-exclusive-u32': scanExclusiveU32,
  'scan-inclusive-f32': scanInclusiveF32,
  'sort-pairs-u32': sortPairsU32,
  'sort-pairs-f32': sortPairsF32,
  'sort-keys-u32': sortKeysU32,
  'sort-keys-u64': sortKeysU64,
  'argsort-u32': argsortU32,
  'compact-u32': compactU32,
  'partition-u32': partitionU32,
};

/** @throws Error  if there is no such operation */
export function operationOf(id: string): Operation {
  const operation = new Map<string, Operation>(Object.entries(registry)).get(id);
  if (operation === undefined)
    throw new Error(`operation = "${id}"; expected one of ${Object.keys(registry).join(', ')}`);
  return operation;
}
