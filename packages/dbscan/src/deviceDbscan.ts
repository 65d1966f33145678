import {
  checkInteger,
  checkKnownOptions,
  DestroyedError,
  InvalidParameterError,
  type DbscanRunOptions,
} from '@epsball/clustering';
import {InstanceCache, takes, unsupportedDimension} from '@epsball/clustering/catalogue';
import type {DeviceDbscanAlgorithm, DeviceDbscanParams, DeviceInput, DeviceResult, Gpu} from '@epsball/gpu';
import {catalogue} from './catalogue.ts';
import type {CatalogueRow} from './catalogueRow.ts';
import {rankDeviceRows} from './choose.ts';

export interface DeviceDbscanOptions {
  /** The device that holds the points; borrowed. WebGPU’s default limits suffice. */
  readonly device?: GPUDevice | undefined;
  /** An open `Gpu` of that device, in place of `device`; borrowed. */
  readonly gpu?: Gpu | undefined;
  /** The catalogue id of a variant with `createOnDevice`. Default: `auto`, by preference and dimensions. */
  readonly algorithm?: string | undefined;
}

/** DBSCAN from device memory to device memory. */
export interface DeviceDbscan extends Disposable {
  /**
   * Clusters float32 points in a buffer of the device. The labels and the core flags stay on the device.
   *
   * @param input   not modified
   * @param params  eps, minPts, and weights in memory of the host
   * @returns       buffers owned by this object and valid until the next run; do not destroy them
   * @throws InvalidPointsError  if a coordinate is NaN or infinite, without the index of the point
   * @throws InvalidParameterError, UnsupportedDimensionError, GpuLimitError, GpuDeviceLostError, RunAbortedError
   */
  run(input: DeviceInput, params: DeviceDbscanParams, options?: DbscanRunOptions): Promise<DeviceResult>;
  /** Frees buffers and pipelines, but not the device. Safe to call twice. */
  destroy(): void;
}

/**
 * Creates a DBSCAN for points in device memory. A run transfers only a few words between host and device.
 *
 * @param options  exactly one of `device` and `gpu`
 * @returns        owned by the caller, who destroys it before the device
 * @throws InvalidParameterError  if both or neither of `device` and `gpu` are given, or if the algorithm has no
 *                                `createOnDevice`; lists those that have
 */
export async function createDeviceDbscan(options: DeviceDbscanOptions): Promise<DeviceDbscan> {
  checkKnownOptions(options, ['device', 'gpu', 'algorithm'], 'options', 'an object with device');
  const {device, gpu, algorithm = 'auto'} = options;
  const rows = rankDeviceRows(algorithm);
  if ((device === undefined) === (gpu === undefined)) {
    throw new InvalidParameterError('device', device ?? gpu, 'exactly one of device and gpu');
  }
  const {openGpu} = await import('@epsball/gpu');
  // A `Gpu` that wraps the caller's device does not own the device, so it needs no `destroy()`.
  const dbscan = new ChoosingDeviceDbscan(rows, gpu ?? (await openGpu(device === undefined ? {} : {device})));
  // Builds the pipelines of the preferred variant before the first run.
  await dbscan.ready(rows[0]);
  return dbscan;
}

class ChoosingDeviceDbscan implements DeviceDbscan {
  readonly #rows: readonly CatalogueRow[];
  readonly #gpu: Gpu;
  readonly #algorithms = new InstanceCache<DeviceDbscanAlgorithm>();
  #isDestroyed = false;

  /** @param rows  by falling preference */
  constructor(rows: readonly CatalogueRow[], gpu: Gpu) {
    this.#rows = rows;
    this.#gpu = gpu;
  }

  async run(input: DeviceInput, params: DeviceDbscanParams, options?: DbscanRunOptions): Promise<DeviceResult> {
    if (this.#isDestroyed) throw new DestroyedError('dbscan');
    // Callers without type checks may pass anything.
    if (typeof input?.coords?.size !== 'number') {
      throw new InvalidParameterError('coords', input?.coords, 'a GPUBuffer');
    }
    const {dim} = input;
    checkInteger('dim', dim, 1);
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

  ready({id, createOnDevice}: CatalogueRow): Promise<DeviceDbscanAlgorithm> {
    return this.#algorithms.get(id, async () => {
      if (createOnDevice === undefined) throw new Error(`${id} was ranked for a device without createOnDevice`);
      return createOnDevice(this.#gpu);
    });
  }

  #refuse(dim: number): Error {
    const maxDim = Math.max(...this.#rows.map(({on}) => on.gpu?.maxDim ?? 0));
    return unsupportedDimension(catalogue, 'points on a device', dim, maxDim);
  }
}
