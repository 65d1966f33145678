import {
  checkKnownOptions,
  InvalidParameterError,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type PointSet,
} from '@epsball/clustering';
import {GpuDbscan, type Gpu, type GpuRun} from '@epsball/gpu';
import {MAX_GRAPH_DIM} from '@epsball/neighbor-graph';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {usePool, type PoolOptions} from '@epsball/workers';
import {HybridRun} from './hybridRun.ts';
import {createParts, edgesThatBind, type HybridParts} from './runParts.ts';

const LABEL = 'dbscan-hybrid';
const EDGE_BYTES_MIN = 4;
const EDGE_BYTES_MAX = 2 ** 31 - 4;

export interface HybridOptions extends PoolOptions {
  /**
   * What finds neighbours on the device. 'grid': a uniform grid, 1 to 4 dimensions. 'none': a test of all pairs,
   * O(n²), 1 to 64 dimensions, as in the document. Default 'auto': the grid in up to 4 dimensions, else none.
   */
  readonly index?: 'auto' | 'grid' | 'none' | undefined;
  /**
   * Bytes of edges in a chunk, 4 an edge; an integer from 4 to 2^31 − 4. The device, staging and shared memory hold two
   * chunks each. Default: an eighth of all edges, but from 4 to 16 MiB, and more if one point has more neighbours.
   */
  readonly edgeBytes?: number | undefined;
}

/**
 * The hybrid of the document: neighbours on the GPU, disjoint sets on worker threads. Over a grid, up to two edges a
 * point travel with their rows. More edges travel in chunks: the device writes one chunk while the chunk before is
 * copied to shared memory and earlier ones are united. Pairs of core points travel first, once each; over a grid only
 * those that the clusters need. Edges from border points to core points follow when the clusters have their numbers.
 *
 * Runs on a device queue up. Labels and core mask lie on a `SharedArrayBuffer`, new ones for each run.
 *
 * Counters: `threads`, `chunks`, `coreEdges`, `borderEdges`, `travelledBytes` (edges and data of their rows),
 * `maxDegree`; in milliseconds `deviceWaitMs`, `transferMs`, `threadWaitMs` (the calling thread waited for edges,
 * copied them, waited for threads), `uniteMs` (some thread was uniting or labelling), `uniteMsOfThread1` and so on.
 *
 * Device bytes a point, 2-D float32: points, grid, graph, and 60, or 4 and two chunks of edges; without an index also
 * all edges if they fit eight chunks. Shared memory beyond input and result: 22 bytes a point and the edges, 8 bytes a
 * point or two chunks.
 *
 * @param gpu      borrowed; destroy the algorithm first
 * @param options  threads and how the work is cut
 * @returns        owned by the caller
 * @throws InvalidParameterError  if an option is out of range
 * @complexity grid: O(n · k) on the device, k = points in the 3^dim cells around a point; none: O(n²). Bus and threads:
 *             O(edges)
 * @source     A course report on G-DBSCAN, PDSDBSCAN and a hybrid of both: “Hybrid”
 */
export async function createHybridDbscan(gpu: Gpu, options: HybridOptions = {}): Promise<DbscanAlgorithm> {
  checkKnownOptions(options, ['threads', 'pool', 'index', 'edgeBytes'], 'options', 'an object such as {threads: 4}');
  checkOptions(options);
  const {pool, release} = usePool(options);
  try {
    return new HybridDbscan(gpu, await createParts(gpu, LABEL, options.index, pool), options, release);
  } catch (error) {
    release();
    throw error;
  }
}

class HybridDbscan extends GpuDbscan {
  readonly #parts: HybridParts;
  readonly #options: HybridOptions;

  constructor(gpu: Gpu, parts: HybridParts, options: HybridOptions, releasePool: () => void) {
    const {pool, ...own} = parts;
    const {index = 'auto'} = options;
    super(gpu, {
      name: 'hybrid',
      label: LABEL,
      maxDim: index === 'grid' ? MAX_GRID_DIM : MAX_GRAPH_DIM,
      limitedBy: `index ${index}`,
      looksForNonFinite: true,
      counters: {threads: pool.threads, chunks: 0, coreEdges: 0, borderEdges: 0, travelledBytes: 0},
      owned: [...Object.values(own), {destroy: releasePool}],
    });
    this.#parts = parts;
    this.#options = options;
  }

  protected override async cluster(
    points: PointSet,
    params: DbscanParams,
    run: GpuRun<DbscanPhase>,
  ): Promise<DbscanResult> {
    const {index = 'auto', edgeBytes} = this.#options;
    const {uploader, memory} = this.#parts;
    run.enter('upload');
    const uploaded = await uploader.upload(points, run.passes('index'));
    // Meanwhile the device computes the bounding box.
    const prepared = memory.prepare(uploaded.n);
    const maxEdges = edgeBytes === undefined ? undefined : Math.min(Math.floor(edgeBytes / 4), edgesThatBind(this.gpu));
    return new HybridRun({...this.#parts, run, prepared, maxEdges}).cluster(uploaded, params, index);
  }
}

function checkOptions({index = 'auto', edgeBytes = EDGE_BYTES_MAX}: HybridOptions): void {
  if (index !== 'auto' && index !== 'grid' && index !== 'none') {
    throw new InvalidParameterError('index', index, "'auto', 'grid' or 'none'");
  }
  if (!Number.isInteger(edgeBytes) || edgeBytes < EDGE_BYTES_MIN || edgeBytes > EDGE_BYTES_MAX) {
    const expectation = `an integer from ${EDGE_BYTES_MIN} to ${EDGE_BYTES_MAX}`;
    throw new InvalidParameterError('edgeBytes', edgeBytes, expectation);
  }
}
