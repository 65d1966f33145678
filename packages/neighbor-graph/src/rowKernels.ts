import {foldDispatch, Kernel, type Bindable, type BindingName, type Gpu, type ParamRing} from '@epsball/gpu';
import {exactGridRowsWgsl} from './exactGridRows.wgsl.ts';
import {exactTiledRowsWgsl} from './exactTiledRows.wgsl.ts';
import {graphStructs} from './graph.wgsl.ts';
import {gridRowsWgsl} from './gridRows.wgsl.ts';
import {keptRowsWgsl} from './keptRows.wgsl.ts';
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
/**
 * Pairs that a step may test, so that no dispatch lasts, and a run can end between two: some 12 ms of an H200 without an index. With a
 * grid a row meets all points only where these lie in one place.
 */
const PAIRS_PER_STEP = {
  none: {hardware: 2 ** 34, software: 2 ** 28},
  grid: {hardware: 2 ** 40, software: 2 ** 34},
};

/** Arrays of the graph (graph.wgsl). */
export interface RowBindings {
  readonly degrees: GPUBuffer;
  readonly rowLength: GPUBuffer;
  readonly rowStart: GPUBuffer;
  readonly undecidedRows: GPUBuffer;
  /** One word a row, for rows that are written by several workgroups. */
  readonly cursors: GPUBuffer;
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

/** Rows, one after another. */
interface RowRange {
  readonly firstRow: number;
  readonly rowCount: number;
}

/** Which rows, of which edges. */
interface RowJob extends RowRange {
  readonly n: number;
  readonly minPts: number;
  readonly filter: EdgeFilter;
  /** Receives the edges, where the job writes some. */
  readonly edges?: GPUBuffer;
}

export type Encode = (pass: GPUComputePassEncoder) => void;

/**
 * The steps of a job, in order: each is two dispatches over the same rows, as far as float32 is certain and then the undecided
 * ones, of a bounded number of pairs.
 */
export type RowSteps = (job: RowJob) => Encode[];

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
): Promise<RowSteps> {
  const {kernels, points, buffers, params, kept, pairsPerStep} = source;
  if (kept && work !== 'countNeighbors') return keptSteps(await kernels.getKept(), source, kept);
  const {isGrid, dim} = points;
  const [settled, undecided] = await kernels.get(
    work === 'countNeighbors' || work === 'writeGraph' ? work : 'makeRows',
    points,
  );
  const speed = speedOf(gpu);
  const isWriting = work === 'writeEdges' || work === 'writeGraph' ? 1 : 0;
  // Where a pair counts for its column, too, no row is complete, or listed, before the last step.
  const isSymmetric = !isGrid && (work === 'countNeighbors' || work === 'writeGraph');
  const pairs = pairsPerStep ?? PAIRS_PER_STEP[isGrid ? 'grid' : 'none'][speed];
  return ({n, minPts, filter, firstRow: baseRow, rowCount: allRows, edges}) => {
    const storedEdges = EDGE_FILTERS.indexOf(filter);
    const ranges = stepsOf({firstRow: baseRow, rowCount: allRows}, n, pairs);
    const bind = ({firstRow, rowCount}: RowRange): Bound => {
      const values = {n, dim, minPts, storedEdges, firstRow, endRow: firstRow + rowCount, baseRow, isWriting};
      const graph = params.write(graphStructs.GraphParams, values);
      return {...points.bindings, ...buffers, ...writable(buffers, edges), degreeSum: buffers.rowLength, graph};
    };
    const decide = (pass: GPUComputePassEncoder, rows: RowRange): void => {
      const group = settled.bind(bind(rows));
      if (isGrid) settled.dispatchOver(pass, group, rows.rowCount);
      else settled.dispatch(pass, group, foldDispatch(Math.ceil(rows.rowCount / TILE_ROWS)));
    };
    const decideExactly = (pass: GPUComputePassEncoder, rows: RowRange): void =>
      undecided.dispatch(pass, undecided.bind(bind(rows)), [EXACT_GROUPS[speed], 1, 1]);
    if (!isSymmetric || ranges.length === 1) {
      return ranges.map((rows) => (pass) => {
        decide(pass, rows);
        decideExactly(pass, rows);
      });
    }
    const withAll = (record: typeof decide) =>
      ranges.map((rows) => (pass: GPUComputePassEncoder) => record(pass, rows));
    return [...withAll(decide), ...withAll(decideExactly)];
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
): RowSteps {
  return ({n, minPts, filter, firstRow, rowCount, edges}) => [
    (pass) => {
      const storedEdges = EDGE_FILTERS.indexOf(filter);
      const rows = {firstRow, endRow: firstRow + rowCount, baseRow: firstRow};
      const values = {n, dim, minPts, storedEdges, ...rows, isWriting: edges ? 1 : 0};
      const graph = params.write(graphStructs.GraphParams, values);
      kernel.dispatchOver(pass, kernel.bind({...buffers, ...writable(buffers, edges), ...kept, graph}), rowCount);
    },
  ];
}

/** What a pipeline for rows is made for. */
type RowShape = Omit<PointBindings, 'bindings'>;

type RowEntry = 'countNeighbors' | 'makeRows' | 'writeGraph';

/** The kernel for rows that float32 decides, and the one for the others. */
type RowPair =
  | readonly [
      Kernel<typeof gridRowsWgsl, 'countNeighbors' | 'makeRows'>,
      Kernel<typeof exactGridRowsWgsl, 'makeRowsExactly'>,
    ]
  | readonly [
      Kernel<typeof tiledRowsWgsl, RowEntry>,
      Kernel<typeof exactTiledRowsWgsl, 'makeRowsExactly' | 'makeRowsExactlyAlone'>,
    ];

/** Kernels that go over rows, each kept with what it has bound. */
export class RowKernels {
  readonly #gpu: Gpu;
  readonly #made = new Map<string, Promise<RowPair>>();
  #kept: Promise<Kernel<typeof keptRowsWgsl, 'filterRows'>> | undefined;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
  }

  /** Compiles what `loadRows` will ask for, all at a time. */
  async compile(shape: RowShape): Promise<void> {
    const entryPoints: RowEntry[] = ['countNeighbors', 'makeRows', ...(shape.isGrid ? [] : ['writeGraph' as const])];
    await Promise.all(entryPoints.map((entryPoint) => this.get(entryPoint, shape)));
  }

  /** An entry point for certain rows, and the one for the undecided. */
  get(entryPoint: RowEntry, {isGrid, dim, isSparse, isWide}: RowShape): Promise<RowPair> {
    // Without a grid one pipeline serves all dimensions.
    const key = [entryPoint, isWide, ...(isGrid ? [dim, isSparse] : [])].join(' ');
    let made = this.#made.get(key);
    if (!made) {
      made = makeKernels(this.#gpu, entryPoint, {isGrid, dim, isSparse, isWide});
      this.#made.set(key, made);
      // A failure may pass; the next call tries again.
      made.catch(() => this.#made.delete(key));
    }
    return made;
  }

  /** For rows out of edges that are there. */
  getKept(): Promise<Kernel<typeof keptRowsWgsl, 'filterRows'>> {
    this.#kept ??= Kernel.create(this.#gpu, keptRowsWgsl, 'filterRows');
    this.#kept.catch(() => (this.#kept = undefined));
    return this.#kept;
  }
}

function makeKernels(
  gpu: Gpu,
  entryPoint: RowEntry,
  {isGrid, dim: DIM, isSparse: IS_SPARSE, isWide: IS_WIDE}: RowShape,
): Promise<RowPair> {
  if (isGrid) {
    return Promise.all([
      Kernel.create(gpu, gridRowsWgsl, entryPoint === 'countNeighbors' ? entryPoint : 'makeRows', {DIM, IS_SPARSE}),
      Kernel.create(gpu, exactGridRowsWgsl, 'makeRowsExactly', {DIM, IS_SPARSE, IS_WIDE}),
    ]);
  }
  return Promise.all([
    Kernel.create(gpu, tiledRowsWgsl, entryPoint),
    speedOf(gpu) === 'hardware'
      ? Kernel.create(gpu, exactTiledRowsWgsl, 'makeRowsExactly', {IS_WIDE})
      : Kernel.create(gpu, exactTiledRowsWgsl, 'makeRowsExactlyAlone', {IS_WIDE}),
  ]);
}

function speedOf(gpu: Gpu): 'hardware' | 'software' {
  return gpu.info.kind === 'hardware' ? 'hardware' : 'software';
}

/** Cuts rows so that each piece has at most so many pairs with n columns, but whole tiles. */
function stepsOf({firstRow, rowCount}: RowRange, n: number, pairs: number): RowRange[] {
  const tiles = Math.max(1, Math.floor(pairs / n / TILE_ROWS));
  const rows = TILE_ROWS * tiles;
  return Array.from({length: Math.ceil(rowCount / rows)}, (_, k) => ({
    firstRow: firstRow + k * rows,
    rowCount: Math.min(rows, rowCount - k * rows),
  }));
}

/** What kernels bind as writable: no buffer twice, and none that they read. */
function writable(
  {rowLength, unused}: RowBindings,
  edges: GPUBuffer | undefined,
): {rowLength: Bindable; edges: Bindable} {
  if (edges) return {rowLength: unused, edges};
  return {rowLength, edges: unused};
}
