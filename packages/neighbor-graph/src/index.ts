export {usesGrid} from './graphPoints.ts';
export type {
  EdgeChunk,
  EdgeFilter,
  EdgePlan,
  GraphIndex,
  GraphOptions,
  NeighborGraph,
  RowsBindings,
  UncountedGraph,
} from './neighborGraph.ts';
export {MAX_GRAPH_DIM, NeighborGraphBuilder} from './neighborGraphBuilder.ts';
