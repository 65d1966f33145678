import {
  GpuLimitError,
  InvalidParameterError,
  PhaseClock,
  pointCount,
  throwIfAborted,
  validateRun,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type DbscanStats,
  type PointSet,
} from '@epsball/clustering';
import {DeviceTimer, Reader, Scratch, type Gpu} from '@epsball/gpu';
import {MAX_GRAPH_DIM, NeighborGraphBuilder, type EdgeChunk, type GraphIndex} from '@epsball/neighbor-graph';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {ClusterNumbering, type DeviceLabels} from './clusterNumbering.ts';
import {GraphSearch, type Frontier, type Rows, type Searches, type SearchRun} from './graphSearch.ts';

/** Storage buffers that the largest kernel binds. */
const STORAGE_BUFFERS = 10;
/** Edges take at most so many bytes unless asked for otherwise, where the device allows as much in one binding. */
const DEFAULT_EDGE_BYTES = 2 ** 31 - 4;
/** Chunks on their way before the host waits for the device, for an abort and for its memory. */
const CHUNKS_IN_FLIGHT = 4;

export interface GdbscanGpuOptions {
  /** What finds neighbours: `grid`, up to 4 dimensions; `none`, all pairs, as the paper has it; `auto` (the default). */
  readonly index?: GraphIndex | undefined;
  /** How the frontier is kept: `flags`, one a point, as the paper has it (the default), or `queue`. */
  readonly frontier?: Frontier | undefined;
  /** `one` search after another, as the paper has it, or `many` at a time (the default). */
  readonly searches?: Searches | undefined;
  /**
   * Most bytes of edges on the device at a time, integer ≥ 4; the graph comes in chunks where it has more. Default: what
   * the device binds, at most 2 GiB.
   */
  readonly edgeBytes?: number | undefined;
}

/**
 * G-DBSCAN on WebGPU: degrees, scan and adjacency, then level-synchronous breadth-first search over the graph.
 *
 * A graph of more than `edgeBytes` is never there as a whole: chunks of rows are made, consumed and dropped. Then every
 * core point begins a search of its own, and the edges join them in one level (disjoint sets). The labels are the same.
 *
 * Counters: `edges`, `maxDegree`, `undecided` (points with a pair that float32 cannot decide), `chunks`, `searches`,
 * `levels`, `maxFrontier`, `clusters`, `batches` (times the host looked). Phases: graph construction is `index` and `core` (degrees, scan,
 * adjacency; of a graph in chunks on the device's clock only), the search `clusters`, labels `borders`.
 *
 * Device bytes a point, 2-D float32: 108 with a grid (queue: 112), 56 without, beside the edges.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is none
 * @throws GpuLimitError  if the device binds fewer than 10 storage buffers a kernel
 * @complexity O(n · k + e) work with a grid, k = points in the 3^dim cells around a point, e = edges; O(n² · dim + e) without
 * @source  Andrade et al. 2013, G-DBSCAN
 */
export async function createGdbscanGpu(gpu: Gpu, options: GdbscanGpuOptions = {}): Promise<DbscanAlgorithm> {
  const chosen = checkOptions(gpu, options);
  const allowed = gpu.device.limits.maxStorageBuffersPerShaderStage;
  if (allowed < STORAGE_BUFFERS) {
    throw new GpuLimitError('storage buffers a kernel', STORAGE_BUFFERS, allowed, 'ask for the adapter’s limits');
  }
  const [builder, numbering] = await Promise.all([NeighborGraphBuilder.create(gpu), ClusterNumbering.create(gpu)]);
  return new GdbscanPipeline(gpu, chosen, builder, numbering);
}

type Chosen = Required<{readonly [name in keyof GdbscanGpuOptions]: NonNullable<GdbscanGpuOptions[name]>}>;

class GdbscanPipeline implements DbscanAlgorithm {
  readonly #gpu: Gpu;
  readonly #chosen: Chosen;
  readonly #builder: NeighborGraphBuilder;
  readonly #search: GraphSearch;
  readonly #numbering: ClusterNumbering;
  readonly #uploader: PointUploader;
  readonly #reader: Reader;
  readonly #scratch: Scratch;
  readonly #timer: DeviceTimer<DbscanPhase>;
  #isDestroyed = false;

  constructor(gpu: Gpu, chosen: Chosen, builder: NeighborGraphBuilder, numbering: ClusterNumbering) {
    this.#gpu = gpu;
    this.#chosen = chosen;
    this.#builder = builder;
    this.#numbering = numbering;
    this.#search = new GraphSearch(gpu);
    this.#uploader = new PointUploader(gpu, 'dbscan-gdbscan');
    this.#reader = new Reader(gpu, 'dbscan-gdbscan');
    this.#scratch = new Scratch(gpu, 'dbscan-gdbscan');
    this.#timer = new DeviceTimer(gpu, 'dbscan-gdbscan');
  }

  async run(points: PointSet, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DbscanResult> {
    if (this.#isDestroyed) {
      throw new InvalidParameterError('gdbscan', 'destroyed', 'an algorithm that is not destroyed');
    }
    const maxDim = this.#chosen.index === 'grid' ? MAX_GRID_DIM : MAX_GRAPH_DIM;
    validateRun(points, params, {variant: 'gdbscan', maxDim, signal: options.signal});
    const n = pointCount(points);
    const clock = new PhaseClock<DbscanPhase>();
    if (n === 0) return emptyResult(clock);
    return this.#gpu.guard('gdbscan', () => this.#cluster(points, params, options, clock));
  }

  async #cluster(
    points: PointSet,
    params: DbscanParams,
    options: DbscanRunOptions,
    clock: PhaseClock<DbscanPhase>,
  ): Promise<DbscanResult> {
    this.#gpu.resetPeak();
    this.#timer.reset();
    clock.enter('upload');
    const devicePoints = await this.#uploader.upload(points);
    clock.enter('index');
    const graph = await this.#builder.build(devicePoints, params, {
      index: this.#chosen.index,
      beginIndexPass: (encoder) => this.#timer.beginPass(encoder, 'index'),
      beginGraphPass: (encoder) => {
        if (clock.phase === 'index') clock.enter('core');
        return this.#timer.beginPass(encoder, 'core');
      },
    });
    throwIfAborted(options.signal, 'core');
    const {frontier, searches, edgeBytes} = this.#chosen;
    const run: SearchRun = {graph, frontier, searches, timer: this.#timer, options};
    const fits = 4 * graph.edgeCount <= edgeBytes;
    const found = fits ? await this.#searchWhole(run, clock) : await this.#searchChunks(run, clock);
    const onDevice = await this.#numbering.writeResults(graph, this.#buffers(run), this.#timer);
    clock.enter('readBack');
    const {labels, coreMask, clusterCount} = await this.#readLabels(graph.n, onDevice);
    const {edgeCount: edges, maxDegree, undecidedCount: undecided} = graph;
    const counters = {edges, maxDegree, undecided, ...found, clusters: clusterCount};
    return {labels, coreMask, clusterCount, stats: await this.#stats(clock, counters)};
  }

  /** Stage 1 to its end, then stage 2, on a graph that is there as a whole. */
  async #searchWhole(run: SearchRun, clock: PhaseClock<DbscanPhase>): Promise<Record<string, number>> {
    const {graph, timer} = run;
    const {rowStart} = await this.#builder.plan('all');
    const chunk = {firstRow: 0, rowCount: graph.n, edgeCount: graph.edgeCount};
    const edges = this.#scratch.take('edges', 4 * graph.edgeCount);
    const rows = {chunk, rowStart, edges};
    this.#submit('core', (pass) => this.#builder.encodeEdges(pass, chunk, edges));
    // A round trip, so that graph and search are told apart on the host's clock, too.
    await this.#search.settle(run);
    throwIfAborted(run.options.signal, 'core');
    clock.enter('clusters');
    await this.#search.prepare(run, false);
    const outcome = await this.#search.run(run, rows);
    clock.enter('borders');
    const buffers = this.#buffers(run);
    await this.#numbering.labelCores(graph, buffers, timer);
    const encodeBorders = await this.#numbering.loadBorders(graph.n, buffers, rows);
    this.#submit('borders', encodeBorders);
    return {chunks: 1, ...outcome};
  }

  /** Edges between core points chunk by chunk, joined and dropped; then those of the border points. */
  async #searchChunks(run: SearchRun, clock: PhaseClock<DbscanPhase>): Promise<Record<string, number>> {
    const {graph, timer} = run;
    clock.enter('clusters');
    await this.#search.prepare(run, true);
    const joined = await this.#consume(run, 'coreToCore', 'clusters', (rows) => this.#search.loadChunk(run, rows));
    clock.enter('borders');
    const buffers = this.#buffers(run);
    await this.#numbering.labelCores(graph, buffers, timer);
    const labelled = await this.#consume(run, 'borderToCore', 'borders', (rows) =>
      this.#numbering.loadBorders(graph.n, buffers, rows),
    );
    return {chunks: joined + labelled, searches: 0, levels: 1, maxFrontier: 0, batches: 0};
  }

  /** Makes the edges of a filter chunk by chunk, and records what `load` returns for each; returns how many. */
  async #consume(
    run: SearchRun,
    filter: 'coreToCore' | 'borderToCore',
    phase: 'clusters' | 'borders',
    load: (rows: Rows) => Promise<(pass: GPUComputePassEncoder) => void>,
  ): Promise<number> {
    const {graph, options} = run;
    const {rowStart} = await this.#builder.plan(filter);
    const chunks = await this.#builder.chunks(Math.floor(this.#chosen.edgeBytes / 4));
    const edges = this.#scratch.take('edges', 4 * mostEdges(chunks));
    for (const [k, chunk] of chunks.entries()) {
      const encode = await load({chunk, rowStart, edges});
      await this.#timer.makeRoom();
      this.#submit('core', (pass) => this.#builder.encodeEdges(pass, chunk, edges));
      await this.#timer.makeRoom();
      this.#submit(phase, encode);
      if (k % CHUNKS_IN_FLIGHT !== CHUNKS_IN_FLIGHT - 1) continue;
      await this.#search.settle(run);
      if (k % Math.ceil(chunks.length / 50) === 0) options.onProgress?.({phase, done: chunk.firstRow, total: graph.n});
      throwIfAborted(options.signal, phase);
    }
    return chunks.length;
  }

  #buffers(run: SearchRun) {
    return this.#search.buffers(run.graph.n, run.frontier);
  }

  #submit(phase: DbscanPhase, encode: (pass: GPUComputePassEncoder) => void): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = this.#timer.beginPass(encoder, phase);
    encode(pass);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  async #readLabels(n: number, found: DeviceLabels): Promise<Omit<DbscanResult, 'stats'>> {
    const labels = new Int32Array(n);
    const coreMask = new Uint8Array(n);
    const clusters = new Uint32Array(1);
    await this.#reader.read(found.labels, labels);
    await this.#reader.read(found.coreMask, coreMask);
    await this.#reader.read(found.numbers, clusters, 4 * n);
    return {labels, coreMask, clusterCount: clusters[0]};
  }

  async #stats(clock: PhaseClock<DbscanPhase>, counters: Record<string, number>): Promise<DbscanStats> {
    const stats = {...clock.stop(), counters, deviceBytes: this.#gpu.peakBytes};
    const devicePhaseMs = await this.#timer.read();
    if (!devicePhaseMs) return stats;
    const deviceMs = Object.values(devicePhaseMs).reduce((sum, ms) => sum + ms, 0);
    return {...stats, deviceMs, devicePhaseMs};
  }

  destroy(): void {
    this.#isDestroyed = true;
    for (const owned of [this.#builder, this.#search, this.#numbering, this.#uploader]) owned.destroy();
    for (const owned of [this.#reader, this.#scratch, this.#timer]) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

function checkOptions(gpu: Gpu, options: GdbscanGpuOptions): Chosen {
  const {maxStorageBufferBindingSize, maxBufferSize} = gpu.device.limits;
  const most = Math.min(maxStorageBufferBindingSize, maxBufferSize, DEFAULT_EDGE_BYTES);
  const {index = 'auto', frontier = 'flags', searches = 'many', edgeBytes = most} = options;
  checkWord('index', index, ['auto', 'grid', 'none']);
  checkWord('frontier', frontier, ['flags', 'queue']);
  checkWord('searches', searches, ['one', 'many']);
  if (!Number.isInteger(edgeBytes) || edgeBytes < 4) {
    throw new InvalidParameterError('edgeBytes', edgeBytes, 'an integer ≥ 4');
  }
  return {index, frontier, searches, edgeBytes: Math.min(edgeBytes, most)};
}

function checkWord(name: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) throw new InvalidParameterError(name, value, allowed.join(' or '));
}

function mostEdges(chunks: readonly EdgeChunk[]): number {
  return chunks.reduce((most, {edgeCount}) => Math.max(most, edgeCount), 0);
}

function emptyResult(clock: PhaseClock<DbscanPhase>): DbscanResult {
  const counters = {edges: 0, maxDegree: 0, undecided: 0, chunks: 0, searches: 0, levels: 0, maxFrontier: 0};
  return {
    labels: new Int32Array(0),
    coreMask: new Uint8Array(0),
    clusterCount: 0,
    stats: {...clock.stop(), counters: {...counters, batches: 0, clusters: 0}},
  };
}
