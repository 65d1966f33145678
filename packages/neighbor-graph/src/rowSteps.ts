import {
  foldDispatch,
  type Bindable,
  type BindingName,
  type BufferSlice,
  type Gpu,
  Kernel,
  type ParamRing,
} from '@epsball/gpu';
import {exactGridRowsWgsl} from './exactGridRows.wgsl.ts';
import {exactTiledRowsWgsl} from './exactTiledRows.wgsl.ts';
import {graphStructs} from './graph.wgsl.ts';
import {gridRowsWgsl} from './gridRows.wgsl.ts';
import {keptRowsWgsl} from './keptRows.wgsl.ts';
import {EDGE_FILTERS, type EdgeFilter} from './neighborGraph.ts';
import {
  certainPairs,
  cutList,
  cutRows,
  pairsOfStep,
  TILE_ROWS,
  undecidedPairs,
  type RowSteps,
  type Span,
} from './steps.ts';
import {tiledRowsWgsl} from './tiledRows.wgsl.ts';

/** Workgroups that stride over the list of undecided rows: enough to fill a GPU; few on a CPU. */
const EXACT_GROUPS = {hardware: 1024, software: 4};
const ALL_LISTED: Span = {first: 0, count: 0xffff_ffff};

export interface RowBindings {
  readonly degrees: GPUBuffer;
  readonly rowLength: GPUBuffer;
  readonly rowStart: GPUBuffer;
  readonly undecidedRows: BufferSlice;
  /** One word per row, for rows that several workgroups write. */
  readonly cursors: GPUBuffer;
  /** First columns of all rows, if they are kept. */
  readonly keptColumns: GPUBuffer;
}

type PointBinding = Exclude<
  BindingName<typeof exactGridRowsWgsl, 'makeRowsExactly'>,
  'graph' | 'rowsOut' | keyof RowBindings
>;

export interface PointBindings {
  readonly isGrid: boolean;
  readonly dim: number;
  readonly isSparse: boolean;
  readonly isWide: boolean;
  /** Maximum number of points that a row is tested against, if known; else Infinity. */
  readonly maxColumns: number;
  readonly isExactOnly: boolean;
  readonly bindings: Readonly<Record<PointBinding, Bindable>>;
}

type RowShape = Pick<PointBindings, 'isGrid' | 'dim' | 'isSparse' | 'isWide'>;

type RowEntry = 'countNeighbors' | 'makeRows' | 'writeGraph';

interface RowJob {
  readonly n: number;
  readonly minPts: number;
  readonly filter: EdgeFilter;
  readonly firstRow: number;
  readonly rowCount: number;
  readonly edges?: GPUBuffer | undefined;
}

export interface KeptEdges {
  readonly keptStart: GPUBuffer;
  readonly keptEdges: GPUBuffer;
}

export interface RowSource {
  readonly points: PointBindings;
  readonly buffers: RowBindings;
  readonly params: ParamRing;
  /** Whether the count keeps columns that the write reads; for jobs over all rows, on a grid. */
  readonly isKeeping: boolean;
  readonly kept?: KeptEdges | undefined;
  readonly pairsPerStep?: number | undefined;
}

export async function compileRows(gpu: Gpu, shape: RowShape): Promise<void> {
  const entryPoints: RowEntry[] = ['countNeighbors', 'makeRows', ...(shape.isGrid ? [] : ['writeGraph' as const])];
  await Promise.all(entryPoints.map((entryPoint) => rowKernels(gpu, entryPoint, shape)));
}

/** Without a grid one pipeline serves all dimensions. */
function rowKernels(
  gpu: Gpu,
  entryPoint: RowEntry,
  {isGrid, dim: DIM, isSparse: IS_SPARSE, isWide: IS_WIDE}: RowShape,
) {
  if (isGrid) {
    return Promise.all([
      Kernel.create(gpu, gridRowsWgsl, entryPoint === 'countNeighbors' ? entryPoint : 'makeRows', {DIM, IS_SPARSE}),
      Kernel.create(gpu, exactGridRowsWgsl, 'makeRowsExactly', {DIM, IS_SPARSE, IS_WIDE}),
    ]);
  }
  return Promise.all([
    Kernel.create(gpu, tiledRowsWgsl, entryPoint),
    Kernel.create(gpu, exactTiledRowsWgsl, 'makeRowsExactly', {IS_WIDE}),
  ]);
}

/**
 * Loads the kernels for a kind of work. Without a grid the caller clears degrees or, for `writeGraph`, cursors first.
 */
export async function loadRows(
  gpu: Gpu,
  work: 'countNeighbors' | 'countEdges' | 'writeEdges' | 'writeGraph',
  source: RowSource,
): Promise<(job: RowJob) => RowSteps> {
  const {points, buffers, pairsPerStep} = source;
  const {speed} = gpu;
  const cost = {...points, speed};
  const entryPoint = work === 'countNeighbors' || work === 'writeGraph' ? work : 'makeRows';
  // Rows of a filter are selected from existing edges, if there are any. That tests no pairs.
  const kept = work === 'countNeighbors' ? undefined : source.kept;
  const [settled, exact] = kept
    ? [await Kernel.create(gpu, keptRowsWgsl, 'filterRows')]
    : await rowKernels(gpu, entryPoint, points);
  const pairs = kept ? Number.MAX_SAFE_INTEGER : (pairsPerStep ?? certainPairs(cost));
  const exactPairs = pairsPerStep ?? undecidedPairs(cost);
  return (job) => {
    const columns = Math.min(job.n, points.maxColumns);
    const all = {first: job.firstRow, count: job.rowCount};
    const isWriting = work === 'writeEdges' || work === 'writeGraph';
    const bind = (rows: Span, listed: Span): Bound => {
      const graph = writeParams(source, job, {isWriting, rows, listed});
      const {rowLength} = buffers;
      const edges = kept ?? {keptStart: rowLength, keptEdges: rowLength};
      return {...points.bindings, ...buffers, ...edges, rowsOut: job.edges ?? rowLength, degreeSum: rowLength, graph};
    };
    const decide = (pass: GPUComputePassEncoder, rows: Span): void => {
      const group = settled.bind(bind(rows, ALL_LISTED));
      if (kept || points.isGrid) settled.dispatchOver(pass, group, rows.count);
      else settled.dispatch(pass, group, foldDispatch(Math.ceil(rows.count / TILE_ROWS)));
    };
    const decideExactly = (pass: GPUComputePassEncoder, listed: Span): void =>
      exact?.dispatch(pass, exact.bind(bind(all, listed)), [EXACT_GROUPS[speed], 1, 1]);
    const isLong = exact !== undefined && job.rowCount * columns > exactPairs;
    const step = kept || pairsPerStep !== undefined ? pairs : pairsOfStep(cost, job.rowCount * columns, pairs);
    return {
      certain: cutRows(all, columns, step).map((rows) => (pass) => decide(pass, rows)),
      isShort: cutRows(all, columns, pairs).length === 1 && !isLong,
      isLong,
      undecided: (listed) => {
        if (!exact) return [];
        const spans = isLong && listed !== undefined ? cutList(listed, columns, exactPairs) : [ALL_LISTED];
        return spans.map((span) => (pass) => decideExactly(pass, span));
      },
    };
  };
}

type Bound = PointBindings['bindings'] &
  RowBindings &
  KeptEdges &
  Readonly<Record<'rowsOut' | 'degreeSum' | 'graph', Bindable>>;

/** Parameters of one dispatch of a job: over these rows, or over these places of the list of undecided rows. */
function writeParams(
  {params, points: {dim}, buffers, isKeeping}: RowSource,
  {n, minPts, filter, firstRow: baseRow}: RowJob,
  {isWriting, rows, listed}: {readonly isWriting: boolean; readonly rows: Span; readonly listed: Span},
): BufferSlice {
  return params.write(graphStructs.GraphParams, {
    n,
    dim,
    minPts,
    storedEdges: EDGE_FILTERS.indexOf(filter),
    firstRow: rows.first,
    endRow: rows.first + rows.count,
    baseRow,
    isWriting: Number(isWriting),
    isKeeping: Number(isKeeping),
    firstListed: listed.first,
    endListed: listed.first + listed.count,
    // The list begins behind the starts.
    listAt: (buffers.undecidedRows.offset ?? 0) / 4,
  });
}
