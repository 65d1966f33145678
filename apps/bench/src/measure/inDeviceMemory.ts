import {pointCount, type DbscanParams, type DbscanResult, type PointSet} from '@epsball/clustering';
import type {catalogue} from '@epsball/dbscan';
import {BufferUsage, Owner, ReadBack, Uploader, type Gpu} from '@epsball/gpu';

/**
 * A variant whose points are in device memory before the clock of a run begins. Labels stay there: they are read behind
 * the clock, so that they can be verified.
 */
export class InDeviceMemory extends Owner {
  readonly #gpu: Gpu;
  readonly #algorithm: DeviceAlgorithm;
  readonly #uploader: Uploader;
  readonly #reader: ReadBack;
  #kept: {readonly of: PointSet['coords']; readonly coords: GPUBuffer} | undefined;

  private constructor(gpu: Gpu, algorithm: DeviceAlgorithm) {
    super();
    this.#gpu = gpu;
    this.#algorithm = this.own(algorithm);
    this.#uploader = this.own(new Uploader(gpu, 'bench/points'));
    this.#reader = this.own(new ReadBack(gpu, 'bench/labels'));
  }

  /** @throws Error  if the variant takes no points in device memory */
  static async create({id, createOnDevice}: (typeof catalogue)[number], gpu: Gpu): Promise<InDeviceMemory> {
    if (createOnDevice === undefined) throw new Error(`${id} takes no points in device memory`);
    return new InDeviceMemory(gpu, await createOnDevice(gpu));
  }

  /** @param points  float32 */
  async run(points: PointSet, params: DbscanParams): Promise<DbscanResult> {
    const n = pointCount(points);
    const input = {coords: await this.#onDevice(points.coords), n, dim: points.dim};
    const {labels, coreMask, ...result} = await this.#algorithm.runOnDevice(input, params);
    return {
      ...result,
      labels: await this.#reader.read(labels, new Int32Array(n)),
      coreMask: await this.#reader.read(coreMask, new Uint8Array(n)),
    };
  }

  async #onDevice(coords: PointSet['coords']): Promise<GPUBuffer> {
    if (this.#kept?.of === coords) return this.#kept.coords;
    this.#kept?.coords.destroy();
    const usage = BufferUsage.STORAGE | BufferUsage.COPY_DST;
    const buffer = this.#gpu.device.createBuffer({label: 'bench/points', size: coords.byteLength, usage});
    await this.#uploader.upload(coords, buffer);
    this.#kept = {of: coords, coords: buffer};
    return buffer;
  }

  override destroy(): void {
    this.#kept?.coords.destroy();
    super.destroy();
  }
}

type DeviceAlgorithm = Awaited<ReturnType<NonNullable<(typeof catalogue)[number]['createOnDevice']>>>;
