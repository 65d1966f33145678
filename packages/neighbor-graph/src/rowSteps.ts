import {foldDispatch, type Bindable, type Gpu, type Kernel, type ParamRing} from '@epsball/gpu';
import {graphStructs} from './graph.wgsl.ts';
import type {keptRowsWgsl} from './keptRows.wgsl.ts';
import {
  EDGE_FILTERS,
  speedOf,
  type EdgeFilter,
  type PointBindings,
  type RowBindings,
  type RowKernels,
} from './rowKernels.ts';
import {certainPairs, cutList, cutRows, TILE_ROWS, undecidedPairs, type Span} from './stepBounds.ts';

/** Workgroups that stride over the list of undecided rows: enough to fill the machine, and few where it is seldom long. */
const EXACT_GROUPS = {hardware: 1024, software: 4};
/** Longer than any list. */
const ALL_LISTED: Span = {first: 0, count: 0xffff_ffff};

/** Which rows, of which edges. */
interface RowJob {
  readonly n: number;
  readonly minPts: number;
  readonly filter: EdgeFilter;
  readonly firstRow: number;
  readonly rowCount: number;
  /** Receives the edges, where the job writes some. */
  readonly edges?: GPUBuffer | undefined;
}

export type Encode = (pass: GPUComputePassEncoder) => void;

/** The steps of a job, each a dispatch of a bounded number of pairs. */
export interface RowSteps {
  /** As far as float32 is certain. */
  readonly certain: readonly Encode[];
  /** Whether `undecided` needs to know how many rows are. */
  readonly isLong: boolean;
  /**
   * Rows that float32 does not decide; when all of `certain` are submitted.
   *
   * @param listed  such rows in the graph; unless given all come in one step
   */
  readonly undecided: (listed?: number) => Encode[];
}

/** Whether all steps of a job may share a pass with others. */
export function isShort({certain, isLong}: RowSteps): boolean {
  return certain.length === 1 && !isLong;
}

/** All edges of a graph, and where its rows begin. */
export interface KeptEdges {
  readonly keptStart: GPUBuffer;
  readonly keptEdges: GPUBuffer;
}

/** Where rows come from: the points, the arrays of the graph, and what the kernels take as parameters. */
export interface RowSource {
  readonly kernels: RowKernels;
  readonly points: PointBindings;
  readonly buffers: RowBindings;
  readonly params: ParamRing;
  /** Whether columns are kept as they are counted, and taken from there as they are written; for jobs over all rows, on a grid. */
  readonly isKeeping: boolean;
  /** All edges, where they are on the device. */
  readonly kept?: KeptEdges | undefined;
  /** Most pairs that a step tests; as suits the adapter unless given. */
  readonly pairsPerStep?: number | undefined;
}

/**
 * Loads the kernels that go over rows.
 * - `countNeighbors`: degrees of rows; without a grid they are 0 before
 * - `countEdges`: row lengths of a filter
 * - `writeEdges`: the edges of a chunk of rows
 * - `writeGraph`: all edges at once, without a grid; cursors are 0 before
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
  const speed = speedOf(gpu);
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
      });
      return {...points.bindings, ...buffers, ...writable(buffers, edges), degreeSum: buffers.rowLength, graph};
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

/** All that kernels for rows bind. */
type Bound = PointBindings['bindings'] &
  Omit<RowBindings, 'rowLength'> &
  Readonly<Record<'rowLength' | 'degreeSum' | 'edges' | 'graph', Bindable>>;

/** The same out of edges that are there. */
function keptSteps(
  kernel: Kernel<typeof keptRowsWgsl, 'filterRows'>,
  {points: {dim}, buffers, params}: RowSource,
  kept: KeptEdges,
): (job: RowJob) => RowSteps {
  return ({n, minPts, filter, firstRow, rowCount, edges}) => {
    const storedEdges = EDGE_FILTERS.indexOf(filter);
    const rows = {firstRow, endRow: firstRow + rowCount, baseRow: firstRow};
    const work = {isWriting: edges ? 1 : 0, isKeeping: 0, firstListed: 0, endListed: 0};
    const values = {n, dim, minPts, storedEdges, ...rows, ...work};
    const step = (pass: GPUComputePassEncoder): void => {
      const graph = params.write(graphStructs.GraphParams, values);
      kernel.dispatchOver(pass, kernel.bind({...buffers, ...writable(buffers, edges), ...kept, graph}), rowCount);
    };
    return {certain: [step], isLong: false, undecided: () => []};
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
