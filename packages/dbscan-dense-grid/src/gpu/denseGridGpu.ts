import type {DbscanParams, DbscanPhase, DbscanResult, PointSet} from '@epsball/clustering';
import {
  createAll,
  DeviceGpuDbscan,
  LabelReadBack,
  Reader,
  type DeviceDbscanAlgorithm,
  type DeviceInput,
  type DeviceLabels,
  type DeviceResult,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import {diagonalGeometry, gridGeometry, MAX_GRID_DIM} from '@epsball/spatial-grid';
import {GpuGridBuilder, PointUploader, type DevicePoints} from '@epsball/spatial-grid/gpu';
import {CellSets} from './cellSets.ts';
import {ClusterLabels} from './clusterLabels.ts';
import {RunBuffers} from './runBuffers.ts';

/** Storage buffers that the largest kernel binds. */
const STORAGE_BUFFERS = 10;
/** Catalogue id, and prefix of labels. */
const [NAME, LABEL] = ['dense-grid', 'dbscan-dense-grid'];
/**
 * Cells per point up to which the grid is dense in 3 and 4 dimensions, 8 bytes each. On a GPU empty cells cost less
 * than the search for occupied ones.
 */
const CELLS_PER_POINT = {hardware: 64, software: 6};
const NO_COUNTERS = {clusters: 0, sets: 0};

/**
 * DBSCAN on WebGPU over cells whose diagonal is shorter than eps, in 1 to 4 dimensions; float32 and float64 points. All
 * points of a cell are neighbours: a cell of minPts points is core as a whole, and disjoint sets hold cells instead of
 * points. Clusters are numbered by their smallest core point with one scan, and a border point takes its lowest label.
 *
 * The whole run is one submission behind the bounding box. Counters: `clusters`, `sets` (cells, empty ones included
 * in a dense grid).
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws GpuLimitError  if the device binds fewer than 10 storage buffers a kernel
 * @complexity O(n · k) work, k = points in the cells around a point, of which most are skipped
 */
export async function createDenseGridGpu(gpu: Gpu): Promise<DeviceDbscanAlgorithm> {
  gpu.requireStorageBuffers(STORAGE_BUFFERS);
  const [gridBuilder, sets, clusterLabels] = await createAll([
    GpuGridBuilder.create(gpu),
    CellSets.create(gpu),
    ClusterLabels.create(gpu),
  ]);
  return new DenseGridPipeline(gpu, {
    gridBuilder,
    sets,
    clusterLabels,
    buffers: new RunBuffers(gpu, LABEL),
    uploader: new PointUploader(gpu, LABEL),
    readBack: new LabelReadBack(gpu, `${LABEL}/labels`),
    reader: new Reader(gpu, LABEL),
  });
}

interface Parts {
  readonly gridBuilder: GpuGridBuilder;
  readonly sets: CellSets;
  readonly clusterLabels: ClusterLabels;
  readonly buffers: RunBuffers;
  readonly uploader: PointUploader;
  readonly readBack: LabelReadBack;
  readonly reader: Reader;
}

type Run = GpuRun<DbscanPhase>;

class DenseGridPipeline extends DeviceGpuDbscan {
  readonly #parts: Parts;

  constructor(gpu: Gpu, parts: Parts) {
    super(gpu, {
      name: NAME,
      label: LABEL,
      maxDim: MAX_GRID_DIM,
      looksForNonFinite: true,
      counters: NO_COUNTERS,
      owned: Object.values(parts),
    });
    this.#parts = parts;
  }

  protected override async cluster(points: PointSet, params: DbscanParams, run: Run): Promise<DbscanResult> {
    const {uploader, readBack} = this.#parts;
    run.enter('upload');
    const devicePoints = await uploader.upload(points, run.passes('index'));
    const {found, encoder, sets} = await this.#encode(devicePoints, params, run);
    const ask = readBack.encode(encoder, devicePoints.n, found);
    this.gpu.device.queue.submit([encoder.finish()]);
    const coming = ask();
    run.enter('readBack');
    const labels = await coming.take();
    return {...labels, stats: await run.stats({clusters: labels.clusterCount, sets})};
  }

  protected override async clusterOnDevice(input: DeviceInput, params: DbscanParams, run: Run): Promise<DeviceResult> {
    const {found, encoder, sets} = await this.#encode({...input, displacement: 0}, params, run);
    this.gpu.device.queue.submit([encoder.finish()]);
    run.enter('readBack');
    const {labels, coreMask, clusterCount} = found;
    const count = new Uint32Array(1);
    await this.#parts.reader.read(clusterCount.buffer, count, clusterCount.offset);
    return {labels, coreMask, clusterCount: count[0], stats: await run.stats({clusters: count[0], sets})};
  }

  /** Records all work behind the bounding box; waits for that. */
  async #encode(
    points: DevicePoints,
    {eps, minPts}: DbscanParams,
    run: Run,
  ): Promise<{readonly found: DeviceLabels; readonly encoder: GPUCommandEncoder; readonly sets: number}> {
    const {gridBuilder, sets, clusterLabels} = this.#parts;
    run.enter('index');
    const encoder = this.gpu.device.createCommandEncoder();
    let hasWholeCells = true;
    const grid = await gridBuilder.build(points, eps, run.passes('index'), {
      encoder,
      anyOrder: true,
      maxCellsPerPoint: points.dim < 3 ? undefined : this.gpu.pick(CELLS_PER_POINT),
      geometry: (min, max) => {
        const cells = diagonalGeometry(min, max, eps);
        hasWholeCells = cells !== undefined;
        return cells ?? gridGeometry(min, max, eps);
      },
    });
    const buffers = this.#parts.buffers.take(grid, minPts, hasWholeCells);
    run.throwIfAborted('core');
    run.enter('core');
    await sets.encodeCore(encoder, {grid, buffers, run});
    run.enter('clusters');
    await sets.encodeUnion(encoder, {grid, buffers, run});
    const found = await clusterLabels.encode(encoder, {grid, buffers, run});
    return {found, encoder, sets: buffers.setCount};
  }
}
