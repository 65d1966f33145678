import {
  DestroyedError,
  PhaseClock,
  pointCount,
  throwIfAborted,
  validatePointShape,
  validateRun,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type DbscanStats,
  type PointSet,
} from '@epsball/clustering';
import {DeviceTimer, type Gpu} from '@epsball/gpu';
import {
  chunksThatFit,
  EdgeMemory,
  MAX_GRAPH_DIM,
  NeighborGraphBuilder,
  type RowsBindings,
} from '@epsball/neighbor-graph';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {ClusterNumbering} from './clusterNumbering.ts';
import {GraphSearch, type SearchRun} from './graphSearch.ts';
import {LabelReadBack, type ComingLabels} from './labelReadBack.ts';
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
 * Device bytes a point, 2-D float32: at most 137 with a grid, 61 without (points 8, index, graph 12 or 16, search 16, labels 17), beside
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
  const owned: Disposable[] = [];
  const own = <T extends Disposable>(part: T): T => {
    owned.push(part);
    return part;
  };
  try {
    // First, because it refuses a device with too few bindings.
    const builder = own(await NeighborGraphBuilder.create(gpu, chosen.index));
    const search = own(await GraphSearch.create(gpu, chosen.frontier));
    const numbering = own(await ClusterNumbering.create(gpu));
    return new GdbscanPipeline(gpu, chosen, {builder, search, numbering});
  } catch (error) {
    for (const part of owned) part[Symbol.dispose]();
    throw error;
  }
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
  readonly #readBack: LabelReadBack;
  readonly #edges: EdgeMemory;
  readonly #timer: DeviceTimer<DbscanPhase>;
  #isDestroyed = false;

  constructor(gpu: Gpu, chosen: ChosenOptions, {builder, search, numbering}: Stages) {
    this.#gpu = gpu;
    this.#chosen = chosen;
    this.#builder = builder;
    this.#numbering = numbering;
    this.#search = search;
    this.#uploader = new PointUploader(gpu, 'dbscan-gdbscan');
    this.#readBack = new LabelReadBack(gpu);
    this.#edges = new EdgeMemory(gpu, 'dbscan-gdbscan/edges');
    this.#timer = new DeviceTimer(gpu, 'dbscan-gdbscan');
  }

  async run(points: PointSet, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DbscanResult> {
    if (this.#isDestroyed) throw new DestroyedError('gdbscan');
    validatePointShape(points);
    const maxDim = this.#chosen.index === 'grid' ? MAX_GRID_DIM : MAX_GRAPH_DIM;
    // The box of float32 points shows whether all are finite.
    const looksForNonFinite = points.coords instanceof Float32Array;
    validateRun(points, params, {variant: 'gdbscan', maxDim, looksForNonFinite, signal: options.signal});
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
    const beginIndexPass = this.#timer.passes('index');
    const devicePoints = await this.#uploader.upload(points, beginIndexPass);
    clock.enter('index');
    const chosen = this.#chosen;
    const graph = await this.#builder.build(devicePoints, params, {
      index: chosen.index,
      beginIndexPass,
      beginGraphPass: (encoder) => {
        if (clock.phase === 'index') clock.enter('core');
        return this.#timer.beginPass(encoder, 'core');
      },
      betweenSteps: async () => {
        throwIfAborted(options.signal, 'core');
        await this.#timer.makeRoom();
      },
    });
    throwIfAborted(options.signal, 'core');
    const run: SearchRun = {graph, searches: chosen.searches, timer: this.#timer, options};
    const edgeBytes = 4 * graph.edgeCount;
    const edges = edgeBytes <= chosen.edgeBytes ? await this.#edges.take(edgeBytes) : undefined;
    const {labels: coming, ...found} =
      edges === undefined
        ? await this.#searchChunks(run, clock, Math.min(chosen.edgeBytes, edgeBytes))
        : await this.#searchWhole(run, clock, edges);
    clock.enter('readBack');
    const labels = await coming.take();
    const {edgeCount, maxDegree, undecidedCount: undecided} = graph;
    const counters = {edges: edgeCount, maxDegree, undecided, ...found, clusters: labels.clusterCount};
    return {...labels, stats: await this.#stats(clock, counters)};
  }

  /** Stage 1 to its end, then stage 2, on a graph that is there as a whole. */
  async #searchWhole(run: SearchRun, clock: PhaseClock<DbscanPhase>, edges: GPUBuffer): Promise<Found> {
    const {graph, timer} = run;
    await this.#builder.plan('all');
    const chunk = {firstRow: 0, rowCount: graph.n, edgeCount: graph.edgeCount};
    const rows = this.#builder.bindRows(chunk, edges);
    await timer.makeRoom();
    await this.#builder.writeEdges(chunk, edges);
    throwIfAborted(run.options.signal, 'core');
    clock.enter('clusters');
    this.#search.prepare(run, false);
    const outcome = await this.#search.run(run, rows, () => this.#label(run, rows));
    // Made behind the search already, where that was short.
    clock.enter('borders');
    return {chunks: 1, ...outcome};
  }

  /** Edges between core points chunk by chunk, joined and dropped; then those of the border points. */
  async #searchChunks(run: SearchRun, clock: PhaseClock<DbscanPhase>, edgeBytes: number): Promise<Found> {
    const {graph, timer} = run;
    clock.enter('clusters');
    await timer.makeRoom();
    this.#search.prepare(run, true);
    const joined = await this.#consume(run, 'coreToCore', 'clusters', edgeBytes, (pass, rows, rowCount) =>
      this.#search.encodeChunk(pass, run, rows, rowCount),
    );
    clock.enter('borders');
    const buffers = this.#search.buffers(graph.n);
    await timer.makeRoom();
    this.#submit('borders', (pass) => this.#numbering.encodeCores(pass, graph, buffers));
    const labelled = await this.#consume(run, 'borderToCore', 'borders', edgeBytes, (pass, rows, rowCount) =>
      this.#numbering.encodeBorders(pass, graph, buffers, rows, rowCount),
    );
    await timer.makeRoom();
    const labels = this.#askForLabels(run);
    return {chunks: joined + labelled, searches: 0, levels: 1, maxFrontier: 0, batches: 0, labels};
  }

  /** Makes the edges of a filter chunk by chunk, and records what becomes of each; returns how many chunks. */
  async #consume(
    run: SearchRun,
    filter: 'coreToCore' | 'borderToCore',
    phase: 'clusters' | 'borders',
    edgeBytes: number,
    encode: (pass: GPUComputePassEncoder, rows: RowsBindings, rowCount: number) => void,
  ): Promise<number> {
    const {graph, options} = run;
    await this.#timer.makeRoom();
    await this.#builder.plan(filter);
    const {chunks, memory: edges} = await chunksThatFit(this.#builder, Math.floor(edgeBytes / 4), (edgeCount) =>
      this.#edges.take(4 * edgeCount),
    );
    let reportAt = 0;
    for (const [k, chunk] of chunks.entries()) {
      const rows = this.#builder.bindRows(chunk, edges);
      await this.#timer.makeRoom();
      await this.#builder.writeEdges(chunk, edges);
      await this.#timer.makeRoom();
      this.#submit(phase, (pass) => encode(pass, rows, chunk.rowCount));
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

  /** Submits what labels the points of a graph that is there as a whole, and asks for the labels. */
  #label(run: SearchRun, rows: RowsBindings): ComingLabels {
    const {graph} = run;
    const buffers = this.#search.buffers(graph.n);
    return this.#askForLabels(run, (pass) => {
      this.#numbering.encodeCores(pass, graph, buffers);
      this.#numbering.encodeBorders(pass, graph, buffers, rows, graph.n);
    });
  }

  /** Submits what `encode` records, the labels in the caller's order, and their way back. */
  #askForLabels({graph}: SearchRun, encode?: (pass: GPUComputePassEncoder) => void): ComingLabels {
    const {device} = this.#gpu;
    const encoder = device.createCommandEncoder();
    if (encode) this.#record(encoder, 'borders', encode);
    const results = this.#numbering.labelsOf(graph.n);
    this.#record(encoder, 'readBack', (pass) =>
      this.#numbering.encodeResults(pass, graph, this.#search.buffers(graph.n)),
    );
    const ask = this.#readBack.encode(encoder, graph.n, results);
    device.queue.submit([encoder.finish()]);
    return ask();
  }

  #record(encoder: GPUCommandEncoder, phase: DbscanPhase, encode: (pass: GPUComputePassEncoder) => void): void {
    const pass = this.#timer.beginPass(encoder, phase);
    encode(pass);
    pass.end();
  }

  #submit(phase: DbscanPhase, encode: (pass: GPUComputePassEncoder) => void): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    this.#record(encoder, phase, encode);
    this.#gpu.device.queue.submit([encoder.finish()]);
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
    for (const owned of [this.#readBack, this.#edges, this.#timer]) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** What a search counts, and its labels. */
interface Found {
  readonly chunks: number;
  readonly searches: number;
  readonly levels: number;
  readonly maxFrontier: number;
  readonly batches: number;
  readonly labels: ComingLabels;
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
