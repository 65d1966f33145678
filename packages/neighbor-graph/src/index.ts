export {usesGrid} from './graphPoints.ts';
export {optionsOfRun} from './neighborGraph.ts';
export type {
  EdgeChunk,
  EdgeFilter,
  EdgePlan,
  GraphIndex,
  GraphOptions,
  GraphWork,
  NeighborGraph,
  RowsBindings,
  UncountedGraph,
} from './neighborGraph.ts';
export {MAX_GRAPH_DIM, NeighborGraphBuilder} from './neighborGraphBuilder.ts';
