import {
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type PointSet,
} from '@epsball/clustering';
import {createAll, GpuDbscan, type Encode, type Gpu, type GpuRun} from '@epsball/gpu';
import {
  chunksThatFit,
  EdgeMemory,
  MAX_GRAPH_DIM,
  NeighborGraphBuilder,
  type NeighborGraph,
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
/** Storage buffers that the largest kernel binds. */
const STORAGE_BUFFERS = 10;
/** Prefix of labels on the device. */
const LABEL = 'dbscan-gdbscan';
const NO_COUNTERS = {
  edges: 0,
  maxDegree: 0,
  undecided: 0,
  chunks: 0,
  searches: 0,
  levels: 0,
  maxFrontier: 0,
  batches: 0,
  clusters: 0,
};

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
 * @throws InvalidParameterError  if an option is out of range
 * @throws GpuLimitError  if the device binds fewer than 10 storage buffers a kernel
 * @complexity O(n · k + e) work with a grid, k = points in the 3^dim cells around a point, e = edges; O(n² · dim + e) without
 * @source  Andrade et al. 2013, G-DBSCAN
 */
export async function createGdbscanGpu(gpu: Gpu, options: GdbscanGpuOptions = {}): Promise<DbscanAlgorithm> {
  const chosen = checkOptions(gpu, options);
  gpu.requireStorageBuffers(STORAGE_BUFFERS);
  const [builder, search, numbering] = await createAll([
    NeighborGraphBuilder.create(gpu, chosen.index),
    GraphSearch.create(gpu, chosen),
    ClusterNumbering.create(gpu),
  ]);
  const uploader = new PointUploader(gpu, LABEL);
  const edges = new EdgeMemory(gpu, `${LABEL}/edges`);
  return new GdbscanPipeline(gpu, chosen, {
    builder,
    search,
    numbering,
    uploader,
    readBack: new LabelReadBack(gpu),
    edges,
  });
}

interface Parts {
  readonly builder: NeighborGraphBuilder;
  readonly search: GraphSearch;
  readonly numbering: ClusterNumbering;
  readonly uploader: PointUploader;
  readonly readBack: LabelReadBack;
  readonly edges: EdgeMemory;
}

class GdbscanPipeline extends GpuDbscan {
  readonly #chosen: ChosenOptions;
  readonly #parts: Parts;

  constructor(gpu: Gpu, chosen: ChosenOptions, parts: Parts) {
    super(gpu, {
      name: 'gdbscan',
      label: LABEL,
      maxDim: chosen.index === 'grid' ? MAX_GRID_DIM : MAX_GRAPH_DIM,
      looksForNonFinite: true,
      counters: NO_COUNTERS,
      owned: Object.values(parts),
    });
    this.#chosen = chosen;
    this.#parts = parts;
  }

  protected override async cluster(
    points: PointSet,
    params: DbscanParams,
    run: GpuRun<DbscanPhase>,
  ): Promise<DbscanResult> {
    const graph = await this.#buildGraph(points, params, run);
    const edgeBytes = 4 * graph.edgeCount;
    const most = this.#chosen.edgeBytes;
    const edges = edgeBytes <= most ? await this.#parts.edges.take(edgeBytes) : undefined;
    const {labels: coming, ...found} =
      edges === undefined
        ? await this.#searchChunks({graph, run}, Math.min(most, edgeBytes))
        : await this.#searchWhole({graph, run}, edges);
    run.enter('readBack');
    const labels = await coming.take();
    const {edgeCount, maxDegree, undecidedCount: undecided} = graph;
    const counters = {edges: edgeCount, maxDegree, undecided, ...found, clusters: labels.clusterCount};
    return {...labels, stats: await run.stats(counters)};
  }

  /** Stage 1 up to the degrees. */
  async #buildGraph(points: PointSet, params: DbscanParams, run: GpuRun<DbscanPhase>): Promise<NeighborGraph> {
    run.enter('upload');
    const devicePoints = await this.#parts.uploader.upload(points, run.passes('index'));
    run.enter('index');
    const graph = await this.#parts.builder.build(devicePoints, params, {
      index: this.#chosen.index,
      beginIndexPass: run.passes('index'),
      beginGraphPass: (encoder) => {
        if (run.clock.phase === 'index') run.enter('core');
        return run.timer.beginPass(encoder, 'core');
      },
      betweenSteps: async () => {
        run.throwIfAborted('core');
        await run.makeRoom();
      },
    });
    run.throwIfAborted('core');
    return graph;
  }

  /** Stage 1 to its end, then stage 2, on a graph whose edges fit the device at once. */
  async #searchWhole({graph, run}: SearchRun, edges: GPUBuffer): Promise<Found> {
    const {builder, search} = this.#parts;
    await builder.plan('all');
    const chunk = {firstRow: 0, rowCount: graph.n, edgeCount: graph.edgeCount};
    const rows = builder.bindRows(chunk, edges);
    await run.makeRoom();
    await builder.writeEdges(chunk, edges);
    run.throwIfAborted('core');
    run.enter('clusters');
    search.prepare({graph, run}, false);
    const outcome = await search.search({graph, run}, rows, () => this.#label({graph, run}, rows));
    // A short search comes with its labels.
    run.enter('borders');
    return {chunks: 1, ...outcome};
  }

  /** Edges between core points chunk by chunk, joined and dropped; then those of the border points. */
  async #searchChunks({graph, run}: SearchRun, edgeBytes: number): Promise<Found> {
    const {search, numbering} = this.#parts;
    run.enter('clusters');
    await run.makeRoom();
    search.prepare({graph, run}, true);
    const cores = {filter: 'coreToCore', phase: 'clusters', edgeBytes} as const;
    const joined = await this.#consume({graph, run}, cores, (pass, rows, rowCount) =>
      search.encodeChunk(pass, graph, rows, rowCount),
    );
    run.enter('borders');
    const buffers = search.buffers(graph.n);
    await run.makeRoom();
    run.submit('borders', (pass) => numbering.encodeCores(pass, graph, buffers));
    const borders = {filter: 'borderToCore', phase: 'borders', edgeBytes} as const;
    const labelled = await this.#consume({graph, run}, borders, (pass, rows, rowCount) =>
      numbering.encodeBorders(pass, graph, buffers, rows, rowCount),
    );
    await run.makeRoom();
    const labels = this.#askForLabels({graph, run});
    return {chunks: joined + labelled, searches: 0, levels: 1, maxFrontier: 0, batches: 0, labels};
  }

  /** Makes the edges of a filter chunk by chunk and records the work on each; returns the number of chunks. */
  async #consume(
    {graph, run}: SearchRun,
    {filter, phase, edgeBytes}: Flow,
    encode: (pass: GPUComputePassEncoder, rows: RowsBindings, rowCount: number) => void,
  ): Promise<number> {
    const {builder} = this.#parts;
    await run.makeRoom();
    await builder.plan(filter);
    const {chunks, memory: edges} = await chunksThatFit(builder, Math.floor(edgeBytes / 4), (edgeCount) =>
      this.#parts.edges.take(4 * edgeCount),
    );
    for (const [k, chunk] of chunks.entries()) {
      const rows = builder.bindRows(chunk, edges);
      await run.makeRoom();
      await builder.writeEdges(chunk, edges);
      await run.makeRoom();
      run.submit(phase, (pass) => encode(pass, rows, chunk.rowCount));
      if (k % CHUNKS_IN_FLIGHT !== CHUNKS_IN_FLIGHT - 1) continue;
      await run.settle(phase);
      run.report(phase, Math.min(graph.n, chunk.firstRow + chunk.rowCount));
    }
    return chunks.length;
  }

  /** Submits the labels of a graph whose edges are on the device, and asks for them. */
  #label({graph, run}: SearchRun, rows: RowsBindings): ComingLabels {
    const {search, numbering} = this.#parts;
    const buffers = search.buffers(graph.n);
    return this.#askForLabels({graph, run}, (pass) => {
      numbering.encodeCores(pass, graph, buffers);
      numbering.encodeBorders(pass, graph, buffers, rows, graph.n);
    });
  }

  /** Submits what `encode` records, the labels in the caller's order, and their way back. */
  #askForLabels({graph, run}: SearchRun, encode?: Encode): ComingLabels {
    const {search, numbering, readBack} = this.#parts;
    const {device} = this.gpu;
    const encoder = device.createCommandEncoder();
    if (encode) run.record(encoder, 'borders', encode);
    const results = numbering.labelsOf(graph.n);
    run.record(encoder, 'readBack', (pass) => numbering.encodeResults(pass, graph, search.buffers(graph.n)));
    const ask = readBack.encode(encoder, graph.n, results);
    device.queue.submit([encoder.finish()]);
    return ask();
  }
}

/** Edges that a graph in chunks goes through. */
interface Flow {
  readonly filter: 'coreToCore' | 'borderToCore';
  readonly phase: 'clusters' | 'borders';
  /** Of a chunk, at most. */
  readonly edgeBytes: number;
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
