import {
  extendResult,
  type DbscanOutputOptions,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type IntegerWeights,
  type PointSet,
} from '@epsball/clustering';
import {
  createAll,
  DeviceGpuDbscan,
  deviceWeights,
  LabelReadBack,
  ReadBack,
  type DeviceDbscanAlgorithm,
  type DeviceInput,
  type DeviceBitLabels,
  type DeviceResult,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import {diagonalGeometry, gridGeometry, MAX_GRID_DIM} from '@epsball/spatial-grid';
import {
  GpuGridBuilder,
  LastGrid,
  PointUploader,
  PointWeights,
  type DevicePoints,
  type GpuGrid,
} from '@epsball/spatial-grid/gpu';
import {CrowdedOrder} from './crowdedOrder.ts';
import {RunBuffers, type StepInput} from './runBuffers.ts';
import {Steps} from './steps.ts';

/** Catalogue id, and prefix of labels. */
const [NAME, LABEL] = ['dense-grid', 'dbscan-dense-grid'];
const NO_COUNTERS = {clusters: 0};
/** In place of the number of clusters: a cell is so crowded that an invocation gave up (exactBorders.wgsl). */
const NOT_FINAL = 0xffff_ffff;

/**
 * DBSCAN on WebGPU over cells whose diagonal is shorter than eps, in 1 to 4 dimensions; float32 and float64 points. All
 * points of a cell are neighbours: a cell of minPts points is core as a whole, and disjoint sets hold cells instead of
 * points. Clusters are numbered by their smallest core point with one scan, and a border point takes its lowest label.
 *
 * Behind the bounding box the host waits once, and no kernel needs more than a device's default limits.
 * Where an invocation would look at very many points of crowded cells, the run begins again with blocks of points that
 * are skipped as a whole. Counter: `clusters`.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @complexity O(n · k) work, k = points in the cells around a point, of which most are skipped
 */
export async function createDenseGridGpu(gpu: Gpu): Promise<DeviceDbscanAlgorithm> {
  return new DenseGridPipeline(gpu, await createParts(gpu));
}

async function createParts(gpu: Gpu) {
  const [gridBuilder, steps] = await createAll([GpuGridBuilder.create(gpu), Steps.create(gpu)]);
  return {
    gridBuilder,
    crowded: new CrowdedOrder(gpu),
    steps,
    buffers: new RunBuffers(gpu, LABEL),
    uploader: new PointUploader(gpu, LABEL),
    weights: new PointWeights(gpu, LABEL),
    readBack: new LabelReadBack(gpu, `${LABEL}/labels`),
    reader: new ReadBack(gpu, LABEL),
  };
}

/** Parts of a run that are done behind each span, about, on a software adapter. */
const PARTS = {index: 0.4, core: 0.6, clusters: 0.75};

type Parts = Awaited<ReturnType<typeof createParts>>;

type Run = GpuRun<DbscanPhase>;

/** A grid, and whether its cells are sets of neighbours. */
interface Cells {
  readonly built: GpuGrid;
  readonly hasWholeCells: boolean;
}

interface Attempt {
  readonly params: DbscanParams;
  readonly weights?: IntegerWeights | undefined;
  readonly run: Run;
  /** Whether blocks of points are skipped as a whole. */
  readonly isBlocked: boolean;
}

class DenseGridPipeline extends DeviceGpuDbscan {
  readonly #parts: Parts;
  readonly #lastGrid = new LastGrid<Cells>();

  constructor(gpu: Gpu, parts: Parts) {
    super(gpu, {
      name: NAME,
      label: LABEL,
      maxDim: MAX_GRID_DIM,
      looksForNonFinite: true,
      takesWeights: true,
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
    const weights = deviceWeights(params);
    run.enter('upload');
    const devicePoints = await uploader.upload(points, run.passes('index'));
    const attempt = async (isBlocked: boolean): Promise<Omit<DbscanResult, 'stats'>> => {
      const {found, encoder} = await this.#encode(devicePoints, {params, weights, run, isBlocked});
      const ask = readBack.encode(encoder, devicePoints.n, found);
      this.gpu.device.queue.submit([encoder.finish()]);
      const coming = ask();
      run.enter('readBack');
      return coming.take(output);
    };
    let labels = await attempt(false);
    if (labels.clusterCount === NOT_FINAL) labels = await attempt(true);
    await run.reachPart('clusters', 1);
    return extendResult(labels, {stats: await run.stats({clusters: labels.clusterCount})});
  }

  protected override async clusterOnDevice(input: DeviceInput, params: DbscanParams, run: Run): Promise<DeviceResult> {
    const weights = deviceWeights(params);
    const points = {...input, displacement: 0};
    const attempt = async (isBlocked: boolean): Promise<Omit<DeviceResult, 'stats'>> => {
      const {found, encoder, step} = await this.#encode(points, {params, weights, run, isBlocked});
      const coreMask = await this.#parts.steps.encodeMask(encoder, step);
      this.gpu.device.queue.submit([encoder.finish()]);
      run.enter('readBack');
      const {labels, clusterCount} = found;
      const [count] = await this.#parts.reader.read(clusterCount.buffer, new Uint32Array(1), clusterCount.offset);
      return {labels, coreMask, clusterCount: count};
    };
    let result = await attempt(false);
    if (result.clusterCount === NOT_FINAL) result = await attempt(true);
    await run.reachPart('clusters', 1);
    return {...result, stats: await run.stats({clusters: result.clusterCount})};
  }

  /** Submits grid and core test, and records the rest for the caller to submit. Waits for the bounding box. */
  async #encode(
    points: DevicePoints,
    {params: {eps, eps2, minPts}, weights, run, isBlocked}: Attempt,
  ): Promise<{readonly found: DeviceBitLabels; readonly encoder: GPUCommandEncoder; readonly step: StepInput}> {
    const {crowded, steps} = this.#parts;
    run.enter('index');
    await run.reachPart('clusters', 0);
    let encoder = this.gpu.device.createCommandEncoder();
    const cells = this.#lastGrid.find(points, {eps, eps2}) ?? (await this.#build(encoder, points, {eps, eps2}, run));
    const {built, hasWholeCells} = cells;
    const grid = isBlocked ? await crowded.encode(encoder, run.passes('index'), built) : built;
    if (!isBlocked) crowded.release();
    const weightsBefore = weights && (await this.#parts.weights.encode(encoder, run.passes('index'), grid, weights));
    const taken = this.#parts.buffers.take(encoder, grid, {minPts, hasWholeCells, isBlocked, weightsBefore});
    const step = {grid, run, ...taken};
    encoder = await run.submitPart(encoder, 'clusters', PARTS.index);
    run.throwIfAborted('core');
    run.enter('core');
    // In a first run the driver compiles them while it compiles those of the core test.
    const compiled = Promise.all([steps.prepareUnion(step), steps.prepareLabels(step)]);
    compiled.catch(() => undefined);
    await steps.encodeCore(encoder, step);
    // The device begins while the host records the rest.
    this.gpu.device.queue.submit([encoder.finish()]);
    this.#lastGrid.keep(points, {eps, eps2}, cells);
    run.enter('clusters');
    await run.reachPart('clusters', PARTS.core);
    let rest = this.gpu.device.createCommandEncoder();
    const [encodeUnion, encodeLabels] = await compiled;
    encodeUnion(rest);
    rest = await run.submitPart(rest, 'clusters', PARTS.clusters);
    const found = encodeLabels(rest);
    return {found, encoder: rest, step};
  }

  /** Records the build of the grid; waits for the bounding box. */
  async #build(
    encoder: GPUCommandEncoder,
    points: DevicePoints,
    {eps, eps2}: Pick<DbscanParams, 'eps' | 'eps2'>,
    run: Run,
  ): Promise<Cells> {
    this.#lastGrid.forget();
    let hasWholeCells = true;
    const built = await this.#parts.gridBuilder.build(points, eps, run.passes('index'), {
      eps2,
      encoder,
      layout: 'ranked',
      onPart: (part) => run.reachPart('clusters', PARTS.index * part),
      geometry: (min, max) => {
        const cells = diagonalGeometry(min, max, eps);
        hasWholeCells = cells !== undefined;
        return cells ?? gridGeometry(min, max, eps);
      },
    });
    return {built, hasWholeCells};
  }
}
