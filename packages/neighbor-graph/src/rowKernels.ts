import {foldDispatch, Kernel, type Bindable, type BindingName, type Gpu, type ParamRing} from '@epsball/gpu';
import {exactGridRowsWgsl} from './exactGridRows.wgsl.ts';
import {exactTiledRowsWgsl} from './exactTiledRows.wgsl.ts';
import {graphStructs} from './graph.wgsl.ts';
import {gridRowsWgsl} from './gridRows.wgsl.ts';
import {tiledRowsWgsl} from './tiledRows.wgsl.ts';

/**
 * Which edges i → j are stored; i and j are positions.
 * - `all`: every one, in both directions (the paper's graph)
 * - `core`: j is core, and i is not core or j < i. So each pair of core points once, and what border points need
 * - `coreToCore`: both are core, j < i
 * - `borderToCore`: j is core, i is not
 */
export type EdgeFilter = (typeof EDGE_FILTERS)[number];

/** In the order of the numbers in graph.wgsl. */
const EDGE_FILTERS = ['all', 'core', 'coreToCore', 'borderToCore'] as const;

/** Rows of a workgroup of tiledRows.wgsl. */
const TILE_ROWS = 64;
/** Workgroups that stride over the list of undecided rows: enough to fill the machine, and few where it is seldom long. */
const EXACT_GROUPS = {hardware: 1024, software: 4};

/** Arrays of the graph (graph.wgsl). */
export interface RowBindings {
  readonly degrees: GPUBuffer;
  readonly rowLength: GPUBuffer;
  readonly rowStart: GPUBuffer;
  readonly undecidedRows: GPUBuffer;
  /** Bound where a kernel asks for a buffer that it never writes. */
  readonly unused: GPUBuffer;
}

type PointBinding = Exclude<
  BindingName<typeof exactGridRowsWgsl, 'makeRowsExactly'>,
  'graph' | 'edges' | keyof RowBindings
>;

/** The points as kernels see them. */
export interface PointBindings {
  readonly isGrid: boolean;
  readonly dim: number;
  /** Of the grid. */
  readonly isSparse: boolean;
  readonly isWide: boolean;
  readonly bindings: Readonly<Record<PointBinding, Bindable>>;
}

/** Which rows, of which edges. */
interface RowJob {
  readonly n: number;
  readonly minPts: number;
  readonly filter: EdgeFilter;
  readonly firstRow: number;
  readonly rowCount: number;
  /** Receives the edges, where the job writes some. */
  readonly edges?: GPUBuffer;
}

/** Two dispatches over the same rows: as far as float32 is certain, then the undecided rows. */
export type EncodeRows = (pass: GPUComputePassEncoder, job: RowJob) => void;

/**
 * Loads the kernels that go over rows.
 * - `countNeighbors`: degrees of all points
 * - `countEdges`: row lengths of a filter
 * - `writeEdges`: the edges of a chunk of rows
 */
export async function loadRows(
  gpu: Gpu,
  work: 'countNeighbors' | 'countEdges' | 'writeEdges',
  points: PointBindings,
  buffers: RowBindings,
  params: ParamRing,
): Promise<EncodeRows> {
  const {isGrid, dim, isSparse: IS_SPARSE, isWide: IS_WIDE} = points;
  const cells = {DIM: dim, IS_SPARSE};
  const entryPoint = work === 'countNeighbors' ? work : 'makeRows';
  const [settled, undecided] = await Promise.all(
    isGrid
      ? [
          Kernel.create(gpu, gridRowsWgsl, entryPoint, cells),
          Kernel.create(gpu, exactGridRowsWgsl, 'makeRowsExactly', {...cells, IS_WIDE}),
        ]
      : [
          Kernel.create(gpu, tiledRowsWgsl, entryPoint),
          Kernel.create(gpu, exactTiledRowsWgsl, 'makeRowsExactly', {IS_WIDE}),
        ],
  );
  const exactGroups = EXACT_GROUPS[gpu.info.kind === 'hardware' ? 'hardware' : 'software'];
  const isWriting = work === 'writeEdges' ? 1 : 0;
  return (pass, {n, minPts, filter, firstRow, rowCount, edges}) => {
    const storedEdges = EDGE_FILTERS.indexOf(filter);
    const endRow = firstRow + rowCount;
    const values = {n, dim, minPts, storedEdges, firstRow, endRow, isWriting};
    const graph = params.write(graphStructs.GraphParams, values);
    const bound = {...points.bindings, ...buffers, ...writable(buffers, edges), graph};
    if (isGrid) settled.dispatchOver(pass, settled.bind(bound), rowCount);
    else settled.dispatch(pass, settled.bind(bound), foldDispatch(Math.ceil(rowCount / TILE_ROWS)));
    undecided.dispatch(pass, undecided.bind(bound), [exactGroups, 1, 1]);
  };
}

/** What kernels bind as writable: no buffer twice, and none that they read. */
function writable(
  {rowLength, unused}: RowBindings,
  edges: GPUBuffer | undefined,
): {rowLength: Bindable; edges: Bindable} {
  if (edges) return {rowLength: unused, edges};
  return {rowLength, edges: unused};
}
