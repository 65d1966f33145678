import {InvalidParameterError, type DbscanParams} from '@epsball/clustering';
import {Kernel, ParamRing, Scratch, type Gpu} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {BoundsReduction, GpuGridBuilder, neighborhoodParams, type DevicePoints} from '@epsball/spatial-grid/gpu';
import {identityWgsl} from './identity.wgsl.ts';
import type {EdgeChunk, EdgePlan, NeighborGraph, RowsBindings} from './neighborGraph.ts';
import {loadRows, type EdgeFilter, type EncodeRows, type PointBindings, type RowBindings} from './rowKernels.ts';
import {rowsStructs} from './rows.wgsl.ts';
import {RowSurveyor, type RowSurvey} from './rowSurvey.ts';

/** Storage buffers that the largest kernel binds. */
const STORAGE_BUFFERS = 10;

/** Most dimensions that the conformance cases cover; the tiles would take more. */
export const MAX_GRAPH_DIM = 64;

/**
 * How neighbours are found: `grid`, in the cells around a point, up to 4 dimensions; `none`, among all pairs, as the paper
 * has it; `auto`, the grid where it takes the dimensions.
 */
export type GraphIndex = 'auto' | 'grid' | 'none';

type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

export interface GraphOptions {
  /** `auto` unless given. */
  readonly index?: GraphIndex | undefined;
  /** Makes the passes of the index, and of the graph, so that the caller can time them. */
  readonly beginIndexPass?: BeginPass | undefined;
  readonly beginGraphPass?: BeginPass | undefined;
}

/** What a build leaves for plans and edges. */
interface Built {
  readonly graph: NeighborGraph;
  readonly points: PointBindings;
  readonly survey: RowSurvey;
  readonly beginPass: BeginPass;
}

interface Planned {
  readonly plan: EdgePlan;
  readonly survey: RowSurvey;
  readonly encodeRows: EncodeRows;
}

/**
 * The eps-neighbour graph of points on the device in CSR form: degrees, then starts (an exclusive scan), then edges, all at
 * once or chunk by chunk. Float32 and float64 points; every edge is decided as the contract asks.
 *
 *   const graph = await builder.build(devicePoints, {eps, minPts});
 *   const plan = await builder.plan('all');
 *   for (const chunk of await builder.chunks(maxEdges)) builder.encodeEdges(pass, chunk, edges);
 *
 * Device bytes a point beyond points and grid: 16 (degrees, row lengths, starts, list of undecided rows), without a grid 20.
 *
 * @source  Andrade et al. 2013, G-DBSCAN, graph construction: the arrays Va and Ea
 */
export class NeighborGraphBuilder implements Disposable {
  readonly #gpu: Gpu;
  readonly #grid: GpuGridBuilder;
  readonly #bounds: BoundsReduction;
  readonly #scan: Scan;
  readonly #surveyor: RowSurveyor;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  #built: Built | undefined;
  #planned: Planned | undefined;

  private constructor(gpu: Gpu, grid: GpuGridBuilder, scan: Scan) {
    this.#gpu = gpu;
    this.#grid = grid;
    this.#scan = scan;
    this.#bounds = new BoundsReduction(gpu);
    this.#surveyor = new RowSurveyor(gpu);
    this.#params = new ParamRing(gpu, 'neighbor-graph/params');
    this.#scratch = new Scratch(gpu, 'neighbor-graph');
  }

  /**
   * @param gpu  borrowed; destroy the builder first
   * @throws GpuLimitError  if the device binds fewer than 10 storage buffers a kernel
   */
  static async create(gpu: Gpu): Promise<NeighborGraphBuilder> {
    gpu.requireStorageBuffers(STORAGE_BUFFERS);
    const [grid, scan] = await Promise.all([GpuGridBuilder.create(gpu), Scan.create(gpu)]);
    return new NeighborGraphBuilder(gpu, grid, scan);
  }

  /**
   * Counts the neighbours of every point. Submits, and waits twice: for the bounds (of float32 points), and for the sums.
   *
   * @param points  at least one
   * @throws InvalidParameterError  if a grid is asked for in more than 4 dimensions
   * @complexity O(n · k) with a grid, k = points in the 3^dim cells around a point; O(n²) without
   */
  async build(points: DevicePoints, params: DbscanParams, options: GraphOptions = {}): Promise<NeighborGraph> {
    this.#built = undefined;
    this.#planned = undefined;
    const isGrid = usesGrid(options.index ?? 'auto', points.dim);
    const beginIndexPass = options.beginIndexPass ?? ((encoder) => encoder.beginComputePass());
    const beginPass = options.beginGraphPass ?? beginIndexPass;
    const {n} = points;
    // minPts > n makes no point core; clamped, because the kernels' is a u32.
    const minPts = Math.min(params.minPts, 0xffff_ffff);
    const order = isGrid
      ? await this.#buildGrid(points, params.eps, beginIndexPass)
      : await this.#readyPoints(points, params.eps, beginIndexPass);
    const degrees = this.#scratch.take('degrees', 4 * (n + 1));
    const buffers = this.#rowBindings(n, degrees);
    this.#gpu.device.queue.writeBuffer(this.#undecidedRows(n), 0, Uint32Array.of(0));
    const encodeRows = await loadRows(this.#gpu, 'countNeighbors', order.points, buffers, this.#params);
    const survey = await this.#survey(n, degrees, beginPass, (pass) =>
      encodeRows(pass, {n, minPts, filter: 'all', firstRow: 0, rowCount: n}),
    );
    const {edgeCount, maxRowLength: maxDegree, undecidedCount} = survey;
    const {pointOrder, positions} = order;
    const index = isGrid ? 'grid' : 'none';
    const graph = {n, minPts, index, pointOrder, positions, degrees, edgeCount, maxDegree, undecidedCount} as const;
    this.#built = {graph, points: order.points, survey, beginPass};
    return graph;
  }

  /**
   * Lays out the edges of a filter. For `all` nothing is left to do; else it counts, submits and waits once.
   */
  async plan(filter: EdgeFilter): Promise<EdgePlan> {
    const {graph, points, survey: ofDegrees, beginPass} = this.#lastBuild();
    const {n, minPts, degrees} = graph;
    let survey = ofDegrees;
    const rowLength = filter === 'all' ? degrees : this.#scratch.take('rowLength', 4 * (n + 1));
    const buffers = {...this.#rowBindings(n, rowLength), degrees};
    const isLaidOut = filter === 'all' && (this.#planned?.plan.filter ?? 'all') === 'all';
    this.#planned = undefined;
    if (!isLaidOut) {
      const count = await loadRows(this.#gpu, 'countEdges', points, buffers, this.#params);
      survey = await this.#survey(n, rowLength, beginPass, (pass) => {
        if (filter !== 'all') count(pass, {n, minPts, filter, firstRow: 0, rowCount: n});
      });
    }
    const encodeRows = await loadRows(this.#gpu, 'writeEdges', points, buffers, this.#params);
    const {edgeCount, maxRowLength} = survey;
    const plan = {filter, edgeCount, maxRowLength, rowStart: this.#rowStart(n)};
    this.#planned = {plan, survey, encodeRows};
    return plan;
  }

  /**
   * Cuts the rows of the last plan into chunks of at most `maxEdges` edges, all rows once and in order. Waits once for
   * each block of 256 rows that must be cut itself.
   *
   * @throws GpuLimitError  if one row has more edges
   */
  async chunks(maxEdges: number): Promise<readonly EdgeChunk[]> {
    const {plan, survey} = this.#lastPlan();
    return this.#surveyor.chunks(survey, plan.rowStart, maxEdges);
  }

  /**
   * Records the edges of a chunk of the last plan. Two dispatches; neither submits nor waits.
   *
   * @param edges  receives `chunk.edgeCount` words: positions, row after row, in no particular order within a row
   */
  encodeEdges(pass: GPUComputePassEncoder, chunk: EdgeChunk, edges: GPUBuffer): void {
    const {n, minPts} = this.#lastBuild().graph;
    const {plan, encodeRows} = this.#lastPlan();
    const {firstRow, rowCount} = chunk;
    encodeRows(pass, {n, minPts, filter: plan.filter, firstRow, rowCount, edges});
  }

  /** For kernels that go over the rows of a chunk of the last plan, whose edges are in `edges`. */
  bindRows({firstRow, rowCount}: EdgeChunk, edges: GPUBuffer): RowsBindings {
    const rows = this.#params.write(rowsStructs.RowsParams, {firstRow, endRow: firstRow + rowCount});
    return {rows, rowStart: this.#lastPlan().plan.rowStart, edges, degrees: this.#lastBuild().graph.degrees};
  }

  /** Records what `encode` does, the scan and the survey; submits and waits. */
  async #survey(
    n: number,
    rowLength: GPUBuffer,
    beginPass: BeginPass,
    encode: (pass: GPUComputePassEncoder) => void,
  ): Promise<RowSurvey> {
    const rowStart = this.#rowStart(n);
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = beginPass(encoder);
    encode(pass);
    // One word more than rows: what comes behind the last row is its end.
    this.#scan.encode(pass, {input: rowLength, output: rowStart, count: n + 1});
    return this.#surveyor.look({n, rowLength, rowStart, undecidedRows: this.#undecidedRows(n)}, pass, () => {
      pass.end();
      this.#gpu.device.queue.submit([encoder.finish()]);
    });
  }

  async #buildGrid(points: DevicePoints, eps: number, beginPass: BeginPass): Promise<Order> {
    const {overrides, bindings, pointOrder, positions} = await this.#grid.build(points, eps, beginPass);
    const {DIM: dim, IS_SPARSE: isSparse, IS_WIDE: isWide} = overrides;
    return {points: {isGrid: true, dim, isSparse, isWide, bindings}, pointOrder, positions};
  }

  /** Points in the caller's order, without an index. */
  async #readyPoints(points: DevicePoints, eps: number, beginPass: BeginPass): Promise<Order> {
    const {n, dim, coords, wideCoords} = points;
    const bounds = points.bounds ?? (await this.#bounds.run(points, beginPass));
    const params = neighborhoodParams(points, bounds, eps);
    const neighborhood = this.#scratch.take('neighborhood', params.byteLength);
    this.#gpu.device.queue.writeBuffer(neighborhood, 0, params);
    const positions = this.#scratch.take('identity', 4 * n);
    const kernel = await Kernel.create(this.#gpu, identityWgsl, 'fillIdentity');
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = beginPass(encoder);
    kernel.dispatchOver(pass, kernel.bind({positions}), n);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
    const none = this.#unused('unusedIn');
    const cells = {grid: none, cellStart: none, cellIds: none, cellAxes: none};
    const bindings = {...cells, neighborhood, sortedCoords: coords, sortedWideCoords: wideCoords ?? coords};
    const isWide = wideCoords !== undefined;
    return {points: {isGrid: false, dim, isSparse: false, isWide, bindings}, pointOrder: positions, positions};
  }

  /** Arrays of the graph; degrees are not there yet, or the caller binds them. */
  #rowBindings(n: number, rowLength: GPUBuffer): RowBindings {
    return {
      degrees: this.#unused('unusedIn'),
      rowLength,
      rowStart: this.#rowStart(n),
      undecidedRows: this.#undecidedRows(n),
      unused: this.#unused('unusedOut'),
    };
  }

  #rowStart(n: number): GPUBuffer {
    return this.#scratch.take('rowStart', 4 * (n + 1));
  }

  #undecidedRows(n: number): GPUBuffer {
    return this.#scratch.take('undecidedRows', 4 * (n + 1));
  }

  /** Bound where a kernel asks for a buffer that it never touches. */
  #unused(which: 'unusedIn' | 'unusedOut'): GPUBuffer {
    return this.#scratch.take(which, 256);
  }

  #lastBuild(): Built {
    if (!this.#built) throw new InvalidParameterError('graph', undefined, 'a graph that was built');
    return this.#built;
  }

  #lastPlan(): Planned {
    if (!this.#planned) throw new InvalidParameterError('plan', undefined, 'a plan of the graph that was built');
    return this.#planned;
  }

  destroy(): void {
    this.#built = undefined;
    this.#planned = undefined;
    for (const owned of [this.#grid, this.#bounds, this.#scan, this.#surveyor]) owned.destroy();
    for (const owned of [this.#params, this.#scratch]) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

interface Order {
  readonly points: PointBindings;
  readonly pointOrder: GPUBuffer;
  readonly positions: GPUBuffer;
}

function usesGrid(index: GraphIndex, dim: number): boolean {
  if (index === 'auto') return dim <= MAX_GRID_DIM;
  if (index === 'grid' && dim > MAX_GRID_DIM) {
    throw new InvalidParameterError('index', index, `none or auto in ${dim} dimensions`);
  }
  return index === 'grid';
}
