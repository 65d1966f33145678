import {DestroyedError, InvalidParameterError, type DbscanParams, type DbscanRunOptions} from '@epsball/clustering';
import {InstanceCache, takes} from '@epsball/clustering/catalogue';
import type {DeviceDbscanAlgorithm, DeviceInput, DeviceResult, Gpu} from '@epsball/gpu';
import type {CatalogueRow} from './catalogueRow.ts';
import {rankDeviceRows, unsupportedDimension} from './choose.ts';

export interface DeviceDbscanOptions {
  /** The device that holds the points; borrowed. Ask for its adapter's limits: kernels bind ten storage buffers. */
  readonly device?: GPUDevice | undefined;
  /** The same as an open `Gpu`; borrowed. */
  readonly gpu?: Gpu | undefined;
  /** The catalogue id of a variant that can, or `auto` (the default): the preferred one that takes the dimensions. */
  readonly algorithm?: string | undefined;
}

/** DBSCAN from device memory to device memory. */
export interface DeviceDbscan extends Disposable {
  /**
   * Clusters float32 points that lie in a buffer of the device and leaves labels and core flags in two others, which
   * are valid until the next run and belong to this object.
   *
   * @param input  not modified
   * @returns      buffers that are not to be destroyed
   * @throws InvalidPointsError  if a coordinate is NaN or infinite; which one nobody says
   * @throws InvalidParameterError, UnsupportedDimensionError, GpuLimitError, GpuDeviceLostError, RunAbortedError
   */
  run(input: DeviceInput, params: DbscanParams, options?: DbscanRunOptions): Promise<DeviceResult>;
  /** Frees buffers and pipelines, not the device; safe to call twice. */
  destroy(): void;
}

/**
 * Readies DBSCAN for points that are on a device already, for callers who own one: nothing crosses the bus but a few
 * words a run.
 *
 * @param options  exactly one of `device` and `gpu`
 * @returns        owned by the caller, who destroys it before the device
 * @throws InvalidParameterError  unless exactly one of `device` and `gpu` is given, or if the algorithm cannot; lists
 *                                those that can
 * @throws GpuLimitError          if the device binds too few storage buffers a kernel
 */
export async function createDeviceDbscan(options: DeviceDbscanOptions): Promise<DeviceDbscan> {
  const {device, gpu, algorithm = 'auto'} = options;
  const rows = rankDeviceRows(algorithm);
  if ((device === undefined) === (gpu === undefined)) {
    throw new InvalidParameterError('device', device ?? gpu, 'exactly one of device and gpu');
  }
  const {openGpu} = await import('@epsball/gpu');
  // A `Gpu` around the caller's device leaves the device alone, so nobody has to destroy it.
  const dbscan = new ChoosingDeviceDbscan(rows, gpu ?? (await openGpu(device === undefined ? {} : {device})));
  // The preferred variant's pipelines are built here, not in the first run.
  await dbscan.ready(rows[0]);
  return dbscan;
}

class ChoosingDeviceDbscan implements DeviceDbscan {
  readonly #rows: readonly CatalogueRow[];
  readonly #gpu: Gpu;
  readonly #algorithms = new InstanceCache<DeviceDbscanAlgorithm>();
  #isDestroyed = false;

  /** @param rows  best first */
  constructor(rows: readonly CatalogueRow[], gpu: Gpu) {
    this.#rows = rows;
    this.#gpu = gpu;
  }

  async run(input: DeviceInput, params: DbscanParams, options?: DbscanRunOptions): Promise<DeviceResult> {
    if (this.#isDestroyed) throw new DestroyedError('dbscan');
    const {dim} = input;
    if (!Number.isInteger(dim) || dim < 1) throw new InvalidParameterError('dim', dim, 'an integer ≥ 1');
    const row = this.#rows.find((candidate) => takes(candidate, 'gpu', dim));
    if (row === undefined) throw this.#refuse(dim);
    const algorithm = await this.ready(row);
    return algorithm.runOnDevice(input, params, options);
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#algorithms.close(new DestroyedError('dbscan'));
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /** The row's variant, made once. */
  ready({id, createOnDevice}: CatalogueRow): Promise<DeviceDbscanAlgorithm> {
    return this.#algorithms.get(id, async () => {
      if (createOnDevice === undefined) throw new Error(`${id} was ranked for a device without createOnDevice`);
      return createOnDevice(this.#gpu);
    });
  }

  #refuse(dim: number): Error {
    const maxDim = Math.max(...this.#rows.map(({maxDims}) => maxDims.gpu ?? 0));
    return unsupportedDimension('points on a device', dim, maxDim);
  }
}
