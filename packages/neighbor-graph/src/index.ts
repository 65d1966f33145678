export {chunksThatFit, EdgeMemory} from './edgeMemory.ts';
export type {GraphIndex} from './graphIndex.ts';
export {
  type EdgeChunk,
  type EdgePlan,
  type GraphOptions,
  type NeighborGraph,
  type RowsBindings,
  type UncountedGraph,
} from './neighborGraph.ts';
export {MAX_GRAPH_DIM, NeighborGraphBuilder} from './neighborGraphBuilder.ts';
export {type EdgeFilter} from './rowKernels.ts';
