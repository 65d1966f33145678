export {Compact, type CompactBuffers, type Compacted, type CompactOptions} from './compact.ts';
export type {Count, DeviceCount} from './count.ts';
export type {EncodeTarget} from './encodeTarget.ts';
export {FrontierQueue, type FrontierBindings} from './frontierQueue.ts';
export {operatorOverrides, type Element, type ElementArrays, type Operator} from './operators.ts';
export {RadixSort, type RadixSortBuffers, type RadixSortOptions, type SortBuffers, type SortKey} from './radixSort.ts';
export {Reduce, type ReduceBuffers, type ReduceOptions} from './reduce.ts';
export {RunBounds, type RunBoundsBuffers} from './runBounds.ts';
export {Scan, type ScanBuffers, type ScanOptions} from './scan.ts';
