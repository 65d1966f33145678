import {
  extendResult,
  type DbscanOutputOptions,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type PointSet,
} from '@epsball/clustering';
import {
  createAll,
  DeviceGpuDbscan,
  LabelReadBack,
  Reader,
  type DeviceDbscanAlgorithm,
  type DeviceInput,
  type DeviceBitLabels,
  type DeviceResult,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import {diagonalGeometry, gridGeometry, MAX_GRID_DIM} from '@epsball/spatial-grid';
import {GpuGridBuilder, PointUploader, type DevicePoints} from '@epsball/spatial-grid/gpu';
import {CellSets} from './cellSets.ts';
import {ClusterLabels} from './clusterLabels.ts';
import {RunBuffers, type StepInput} from './runBuffers.ts';

/** Catalogue id, and prefix of labels. */
const [NAME, LABEL] = ['dense-grid', 'dbscan-dense-grid'];
const NO_COUNTERS = {clusters: 0};

/**
 * DBSCAN on WebGPU over cells whose diagonal is shorter than eps, in 1 to 4 dimensions; float32 and float64 points. All
 * points of a cell are neighbours: a cell of minPts points is core as a whole, and disjoint sets hold cells instead of
 * points. Clusters are numbered by their smallest core point with one scan, and a border point takes its lowest label.
 *
 * Behind the bounding box the host waits once, and no kernel needs more than a device's default limits.
 * Counter: `clusters`.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @complexity O(n · k) work, k = points in the cells around a point, of which most are skipped
 */
export async function createDenseGridGpu(gpu: Gpu): Promise<DeviceDbscanAlgorithm> {
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

  protected override async cluster(
    points: PointSet,
    params: DbscanParams,
    run: Run,
    output: DbscanOutputOptions,
  ): Promise<DbscanResult> {
    const {uploader, readBack} = this.#parts;
    run.enter('upload');
    const devicePoints = await uploader.upload(points, run.passes('index'));
    const {found, encoder} = await this.#encode(devicePoints, params, run);
    const ask = readBack.encode(encoder, devicePoints.n, found);
    this.gpu.device.queue.submit([encoder.finish()]);
    const coming = ask();
    run.enter('readBack');
    const labels = await coming.take(output);
    return extendResult(labels, {stats: await run.stats({clusters: labels.clusterCount})});
  }

  protected override async clusterOnDevice(input: DeviceInput, params: DbscanParams, run: Run): Promise<DeviceResult> {
    const {found, encoder, step} = await this.#encode({...input, displacement: 0}, params, run);
    const coreMask = await this.#parts.clusterLabels.encodeMask(encoder, step);
    this.gpu.device.queue.submit([encoder.finish()]);
    run.enter('readBack');
    const {labels, clusterCount} = found;
    const count = new Uint32Array(1);
    await this.#parts.reader.read(clusterCount.buffer, count, clusterCount.offset);
    return {labels, coreMask, clusterCount: count[0], stats: await run.stats({clusters: count[0]})};
  }

  /** Submits grid and core test, and records the rest for the caller to submit. Waits for the bounding box. */
  async #encode(
    points: DevicePoints,
    {eps, eps2, minPts}: DbscanParams,
    run: Run,
  ): Promise<{readonly found: DeviceBitLabels; readonly encoder: GPUCommandEncoder; readonly step: StepInput}> {
    const {gridBuilder, sets, clusterLabels} = this.#parts;
    run.enter('index');
    const encoder = this.gpu.device.createCommandEncoder();
    let hasWholeCells = true;
    const grid = await gridBuilder.build(points, eps, run.passes('index'), {
      eps2,
      encoder,
      layout: 'ranked',
      geometry: (min, max) => {
        const cells = diagonalGeometry(min, max, eps);
        hasWholeCells = cells !== undefined;
        return cells ?? gridGeometry(min, max, eps);
      },
    });
    const buffers = this.#parts.buffers.take(encoder, grid, {minPts, hasWholeCells});
    const step = {grid, buffers, run};
    run.throwIfAborted('core');
    run.enter('core');
    await sets.encodeCore(encoder, step);
    // The device begins while the host records the rest.
    this.gpu.device.queue.submit([encoder.finish()]);
    run.enter('clusters');
    const rest = this.gpu.device.createCommandEncoder();
    await sets.encodeUnion(rest, step);
    const found = await clusterLabels.encode(rest, step);
    return {found, encoder: rest, step};
  }
}
