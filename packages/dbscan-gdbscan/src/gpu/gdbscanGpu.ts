import {
  extendResult,
  type DbscanAlgorithm,
  type DbscanOutputOptions,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type PointSet,
} from '@epsball/clustering';
import {
  createAll,
  GpuDbscan,
  LabelReadBack,
  Scratch,
  type ComingLabels,
  type Encode,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import {
  MAX_GRAPH_DIM,
  NeighborGraphBuilder,
  optionsOfRun,
  type GraphWork,
  type NeighborGraph,
  type RowsBindings,
} from '@epsball/neighbor-graph';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {GraphSearch, type SearchOutcome, type SearchRun} from './graphSearch.ts';
import {checkOptions, type ChosenOptions, type GdbscanGpuOptions} from './options.ts';

/** Chunks submitted before the host waits for the device and tests for an abort. */
const CHUNKS_IN_FLIGHT = 4;
/** Prefix of the labels of device objects. */
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
 * If the graph takes more than `edgeBytes`, chunks of rows are computed, consumed and dropped. Then every core point
 * starts a search, and the edges unite the searches in one level (disjoint sets). The labels are the same.
 *
 * Counters: `edges`, `maxDegree`, `undecided` (points with a pair that float32 cannot decide), `chunks`, `searches`,
 * `levels`, `maxFrontier`, `clusters`, `batches` (how often the host read the state of the search). Phases: the graph
 * is `index` and `core` (degrees, scan, adjacency; with chunks in device times only), the search is `clusters`, labels
 * are `borders`.
 *
 * Device memory per point, 2-D float32: at most 137 bytes with a grid, 61 without (points 8, index, graph 12 or 16,
 * search 16, labels 17), and the edges. A graph in chunks takes 4 bytes more.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is out of range
 * @complexity  O(n · k + e) work with a grid, k = points in the 3^dim cells around a point, e = edges; else O(n² · dim
 *   + e)
 * @source  Andrade et al. 2013, G-DBSCAN
 */
export async function createGdbscanGpu(gpu: Gpu, options: GdbscanGpuOptions = {}): Promise<DbscanAlgorithm> {
  const chosen = checkOptions(gpu, options);
  return new GdbscanPipeline(gpu, chosen, await createParts(gpu, chosen));
}

async function createParts(gpu: Gpu, chosen: ChosenOptions) {
  const [builder, search] = await createAll([
    NeighborGraphBuilder.create(gpu, chosen.index),
    GraphSearch.create(gpu, chosen.searches),
  ]);
  return {
    builder,
    search,
    uploader: new PointUploader(gpu, LABEL),
    readBack: new LabelReadBack(gpu, `${LABEL}/labels`),
    memory: new Scratch(gpu, LABEL),
  };
}

type Parts = Awaited<ReturnType<typeof createParts>>;

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
    output: DbscanOutputOptions,
  ): Promise<DbscanResult> {
    const graph = await this.#buildGraph(points, params, run);
    const edgeBytes = 4 * graph.edgeCount;
    const most = this.#chosen.edgeBytes;
    const edges = edgeBytes <= most ? await this.#parts.memory.takeIfFree('edges', edgeBytes) : undefined;
    const {labels: coming, ...found} =
      edges === undefined
        ? await this.#searchChunks({graph, run, startsEverywhere: true}, Math.min(most, edgeBytes))
        : await this.#searchWhole({graph, run, startsEverywhere: false}, edges);
    run.enter('readBack');
    const labels = await coming.take(output);
    const {edgeCount, maxDegree, undecidedCount: undecided} = graph;
    const counters = {edges: edgeCount, maxDegree, undecided, ...found, clusters: labels.clusterCount};
    return extendResult(labels, {stats: await run.stats(counters)});
  }

  /** The paper's stage 1 up to the degrees. */
  async #buildGraph(points: PointSet, params: DbscanParams, run: GpuRun<DbscanPhase>): Promise<NeighborGraph> {
    run.enter('upload');
    const devicePoints = await this.#parts.uploader.upload(points, run.passes('index'));
    run.enter('index');
    await run.reachPart('index', 0);
    const graph = await this.#parts.builder.build(devicePoints, params, {
      index: this.#chosen.index,
      ...optionsOfRun(run, partOf),
      beginGraphPass: (encoder) => {
        if (run.clock.phase === 'index') {
          run.enter('core');
          run.report('core', 0);
        }
        return run.timer.beginPass(encoder, 'core');
      },
    });
    run.throwIfAborted('core');
    return graph;
  }

  /** The rest of stage 1, then stage 2, on a graph whose edges fit into device memory. */
  async #searchWhole(input: SearchRun, edges: GPUBuffer): Promise<Found> {
    const {builder, search} = this.#parts;
    const {graph, run} = input;
    await builder.plan('all');
    const chunk = {firstRow: 0, rowCount: graph.n, edgeCount: graph.edgeCount};
    const rows = builder.bindRows(chunk, edges);
    await run.makeRoom();
    await builder.writeEdges(chunk, edges);
    await run.reachPart('core', 1);
    run.throwIfAborted('core');
    run.enter('clusters');
    search.prepare(input);
    const outcome = await search.search(input, rows, () =>
      this.#askForLabels(input, (pass) => {
        search.encodeCores(pass, input);
        search.encodeBorders(pass, input, rows, graph.n);
      }),
    );
    // The labels of a short search come with its last batch.
    run.enter('borders');
    return {chunks: 1, ...outcome};
  }

  /**
   * Computes edges between core points chunk by chunk, unites their ends and drops them; then edges of border points.
   */
  async #searchChunks(input: SearchRun, edgeBytes: number): Promise<Found> {
    const {search} = this.#parts;
    const {run} = input;
    await run.reachPart('core', 1);
    run.enter('clusters');
    await run.makeRoom();
    search.prepare(input);
    const joined = await this.#consume(input, 'coreToCore', edgeBytes, (pass, rows, rowCount) =>
      search.encodeChunk(pass, input, rows, rowCount),
    );
    run.enter('borders');
    await run.makeRoom();
    run.submit('borders', (pass) => search.encodeCores(pass, input));
    const labelled = await this.#consume(input, 'borderToCore', edgeBytes, (pass, rows, rowCount) =>
      search.encodeBorders(pass, input, rows, rowCount),
    );
    await run.makeRoom();
    const labels = this.#askForLabels(input);
    return {chunks: joined + labelled, searches: 0, levels: 1, maxFrontier: 0, batches: 0, labels};
  }

  /**
   * Computes the edges of a filter chunk by chunk and records the work on each.
   *
   * @param edgeBytes  maximum for a chunk
   * @returns          number of chunks
   */
  async #consume(
    {graph, run}: SearchRun,
    filter: 'coreToCore' | 'borderToCore',
    edgeBytes: number,
    encode: (pass: GPUComputePassEncoder, rows: RowsBindings, rowCount: number) => void,
  ): Promise<number> {
    const {builder} = this.#parts;
    const phase = filter === 'coreToCore' ? 'clusters' : 'borders';
    await run.makeRoom();
    await builder.plan(filter);
    const {chunks, memory: edges} = await builder.chunksThatFit(Math.floor(edgeBytes / 4), (edgeCount) =>
      this.#parts.memory.takeIfFree('edges', 4 * edgeCount),
    );
    for (const [k, chunk] of chunks.entries()) {
      const rows = builder.bindRows(chunk, edges);
      await run.makeRoom();
      await builder.writeEdges(chunk, edges);
      await run.makeRoom();
      run.submit(phase, (pass) => encode(pass, rows, chunk.rowCount));
      // A chunk may take seconds in software, and is reported when it is done.
      if (this.gpu.speed !== 'software' && k % CHUNKS_IN_FLIGHT !== CHUNKS_IN_FLIGHT - 1) continue;
      await run.settle(phase);
      run.reportPart(phase, partOf('writeEdges', Math.min(1, (chunk.firstRow + chunk.rowCount) / graph.n)));
    }
    return chunks.length;
  }

  /** Submits the commands of `encode`, the labels in the caller's order, and their copies to the host. */
  #askForLabels(input: SearchRun, encode?: Encode): ComingLabels {
    const {search, readBack} = this.#parts;
    const {device} = this.gpu;
    const encoder = device.createCommandEncoder();
    if (encode) input.run.record(encoder, 'borders', encode);
    const pass = input.run.timer.beginPass(encoder, 'readBack');
    const results = search.encodeResults(pass, input);
    pass.end();
    const ask = readBack.encode(encoder, input.graph.n, results);
    device.queue.submit([encoder.finish()]);
    return ask();
  }
}

/** Rows are counted in one half of a phase, and edges are written in the other. */
function partOf(work: GraphWork, part: number): number {
  return (part + (work === 'writeEdges' ? 1 : 0)) / 2;
}

/** Counters of a search, and its labels. */
interface Found extends SearchOutcome {
  readonly chunks: number;
}
