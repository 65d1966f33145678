export {Compact, type CompactBuffers} from './compact.ts';
export {FrontierQueue, type FrontierBindings} from './frontierQueue.ts';
export {operatorOverrides, type Element, type Operator} from './operators.ts';
export {RadixSort, type KeyedBuffers, type RadixSortBuffers} from './radixSort.ts';
export {Reduce, type ReduceBuffers} from './reduce.ts';
export {RunBounds, type RunBoundsBuffers} from './runBounds.ts';
export {Scan, type ScanBuffers, type ScanOptions} from './scan.ts';
