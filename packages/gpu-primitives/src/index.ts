export {Compact, type CompactBuffers, type Compacted, type CompactOptions} from './compact.ts';
export {BitRanks, type BitRanksBuffers} from './bitRanks.ts';
export type {Cooperation} from './tiles.ts';
export type {Count, DeviceCount} from './count.ts';
export type {EncodeTarget} from './primitive.ts';
export {frontierModule} from './frontier.wgsl.ts';
export {FrontierQueue, type FrontierBindings, type FrontierReport} from './frontierQueue.ts';
export {operatorOverrides, type Element, type ElementArrays, type Operator} from './operators.ts';
export {
  RadixSort,
  type RadixSortBuffers,
  type RadixSortOptions,
  type SortArrays,
  type SortBuffers,
  type Sorted,
  type SortKey,
} from './radixSort.ts';
export {Reduce, type ReduceBuffers, type ReduceOptions} from './reduce.ts';
export {RunBounds, type RunBoundsBuffers} from './runBounds.ts';
export {Scan, type ScanBuffers, type ScanOptions} from './scan.ts';
export {ArgReduce, type ArgReduceBuffers, type ArgReduceOptions, type Found} from './argReduce.ts';
export {Gather, Scatter, type GatherBuffers, type ScatterBuffers} from './gather.ts';
export {Histogram, type HistogramBuffers, type HistogramOptions} from './histogram.ts';
export {ReduceByKey, type ReduceByKeyBuffers, type ReduceByKeyOptions, type ReducedByKey} from './reduceByKey.ts';
export {RunLength, type RunLengthBuffers, type RunLengthOptions, type Runs} from './runLength.ts';
export type {RunKey, RunKeyArrays} from './runs.ts';
export {SegmentedScan, type SegmentedScanBuffers, type SegmentedScanOptions} from './segmentedScan.ts';
export {workgroupScanModule} from './workgroupScan.wgsl.ts';
