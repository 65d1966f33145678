import {GpuLimitError, InvalidParameterError, type DbscanParams} from '@epsball/clustering';
import {createAll, ParamRing, Owner, type Gpu} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import type {DevicePoints} from '@epsball/spatial-grid/gpu';
import {GraphBuffers} from './graphBuffers.ts';
import {GraphPoints, usesGrid} from './graphPoints.ts';
import type {
  BeginPass,
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
import {rowsStructs} from './rows.wgsl.ts';
import {compileRows, loadRows, type KeptEdges, type PointBindings, type RowSource} from './rowSteps.ts';
import {RowSurveyor, type RowSurvey} from './rowSurvey.ts';
import {allOf, isInOne, submitJob, type RowSteps, type Share} from './steps.ts';

/** Maximum dimension of the conformance cases, that of usual embeddings; the kernels have no limit. */
export const MAX_GRAPH_DIM = 1536;

interface Built<Graph = Pick<UncountedGraph, 'n' | 'minPts'>> {
  readonly graph: Graph;
  readonly points: PointBindings;
  readonly beginPass: BeginPass;
  readonly options: GraphOptions;
}

type Steps = Awaited<ReturnType<typeof loadRows>>;

interface SurveyWork {
  readonly kind: GraphWork;
  readonly rowLength: GPUBuffer;
  readonly otherRowLength?: GPUBuffer | undefined;
  readonly jobs: readonly RowSteps[];
  readonly known?: number;
  /** Writes edges behind the counts. */
  readonly after?: RowSteps | undefined;
}

/**
 * Builds the eps-neighbour graph of points on the device in CSR form: degrees, then starts (an exclusive scan), then
 * edges, all at once or in chunks. Float32 and float64 points; every edge follows the float64 test of docs/contract.md.
 *
 *   const graph = await builder.build(devicePoints, {eps, minPts});
 *   const plan = await builder.plan('all');
 *   for (const chunk of await builder.chunks(maxEdges)) await builder.writeEdges(chunk, edges);
 *
 * Device memory in bytes per point, beyond points and grid: 16 (degrees, row lengths, starts, list of undecided rows),
 * 24 without a grid, and 32 more if edges over a grid are requested together with the degrees (columns kept by the
 * count).
 *
 * @source  Andrade et al. 2013, G-DBSCAN, graph construction: the arrays Va and Ea
 */
export class NeighborGraphBuilder extends Owner {
  readonly #gpu: Gpu;
  readonly #points: GraphPoints;
  readonly #scan: Scan;
  readonly #surveyor: RowSurveyor;
  readonly #params: ParamRing;
  readonly #buffers: GraphBuffers;
  #built: Built<NeighborGraph> | undefined;
  /** The filter whose row lengths and starts are on the device; with a plan, the steps that write its edges. */
  #layout: {readonly filter: EdgeFilter; readonly survey: RowSurvey; readonly steps?: Steps} | undefined;
  #kept: KeptEdges | undefined;

  private constructor(gpu: Gpu, points: GraphPoints, scan: Scan, surveyor: RowSurveyor) {
    super();
    this.#gpu = gpu;
    this.#points = this.own(points);
    this.#scan = this.own(scan);
    this.#surveyor = this.own(surveyor);
    this.#params = this.own(new ParamRing(gpu, 'neighbor-graph/params'));
    this.#buffers = this.own(new GraphBuffers(gpu));
  }

  /** Compiles the kernels for all points or, with a grid, for float32 points in 2-D. `gpu` is borrowed. */
  static async create(gpu: Gpu, index: GraphIndex = 'auto'): Promise<NeighborGraphBuilder> {
    // Other dimensions and sparse cells compile during the upload of their first points.
    await compileRows(gpu, {isGrid: index !== 'none', dim: 2, isSparse: false, isWide: false});
    const parts = await createAll([GraphPoints.create(gpu), Scan.create(gpu), RowSurveyor.create(gpu)]);
    return new NeighborGraphBuilder(gpu, ...parts);
  }

  /**
   * Counts the neighbours of every point. Submits, and waits for bounds of float32 points and for sums; also for the
   * fullest neighbourhood and the number of undecided rows, if they may be too large. Many pairs take several steps.
   *
   * @throws InvalidParameterError  if `index` is `grid` in more than 4 dimensions
   * @complexity O(n · k) with a grid, k = points in the 3^dim cells around a point; O(n²) without
   */
  async build(points: DevicePoints, params: DbscanParams, options: GraphOptions = {}): Promise<NeighborGraph> {
    this.#built = undefined;
    this.#layout = undefined;
    this.#kept = undefined;
    const {n, dim, wideCoords} = points;
    const isGrid = usesGrid(options.index ?? 'auto', dim);
    const beginIndexPass = options.beginIndexPass ?? ((encoder) => encoder.beginComputePass());
    const beginPass = options.beginGraphPass ?? beginIndexPass;
    // Compiles while the index is built. A failure is reported to the call that needs the kernel.
    const likely = {isGrid, dim, isSparse: false, isWide: wideCoords !== undefined};
    compileRows(this.#gpu, likely).catch(() => undefined);
    const encoder = this.#gpu.device.createCommandEncoder();
    const order = await this.#points.order(points, {...params, ...options, isGrid, encoder, beginPass: beginIndexPass});
    const graph: UncountedGraph = {
      n,
      // minPts > n makes no point core; clamped, because the kernels use u32.
      minPts: Math.min(params.minPts, 0xffff_ffff),
      index: isGrid ? 'grid' : 'none',
      pointOrder: order.pointOrder,
      positions: order.positions,
      degrees: this.#buffers.degrees(n),
      rowStart: this.#buffers.rowStart(n),
    };
    const making = {graph, points: order.points, beginPass, options};
    const ofDegrees = await this.#countDegrees(making, order.encoder);
    const {edgeCount, maxRowLength: maxDegree, undecidedCount} = ofDegrees;
    this.#built = {...making, graph: {...graph, edgeCount, maxDegree, undecidedCount}};
    return this.#built.graph;
  }

  /** Lays out the edges of a filter. Counts, submits and waits once, unless `build` has laid them out. */
  async plan(filter: EdgeFilter): Promise<EdgePlan> {
    const built = this.#lastBuild();
    const {n, minPts, undecidedCount: known} = built.graph;
    let survey = this.#layout?.filter === filter ? this.#layout.survey : undefined;
    this.#layout = undefined;
    if (!survey) {
      const count = await loadRows(this.#gpu, 'countEdges', this.#source(built, filter));
      const jobs = [count({n, minPts, filter, firstRow: 0, rowCount: n})];
      const work: SurveyWork = {kind: 'plan', jobs, known, rowLength: this.#buffers.rowLength(n, filter)};
      [survey] = await this.#survey(built, this.#gpu.device.createCommandEncoder(), work);
    }
    const steps = await loadRows(this.#gpu, 'writeEdges', this.#source(built, filter));
    this.#layout = {filter, survey, steps};
    const {edgeCount, maxRowLength} = survey;
    return {filter, edgeCount, maxRowLength, rowStart: this.#buffers.rowStart(n)};
  }

  /**
   * Divides the rows of the last plan into chunks of at most `maxEdges` edges. May wait once.
   *
   * @throws GpuLimitError  if one row has more edges
   */
  async chunks(maxEdges: number): Promise<readonly EdgeChunk[]> {
    const {survey} = this.#lastPlan();
    return this.#surveyor.chunks(survey, this.#buffers.rowStart(survey.n), maxEdges);
  }

  /** Halves the chunks until `take` finds memory for the largest. */
  async chunksThatFit<Memory>(
    maxEdges: number,
    take: (edgeCount: number) => Promise<Memory | undefined>,
  ): Promise<{readonly chunks: readonly EdgeChunk[]; readonly memory: Memory}> {
    for (let most = maxEdges; ;) {
      const chunks = await this.chunks(most);
      const largest = chunks.reduce((edges, {edgeCount}) => Math.max(edges, edgeCount), 0);
      const memory = await take(largest);
      if (memory !== undefined) return {chunks, memory};
      if (largest === 0) throw new GpuLimitError('bytes for edges', 4 * maxEdges, 0, 'the device has no memory left');
      most = Math.floor(Math.min(most, largest) / 2);
    }
  }

  /** Writes the positions of a chunk of the last plan, row after row; submits. Waits only between several steps. */
  async writeEdges({firstRow, rowCount}: EdgeChunk, edges: GPUBuffer): Promise<void> {
    const built = this.#lastBuild();
    const {filter, steps} = this.#lastPlan();
    const {n, minPts, index, undecidedCount} = built.graph;
    const job = {n, minPts, filter, firstRow, rowCount, edges};
    const isGraph = index === 'none' && filter === 'all' && rowCount === n && !this.#kept;
    const share = {work: 'writeEdges', from: firstRow / n, to: (firstRow + rowCount) / n} as const;
    if (!isGraph) return submitJob(this.#gpu, built, steps(job), () => undecidedCount, share);
    const source = this.#source(built, 'all');
    const writeGraph = await loadRows(this.#gpu, 'writeGraph', source);
    const encoder = this.#gpu.device.createCommandEncoder();
    encoder.clearBuffer(source.buffers.cursors, 0, 4 * n);
    this.#gpu.device.queue.submit([encoder.finish()]);
    return submitJob(this.#gpu, built, writeGraph(job), () => undecidedCount, share);
  }

  /** Declares that `edges` holds all edges of the last plan, for `all`: later plans select from it. Submits. */
  keepEdges(edges: GPUBuffer): void {
    const {n} = this.#lastBuild().graph;
    const {filter} = this.#lastPlan();
    if (filter !== 'all') throw new InvalidParameterError('filter', filter, "'all' in the last plan");
    const keptStart = this.#buffers.keptStart(n);
    const encoder = this.#gpu.device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.#buffers.rowStart(n), 0, keptStart, 0, 4 * (n + 1));
    this.#gpu.device.queue.submit([encoder.finish()]);
    this.#kept = {keptStart, keptEdges: edges};
  }

  /** Bindings for kernels over the rows of a chunk of the last plan, with its edges in `edges`. */
  bindRows({firstRow, rowCount}: EdgeChunk, edges: GPUBuffer): RowsBindings {
    const rows = this.#params.write(rowsStructs.RowsParams, {firstRow, endRow: firstRow + rowCount});
    const {n, degrees} = this.#lastBuild().graph;
    return {rows, rowStart: this.#buffers.rowStart(n), edges, degrees};
  }

  /** Counts degrees and lays out the requested filter, after the commands in `encoder`. */
  async #countDegrees(making: Built<UncountedGraph>, encoder: GPUCommandEncoder): Promise<RowSurvey> {
    const {n, minPts, degrees} = making.graph;
    const {filter = 'all', beforeWait, edges} = making.options;
    const undecidedRows = this.#buffers.undecidedRows(n);
    encoder.clearBuffer(undecidedRows.buffer, undecidedRows.offset, 4);
    // Without a grid the kernels add to the degrees.
    if (!making.points.isGrid) encoder.clearBuffer(degrees, 0, 4 * n);
    const rows = {n, minPts, firstRow: 0, rowCount: n};
    const countDegrees = await loadRows(this.#gpu, 'countNeighbors', this.#source(making, 'all'));
    const jobs = [countDegrees({...rows, filter: 'all'})];
    // The other jobs cover the same rows and need as many steps.
    const isWritten = edges !== undefined && jobs[0].isShort;
    const ofRows = {...rows, filter};
    const isKeeping = isWritten && making.points.isGrid && filter !== 'all' && this.#buffers.canKeep(n);
    const otherRowLength = filter === 'all' ? undefined : this.#buffers.rowLength(n, filter);
    if (filter !== 'all') {
      const count = await loadRows(this.#gpu, 'countEdges', this.#source(making, filter, isKeeping));
      jobs.push(count(ofRows));
    }
    const writing = isWritten ? loadRows(this.#gpu, 'writeEdges', this.#source(making, filter, isKeeping)) : undefined;
    const after = (await writing)?.({...ofRows, edges});
    const announce = (): void => beforeWait?.({...making.graph, edges: isWritten ? edges : undefined});
    const work: SurveyWork = {kind: 'build', jobs, rowLength: degrees, otherRowLength, after};
    const [ofDegrees, ofFilter = ofDegrees] = await this.#survey(making, encoder, work, announce);
    this.#layout = {filter, survey: ofFilter};
    return ofDegrees;
  }

  /** Counts after the commands in `encoder`, scans the last row lengths, surveys all of them; waits. */
  async #survey(
    making: Built,
    encoder: GPUCommandEncoder,
    {kind: work, jobs, known, after, ...lengths}: SurveyWork,
    beforeWait?: () => void,
  ): Promise<readonly [RowSurvey, RowSurvey?]> {
    const {n} = making.graph;
    const undecidedRows = this.#buffers.undecidedRows(n);
    const areInOne = jobs.every(isInOne);
    const count = (): Promise<number> | number => known ?? this.#surveyor.countUndecided(undecidedRows);
    const {device} = this.#gpu;
    const jobCount = jobs.length + (after ? 1 : 0);
    const shareOf = (k: number): Share => ({work, from: k / jobCount, to: (k + 1) / jobCount});
    let last = encoder;
    if (!areInOne) {
      device.queue.submit([encoder.finish()]);
      for (const [k, job] of jobs.entries()) await submitJob(this.#gpu, making, job, count, shareOf(k));
      last = device.createCommandEncoder();
    }
    let pass = making.beginPass(last);
    if (areInOne) for (const job of jobs) allOf(job)(pass);
    // One more word than rows: the end of the last row.
    const {rowLength, otherRowLength = rowLength} = lengths;
    this.#scan.encode(pass, {input: otherRowLength, output: this.#buffers.rowStart(n), count: n + 1});
    const input = {n, ...lengths, undecidedRows};
    if (areInOne || !after) {
      return this.#surveyor.survey(input, {encoder: last, pass}, after && allOf(after), beforeWait);
    }
    pass.end();
    device.queue.submit([last.finish()]);
    await submitJob(this.#gpu, making, after, count, shareOf(jobs.length));
    last = device.createCommandEncoder();
    pass = making.beginPass(last);
    return this.#surveyor.survey(input, {encoder: last, pass}, undefined, beforeWait);
  }

  #source({graph: {n}, points, options: {pairsPerStep}}: Built, filter: EdgeFilter, isKeeping = false): RowSource {
    const buffers = this.#buffers.bindings(n, filter, points.isGrid, isKeeping);
    const kept = this.#kept;
    return {points, buffers, params: this.#params, isKeeping, kept, pairsPerStep};
  }

  #lastBuild(): Built<NeighborGraph> {
    if (!this.#built) throw new InvalidParameterError('graph', undefined, 'a successful build() first');
    return this.#built;
  }

  #lastPlan() {
    const {steps} = this.#layout ?? {};
    if (!this.#layout || !steps)
      throw new InvalidParameterError('plan', undefined, 'a successful plan() since build()');
    return {...this.#layout, steps};
  }
}
