import {
  DestroyedError,
  InvalidParameterError,
  PhaseClock,
  pointCount,
  validatePointShape,
  validateRun,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import {DeviceTimer, Reader, type Gpu} from '@epsball/gpu';
import {EdgeMemory, MAX_GRAPH_DIM, NeighborGraphBuilder} from '@epsball/neighbor-graph';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {WorkerPool} from '@epsball/workers';
import {EdgeStream} from './edgeStream.ts';
import {GraphArrays} from './graphArrays.ts';
import {HybridRun} from './hybridRun.ts';
import {RunMemory} from './runMemory.ts';
import {edgesThatBind} from './runParts.ts';

/** One edge. */
const EDGE_BYTES_MIN = 4;
const EDGE_BYTES_MAX = 2 ** 31 - 4;

export interface HybridOptions {
  /** Worker threads, integer ≥ 1. Default: one per processor. */
  readonly threads?: number | undefined;
  /** Threads to use instead; borrowed. Not together with `threads`. */
  readonly pool?: WorkerPool | undefined;
  /**
   * What finds neighbours on the device. 'grid': a uniform grid, 1 to 4 dimensions. 'none': a test of all pairs, O(n²), 1 to 64
   * dimensions, as in the document. 'auto': the grid where it can, else none.
   */
  readonly index?: 'auto' | 'grid' | 'none' | undefined;
  /**
   * Bytes of edges that are made, sent and united at a time, 4 an edge; an integer from 4 to 2^31 − 4. Two such chunks are on the device,
   * two in staging and up to eight in shared memory. Default: an eighth of all edges, but from 4 to 16 MiB, and more where one point has
   * more neighbours.
   */
  readonly edgeBytes?: number | undefined;
}

/**
 * The hybrid of the document: neighbours on the GPU, disjoint sets on worker threads. Up to two edges a point come along with the
 * degrees. Of more the device writes those of some points while those before are copied to shared memory and the ones before these are
 * united. Pairs of core points travel once, over a grid only as many as join the same, and edges from border points to core points
 * give the borders their labels when all are united: these are kept until then, or follow then where all edges are more than eight chunks.
 *
 * Runs on a device queue up. Labels and core mask lie on a `SharedArrayBuffer`, new ones for each run.
 *
 * Counters: `threads`, `chunks`, `coreEdges`, `borderEdges`, `travelledBytes` (edges and what of the graph came with them), `maxDegree`.
 * How much happened at the same time: `deviceWaitMs`, `transferMs`, `threadWaitMs` (the calling thread waited for edges, copied
 * them, waited for threads), `uniteMs` (some thread was uniting or labelling), `uniteMsOfThread1` and so on; and the device's milliseconds.
 *
 * Device bytes a point, 2-D float32: points, grid, graph, and 60, or 4 and two chunks of edges, whatever the number of edges; without an
 * index all edges where they fit eight chunks. Host bytes a point beyond input and result: 33 and the edges, at most 128 MiB, or two chunks.
 *
 * @param gpu      borrowed; destroy the algorithm first
 * @param options  threads and how the work is cut
 * @returns        owned by the caller
 * @throws InvalidParameterError  if an option is out of range
 * @throws GpuLimitError  if the device binds fewer than 10 storage buffers a kernel
 * @complexity grid: O(n · k) on the device, k = points in the 3^dim cells around a point; none: O(n²). O(edges) for bus and threads
 * @source     A course report on G-DBSCAN, PDSDBSCAN and a hybrid of both: “Hybrid”
 */
export async function createHybridDbscan(gpu: Gpu, options: HybridOptions = {}): Promise<DbscanAlgorithm> {
  checkOptions(options);
  const pool = options.pool ?? new WorkerPool({threads: options.threads});
  let builder: NeighborGraphBuilder | undefined;
  try {
    builder = await NeighborGraphBuilder.create(gpu, options.index);
    return new HybridDbscan(gpu, {builder, arrays: await GraphArrays.create(gpu), pool}, options);
  } catch (error) {
    builder?.destroy();
    if (options.pool === undefined) pool.destroy();
    throw error;
  }
}

interface Stages {
  readonly builder: NeighborGraphBuilder;
  readonly arrays: GraphArrays;
  readonly pool: WorkerPool;
}

class HybridDbscan implements DbscanAlgorithm {
  readonly #gpu: Gpu;
  readonly #options: HybridOptions;
  readonly #builder: NeighborGraphBuilder;
  readonly #arrays: GraphArrays;
  readonly #uploader: PointUploader;
  readonly #reader: Reader;
  readonly #timer: DeviceTimer<DbscanPhase>;
  readonly #stream: EdgeStream;
  readonly #wholeGraph: EdgeMemory;
  readonly #firstEdges: EdgeMemory;
  readonly #memory = new RunMemory();
  readonly #pool: WorkerPool;
  #isDestroyed = false;

  constructor(gpu: Gpu, {builder, arrays, pool}: Stages, options: HybridOptions) {
    this.#gpu = gpu;
    this.#options = options;
    this.#builder = builder;
    this.#arrays = arrays;
    this.#uploader = new PointUploader(gpu, 'dbscan-hybrid');
    this.#reader = new Reader(gpu, 'dbscan-hybrid');
    this.#timer = new DeviceTimer(gpu, 'dbscan-hybrid');
    this.#stream = new EdgeStream(gpu, 'dbscan-hybrid');
    this.#wholeGraph = new EdgeMemory(gpu, 'dbscan-hybrid/wholeGraph');
    this.#firstEdges = new EdgeMemory(gpu, 'dbscan-hybrid/firstEdges');
    this.#pool = pool;
  }

  async run(points: PointSet, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DbscanResult> {
    if (this.#isDestroyed) throw new DestroyedError('hybrid');
    validatePointShape(points);
    const {index = 'auto', edgeBytes} = this.#options;
    const maxDim = index === 'grid' ? MAX_GRID_DIM : MAX_GRAPH_DIM;
    // The box of float32 points shows whether all are finite.
    const looksForNonFinite = points.coords instanceof Float32Array;
    validateRun(points, params, {
      variant: `hybrid with index ${index}`,
      maxDim,
      looksForNonFinite,
      signal: options.signal,
    });
    const clock = new PhaseClock<DbscanPhase>();
    const n = pointCount(points);
    if (n === 0) {
      const counters = {threads: this.#pool.threads, chunks: 0, coreEdges: 0, borderEdges: 0, travelledBytes: 0};
      const stats = {...clock.stop(), counters};
      return {labels: new Int32Array(0), coreMask: new Uint8Array(0), clusterCount: 0, stats};
    }
    return this.#gpu.guard('hybrid', async (noMoreCommands) => {
      this.#gpu.resetPeak();
      this.#timer.reset();
      clock.enter('upload');
      const uploaded = await this.#uploader.upload(points, this.#timer.passes('index'));
      // While the device looks for their box.
      const prepared = this.#memory.prepare(n);
      const run = new HybridRun({
        gpu: this.#gpu,
        builder: this.#builder,
        reader: this.#reader,
        timer: this.#timer,
        stream: this.#stream,
        arrays: this.#arrays,
        wholeGraph: this.#wholeGraph,
        firstEdges: this.#firstEdges,
        pool: this.#pool,
        memory: this.#memory,
        prepared,
        noMoreCommands,
        clock,
        options,
        maxEdges: edgeBytes === undefined ? undefined : Math.min(Math.floor(edgeBytes / 4), edgesThatBind(this.#gpu)),
      });
      return run.cluster(uploaded, params, index);
    });
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    for (const owned of [this.#builder, this.#arrays, this.#uploader, this.#reader, this.#timer]) owned.destroy();
    for (const owned of [this.#stream, this.#wholeGraph, this.#firstEdges, this.#memory]) owned.destroy();
    if (this.#options.pool === undefined) this.#pool.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

function checkOptions({index = 'auto', edgeBytes = EDGE_BYTES_MAX, pool, threads}: HybridOptions): void {
  if (index !== 'auto' && index !== 'grid' && index !== 'none') {
    throw new InvalidParameterError('index', index, "'auto', 'grid' or 'none'");
  }
  if (!Number.isInteger(edgeBytes) || edgeBytes < EDGE_BYTES_MIN || edgeBytes > EDGE_BYTES_MAX) {
    const expectation = `an integer from ${EDGE_BYTES_MIN} to ${EDGE_BYTES_MAX}`;
    throw new InvalidParameterError('edgeBytes', edgeBytes, expectation);
  }
  if (pool !== undefined && threads !== undefined) {
    throw new InvalidParameterError('threads', threads, 'none beside `pool`, which has its own');
  }
}
