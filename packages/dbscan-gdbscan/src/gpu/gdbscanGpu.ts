import {
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
import {MAX_GRAPH_DIM, NeighborGraphBuilder, type EdgeChunk, type RowsBindings} from '@epsball/neighbor-graph';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {ClusterNumbering, type DeviceLabels} from './clusterNumbering.ts';
import {GraphSearch, type SearchRun} from './graphSearch.ts';
import {checkOptions, type ChosenOptions, type GdbscanGpuOptions} from './options.ts';

/** Chunks on their way before the host waits for the device, for an abort and for its memory. */
const CHUNKS_IN_FLIGHT = 4;
/** Progress reports of a graph in chunks, at most. */
const REPORTS = 50;

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
 * Device bytes a point, 2-D float32: at most 105 with a grid, 57 without (points 8, index, graph 12, search 16, labels 17), beside
 * the edges; a queue and a graph in chunks take 4 more each.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is none
 * @throws GpuLimitError  if the device binds fewer than 10 storage buffers a kernel
 * @complexity O(n · k + e) work with a grid, k = points in the 3^dim cells around a point, e = edges; O(n² · dim + e) without
 * @source  Andrade et al. 2013, G-DBSCAN
 */
export async function createGdbscanGpu(gpu: Gpu, options: GdbscanGpuOptions = {}): Promise<DbscanAlgorithm> {
  const chosen = checkOptions(gpu, options);
  // First, because it refuses a device with too few bindings.
  const builder = await NeighborGraphBuilder.create(gpu);
  const [search, numbering] = await Promise.all([GraphSearch.create(gpu), ClusterNumbering.create(gpu)]);
  return new GdbscanPipeline(gpu, chosen, {builder, search, numbering});
}

interface Stages {
  readonly builder: NeighborGraphBuilder;
  readonly search: GraphSearch;
  readonly numbering: ClusterNumbering;
}

class GdbscanPipeline implements DbscanAlgorithm {
  readonly #gpu: Gpu;
  readonly #chosen: ChosenOptions;
  readonly #builder: NeighborGraphBuilder;
  readonly #search: GraphSearch;
  readonly #numbering: ClusterNumbering;
  readonly #uploader: PointUploader;
  readonly #reader: Reader;
  readonly #scratch: Scratch;
  readonly #timer: DeviceTimer<DbscanPhase>;
  #isDestroyed = false;

  constructor(gpu: Gpu, chosen: ChosenOptions, {builder, search, numbering}: Stages) {
    this.#gpu = gpu;
    this.#chosen = chosen;
    this.#builder = builder;
    this.#numbering = numbering;
    this.#search = search;
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
    await this.#builder.plan('all');
    const chunk = {firstRow: 0, rowCount: graph.n, edgeCount: graph.edgeCount};
    const edges = this.#scratch.take('edges', 4 * graph.edgeCount);
    const rows = this.#builder.bindRows(chunk, edges);
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
    this.#submit('borders', await this.#numbering.loadBorders(buffers, rows, graph.n, graph.n));
    return {chunks: 1, ...outcome};
  }

  /** Edges between core points chunk by chunk, joined and dropped; then those of the border points. */
  async #searchChunks(run: SearchRun, clock: PhaseClock<DbscanPhase>): Promise<Record<string, number>> {
    const {graph, timer} = run;
    clock.enter('clusters');
    await this.#search.prepare(run, true);
    const joined = await this.#consume(run, 'coreToCore', 'clusters', (rows, rowCount) =>
      this.#search.loadChunk(run, rows, rowCount),
    );
    clock.enter('borders');
    const buffers = this.#buffers(run);
    await this.#numbering.labelCores(graph, buffers, timer);
    const labelled = await this.#consume(run, 'borderToCore', 'borders', (rows, rowCount) =>
      this.#numbering.loadBorders(buffers, rows, graph.n, rowCount),
    );
    return {chunks: joined + labelled, searches: 0, levels: 1, maxFrontier: 0, batches: 0};
  }

  /** Makes the edges of a filter chunk by chunk, and records what `load` returns for each; returns how many. */
  async #consume(
    run: SearchRun,
    filter: 'coreToCore' | 'borderToCore',
    phase: 'clusters' | 'borders',
    load: (rows: RowsBindings, rowCount: number) => Promise<(pass: GPUComputePassEncoder) => void>,
  ): Promise<number> {
    const {graph, options} = run;
    await this.#builder.plan(filter);
    const chunks = await this.#builder.chunks(Math.floor(this.#chosen.edgeBytes / 4));
    const edges = this.#scratch.take('edges', 4 * mostEdges(chunks));
    let reportAt = 0;
    for (const [k, chunk] of chunks.entries()) {
      const encode = await load(this.#builder.bindRows(chunk, edges), chunk.rowCount);
      await this.#timer.makeRoom();
      this.#submit('core', (pass) => this.#builder.encodeEdges(pass, chunk, edges));
      await this.#timer.makeRoom();
      this.#submit(phase, encode);
      if (k % CHUNKS_IN_FLIGHT !== CHUNKS_IN_FLIGHT - 1) continue;
      await this.#search.settle(run);
      if (chunk.firstRow >= reportAt) {
        reportAt = chunk.firstRow + graph.n / REPORTS;
        options.onProgress?.({phase, done: chunk.firstRow, total: graph.n});
      }
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
