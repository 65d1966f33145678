import type {OperationId} from '@epsball/benchmarks';
import type {Operation} from './operation.ts';
import {histogram256, histogram65536, histogramEdgesF32} from './operations/histogram.ts';
import {gatherU32, scatterU32} from './operations/move.ts';
import {argmaxF32, argminF32, reduceFieldF32, reduceMaxU32, reduceMinI32, reduceSumF32} from './operations/reduce.ts';
import {reduceByKeyU32, runBoundsU32, runLengthU32, segmentedScanU32} from './operations/runs.ts';
import {scanExclusiveU32, scanInclusiveF32, scanInclusiveI32} from './operations/scan.ts';
import {compactU32, partitionU32} from './operations/select.ts';
import {argsortU32, sortKeysI32, sortKeysU32, sortKeysU64, sortPairsF32, sortPairsU32} from './operations/sort.ts';

/** The code of every operation that the suite lists. */
export const registry: Readonly<Record<OperationId, Operation>> = {
  'reduce-sum-f32': reduceSumF32,
  'reduce-max-u32': reduceMaxU32,
  'reduce-min-i32': reduceMinI32,
  'reduce-field-f32': reduceFieldF32,
  'argmin-f32': argminF32,
  'argmax-f32': argmaxF32,
  'scan-exclusive-u32': scanExclusiveU32,
  'scan-inclusive-f32': scanInclusiveF32,
  'scan-inclusive-i32': scanInclusiveI32,
  'sort-pairs-u32': sortPairsU32,
  'sort-pairs-f32': sortPairsF32,
  'sort-keys-u32': sortKeysU32,
  'sort-keys-i32': sortKeysI32,
  'sort-keys-u64': sortKeysU64,
  'argsort-u32': argsortU32,
  'compact-u32': compactU32,
  'partition-u32': partitionU32,
  'histogram-256-u32': histogram256,
  'histogram-65536-u32': histogram65536,
  'histogram-edges-f32': histogramEdgesF32,
  'run-length-u32': runLengthU32,
  'reduce-by-key-u32': reduceByKeyU32,
  'segmented-scan-u32': segmentedScanU32,
  'run-bounds-u32': runBoundsU32,
  'gather-u32': gatherU32,
  'scatter-u32': scatterU32,
};

/** @throws Error  if there is no such operation */
export function operationOf(id: string): Operation {
  const operation = new Map<string, Operation>(Object.entries(registry)).get(id);
  if (operation === undefined)
    throw new Error(`operation = "${id}"; expected one of ${Object.keys(registry).join(', ')}`);
  return operation;
}
