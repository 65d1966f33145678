import type {Bindable} from '@epsball/gpu';
import type {GraphIndex} from './graphIndex.ts';
import type {EdgeFilter} from './rowKernels.ts';

export type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

export interface GraphOptions {
  /** `auto` unless given. */
  readonly index?: GraphIndex | undefined;
  /** Lays out the edges of this filter with the degrees, so that `plan` need not wait for it. `all` unless given. */
  readonly filter?: EdgeFilter | undefined;
  /** Makes the passes of the index, and of the graph, so that the caller can time them. */
  readonly beginIndexPass?: BeginPass | undefined;
  readonly beginGraphPass?: BeginPass | undefined;
  /**
   * Receives the edges of the filter right behind, as many as fit, before the host knows how many there are: for a caller who
   * expects them to fit. Only where the graph takes no steps; `UncountedGraph.edges` says so.
   */
  readonly edges?: GPUBuffer | undefined;
  /** Called once all is submitted, before the host waits for the sums: what the caller submits here comes right behind. */
  readonly beforeWait?: ((graph: UncountedGraph) => void) | undefined;
  /** Awaited between two steps of long work, also of `plan` and `writeEdges`: the place to look at a signal. */
  readonly betweenSteps?: (() => Promise<void>) | undefined;
  /** Most pairs of points that a step tests; as suits the adapter unless given. */
  readonly pairsPerStep?: number | undefined;
}

/** Degrees of all points, on the device, before the host knows their sums. */
export interface UncountedGraph {
  readonly n: number;
  readonly minPts: number;
  readonly index: 'grid' | 'none';
  /** Index of the point at each position, and position of each point; `n` words. Without a grid they are equal. */
  readonly pointOrder: GPUBuffer;
  readonly positions: GPUBuffer;
  /** By position: neighbours besides the point itself. A point is core where degree + 1 ≥ minPts. */
  readonly degrees: GPUBuffer;
  /** Of the filter that was laid out with the degrees: as `EdgePlan.rowStart`. */
  readonly rowStart: GPUBuffer;
  /** `GraphOptions.edges`, where they are written: those of all rows, as of one chunk, if the plan says that they fit. */
  readonly edges?: GPUBuffer | undefined;
}

/** Degrees of all points, and their sums. Owned by its builder; valid until the next build. */
export interface NeighborGraph extends Omit<UncountedGraph, 'rowStart' | 'edges'> {
  /** Edges of the whole graph in both directions: the sum of the degrees, exact beyond 2^32 too. */
  readonly edgeCount: number;
  readonly maxDegree: number;
  /** Points with a pair that float32 could not decide. */
  readonly undecidedCount: number;
}

/** Where the edges of one filter go. Owned by its builder; valid until the next plan or build. */
export interface EdgePlan {
  readonly filter: EdgeFilter;
  /** Exact beyond 2^32, too. */
  readonly edgeCount: number;
  readonly maxRowLength: number;
  /**
   * By position, n + 1 words: exclusive sums of the row lengths modulo 2^32 (Va start). In a chunk the edges of row i are
   * `edges[rowStart[i] − rowStart[firstRow]]` up to `edges[rowStart[i + 1] − rowStart[firstRow]]`, differences modulo 2^32.
   */
  readonly rowStart: GPUBuffer;
}

/** Rows whose edges fit a buffer. */
export interface EdgeChunk {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly edgeCount: number;
}

/** What a kernel that imports `neighbor_graph::rows` binds, by name. */
export interface RowsBindings {
  readonly rows: Bindable;
  readonly rowStart: GPUBuffer;
  readonly edges: GPUBuffer;
  readonly degrees: GPUBuffer;
}
