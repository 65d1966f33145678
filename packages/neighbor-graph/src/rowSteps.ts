import {foldDispatch, type Bindable, type Gpu, type Kernel, type ParamRing} from '@epsball/gpu';
import {graphStructs} from './graph.wgsl.ts';
import type {keptRowsWgsl} from './keptRows.wgsl.ts';
import {EDGE_FILTERS, type EdgeFilter, type PointBindings, type RowBindings, type RowKernels} from './rowKernels.ts';
import {certainPairs, cutList, cutRows, TILE_ROWS, undecidedPairs, type Span} from './stepBounds.ts';

/** Workgroups that stride over the list of undecided rows: enough to fill a GPU; few on a CPU. */
const EXACT_GROUPS = {hardware: 1024, software: 4};
/** The whole list, whatever its length. */
const ALL_LISTED: Span = {first: 0, count: 0xffff_ffff};

/** Rows and edges of a job. */
interface RowJob {
  readonly n: number;
  readonly minPts: number;
  readonly filter: EdgeFilter;
  readonly firstRow: number;
  readonly rowCount: number;
  /** Receives the edges, if the job writes edges. */
  readonly edges?: GPUBuffer | undefined;
}

export type Encode = (pass: GPUComputePassEncoder) => void;

/** The steps of a job, each a dispatch of a bounded number of pairs. */
export interface RowSteps {
  /** Steps for the pairs that float32 decides. */
  readonly certain: readonly Encode[];
  /** Whether `undecided` needs the number of undecided rows. */
  readonly isLong: boolean;
  /**
   * Steps for the undecided rows, to be recorded after all of `certain` are submitted.
   *
   * @param listed  number of undecided rows in the graph. Default: unknown; all rows in one step
   */
  readonly undecided: (listed?: number) => Encode[];
}

/** Whether all steps of a job may share a pass with others. */
export function isShort({certain, isLong}: RowSteps): boolean {
  return certain.length === 1 && !isLong;
}

/** All edges of a graph, and the starts of its rows. */
export interface KeptEdges {
  readonly keptStart: GPUBuffer;
  readonly keptEdges: GPUBuffer;
}

/** Input of row kernels: the points, the arrays of the graph, and the parameters. */
export interface RowSource {
  readonly kernels: RowKernels;
  readonly points: PointBindings;
  readonly buffers: RowBindings;
  readonly params: ParamRing;
  /** Whether the count keeps columns that the write reads; for jobs over all rows, on a grid. */
  readonly isKeeping: boolean;
  /** All edges, if they are on the device. */
  readonly kept?: KeptEdges | undefined;
  /** Maximum pairs that a step tests. Default: by adapter. */
  readonly pairsPerStep?: number | undefined;
}

/**
 * Loads the kernels for a kind of work on rows.
 * - `countNeighbors`: degrees of rows; without a grid the caller clears them first
 * - `countEdges`: row lengths of a filter
 * - `writeEdges`: the edges of a chunk of rows
 * - `writeGraph`: all edges at once, without a grid; the caller clears the cursors first
 */
export async function loadRows(
  gpu: Gpu,
  work: 'countNeighbors' | 'countEdges' | 'writeEdges' | 'writeGraph',
  source: RowSource,
): Promise<(job: RowJob) => RowSteps> {
  const {kernels, points, buffers, params, isKeeping, kept, pairsPerStep} = source;
  if (kept && work !== 'countNeighbors') return keptSteps(await kernels.getKept(), source, kept);
  const {isGrid, dim} = points;
  const [settled, exact] = await kernels.get(
    work === 'countNeighbors' || work === 'writeGraph' ? work : 'makeRows',
    points,
  );
  const speed = gpu.speed;
  const isWriting = work === 'writeEdges' || work === 'writeGraph' ? 1 : 0;
  const cost = {...points, speed};
  const pairs = pairsPerStep ?? certainPairs(cost);
  const exactPairs = pairsPerStep ?? undecidedPairs(cost);
  return ({n, minPts, filter, firstRow: baseRow, rowCount: allRows, edges}) => {
    const storedEdges = EDGE_FILTERS.indexOf(filter);
    const columns = Math.min(n, points.maxColumns);
    const all = {first: baseRow, count: allRows};
    const bind = (rows: Span, listed: Span): Bound => {
      const ofRows = {firstRow: rows.first, endRow: rows.first + rows.count, baseRow};
      const ofList = {firstListed: listed.first, endListed: listed.first + listed.count};
      const graph = params.write(graphStructs.GraphParams, {
        n,
        dim,
        minPts,
        storedEdges,
        ...ofRows,
        isWriting,
        isKeeping: isKeeping ? 1 : 0,
        ...ofList,
        listAt: listWord(buffers),
      });
      const {rowLength} = buffers;
      return {...points.bindings, ...buffers, rowsOut: edges ?? rowLength, degreeSum: rowLength, graph};
    };
    const decide = (pass: GPUComputePassEncoder, rows: Span): void => {
      const group = settled.bind(bind(rows, ALL_LISTED));
      if (isGrid) settled.dispatchOver(pass, group, rows.count);
      else settled.dispatch(pass, group, foldDispatch(Math.ceil(rows.count / TILE_ROWS)));
    };
    const decideExactly = (pass: GPUComputePassEncoder, listed: Span): void =>
      exact.dispatch(pass, exact.bind(bind(all, listed)), [EXACT_GROUPS[speed], 1, 1]);
    const isLong = allRows * columns > exactPairs;
    return {
      certain: cutRows(all, columns, pairs).map((rows) => (pass) => decide(pass, rows)),
      isLong,
      undecided: (listed) => {
        const spans = isLong && listed !== undefined ? cutList(listed, columns, exactPairs) : [ALL_LISTED];
        return spans.map((span) => (pass) => decideExactly(pass, span));
      },
    };
  };
}

/** Bindings of the row kernels. */
type Bound = PointBindings['bindings'] & RowBindings & Readonly<Record<'rowsOut' | 'degreeSum' | 'graph', Bindable>>;

/** The same for rows selected from existing edges. */
function keptSteps(
  kernel: Kernel<typeof keptRowsWgsl, 'filterRows'>,
  {points: {dim}, buffers, params}: RowSource,
  kept: KeptEdges,
): (job: RowJob) => RowSteps {
  return ({n, minPts, filter, firstRow, rowCount, edges}) => {
    const storedEdges = EDGE_FILTERS.indexOf(filter);
    const rows = {firstRow, endRow: firstRow + rowCount, baseRow: firstRow};
    const work = {isWriting: edges ? 1 : 0, isKeeping: 0, firstListed: 0, endListed: 0};
    const values = {n, dim, minPts, storedEdges, ...rows, ...work, listAt: listWord(buffers)};
    const step = (pass: GPUComputePassEncoder): void => {
      const graph = params.write(graphStructs.GraphParams, values);
      kernel.dispatchOver(
        pass,
        kernel.bind({...buffers, rowsOut: edges ?? buffers.rowLength, ...kept, graph}),
        rowCount,
      );
    };
    return {certain: [step], isLong: false, undecided: () => []};
  };
}

/** The word of `rowStart` at which the list of undecided rows begins. */
function listWord({undecidedRows: {offset = 0}}: RowBindings): number {
  return offset / 4;
}
