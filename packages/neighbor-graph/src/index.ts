export {MAX_GRAPH_DIM, NeighborGraphBuilder, type GraphIndex, type GraphOptions} from './neighborGraphBuilder.ts';
export {type EdgeChunk, type EdgePlan, type NeighborGraph, type RowsBindings} from './neighborGraph.ts';
export {type EdgeFilter} from './rowKernels.ts';
