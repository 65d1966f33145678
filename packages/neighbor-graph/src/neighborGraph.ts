import type {DbscanPhase} from '@epsball/clustering';
import type {Bindable, GpuRun} from '@epsball/gpu';

/**
 * Search for neighbours. `grid`: in the cells around a point, up to 4 dimensions. `none`: among all pairs, as in the
 * paper. `auto`: the grid up to 4 dimensions, else none.
 */
export type GraphIndex = 'auto' | 'grid' | 'none';

/** In the order of the numbers in graph.wgsl. */
export const EDGE_FILTERS = ['all', 'core', 'coreToCore', 'borderToCore'] as const;

/**
 * Which edges i → j are stored; i and j are positions.
 * - `all`: every edge, in both directions (the paper's graph)
 * - `core`: j is core, and i is not core or j < i: each pair of core points once, and the edges of border points
 * - `coreToCore`: both are core, j < i
 * - `borderToCore`: j is core, i is not
 *
 * Over a grid the last three omit most edges that do not change the connected components.
 */
export type EdgeFilter = (typeof EDGE_FILTERS)[number];

export type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

/** The method of the builder that does it. */
export type GraphWork = 'build' | 'plan' | 'writeEdges';

export interface GraphOptions {
  /** Default: `auto`. */
  readonly index?: GraphIndex | undefined;
  /**
   * Lays out the edges of this filter together with the degrees, so that `plan` need not wait for it. Default: `all`.
   */
  readonly filter?: EdgeFilter | undefined;
  /** Create the passes of the index and of the graph, so that the caller can time them. */
  readonly beginIndexPass?: BeginPass | undefined;
  readonly beginGraphPass?: BeginPass | undefined;
  /**
   * Receives the edges of the filter directly after the degrees, as many as fit, before the host knows their number:
   * for a caller that expects them to fit. Only if the graph needs one step; `UncountedGraph.edges` reports it.
   */
  readonly edges?: GPUBuffer | undefined;
  /** Called after the last submit, before the host waits for the sums; the caller may submit further work. */
  readonly beforeWait?: ((graph: UncountedGraph) => void) | undefined;
  /** As in `GpuGridOptions`, of a grid. */
  readonly onIndexPart?: ((part: number) => Promise<void>) | undefined;
  /**
   * Awaited between two steps of long work: the place to check a signal. `part` of the work is done, from 0 to 1; where
   * a chunk of edges is written, of all rows.
   */
  readonly betweenSteps?: ((part: number, work: GraphWork) => Promise<void>) | undefined;
  /** Maximum pairs of points that a step tests. Default: by adapter. */
  readonly pairsPerStep?: number | undefined;
}

/**
 * Options of a graph that a run times, and reports as phase `index` and as parts of its current phase.
 *
 * @param partOf  the part of the phase that a part of some work is; undefined: it is not reported
 */
export function optionsOfRun(
  run: GpuRun<DbscanPhase>,
  partOf: (work: GraphWork, part: number) => number | undefined,
): Pick<GraphOptions, 'beginIndexPass' | 'onIndexPart' | 'betweenSteps'> {
  return {
    beginIndexPass: run.passes('index'),
    onIndexPart: (part) => run.reachPart('index', part),
    betweenSteps: async (done, work) => {
      run.throwIfAborted();
      await run.makeRoom();
      const [{phase}, part] = [run.clock, partOf(work, done)];
      if (phase !== undefined && part !== undefined) run.reportPart(phase, part);
    },
  };
}

/** Degrees of all points on the device, before the host knows their sums. */
export interface UncountedGraph {
  readonly n: number;
  readonly minPts: number;
  readonly index: 'grid' | 'none';
  /** Index of the point at each position, and position of each point; `n` words. Equal without a grid. */
  readonly pointOrder: GPUBuffer;
  readonly positions: GPUBuffer;
  /** By position: number of neighbours without the point itself. A point is core if degree + 1 ≥ minPts. */
  readonly degrees: GPUBuffer;
  /** Starts of the filter that was laid out with the degrees, as in `EdgePlan.rowStart`. */
  readonly rowStart: GPUBuffer;
  /** `GraphOptions.edges`, if they are written: all rows as one chunk, if they fit according to the plan. */
  readonly edges?: GPUBuffer | undefined;
}

/** Degrees of all points, and their sums. Owned by its builder; valid until the next build. */
export interface NeighborGraph extends Omit<UncountedGraph, 'rowStart' | 'edges'> {
  /** Edges of the whole graph in both directions: the sum of the degrees, exact beyond 2^32. */
  readonly edgeCount: number;
  readonly maxDegree: number;
  /** Number of points with a pair that float32 could not decide. */
  readonly undecidedCount: number;
}

/** Layout of the edges of one filter. Owned by its builder; valid until the next plan or build. */
export interface EdgePlan {
  readonly filter: EdgeFilter;
  /** Exact beyond 2^32. */
  readonly edgeCount: number;
  readonly maxRowLength: number;
  /**
   * By position, n + 1 words: exclusive sums of the row lengths modulo 2^32 (Va start). In a chunk the edges of row i
   * are `edges[rowStart[i] − rowStart[firstRow]]` up to `edges[rowStart[i + 1] − rowStart[firstRow]]`, differences
   * modulo 2^32.
   */
  readonly rowStart: GPUBuffer;
}

export interface EdgeChunk {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly edgeCount: number;
}

/** Bindings, by name, for a kernel that imports `neighbor_graph::rows`. */
export interface RowsBindings {
  readonly rows: Bindable;
  readonly rowStart: GPUBuffer;
  readonly edges: GPUBuffer;
  readonly degrees: GPUBuffer;
}
