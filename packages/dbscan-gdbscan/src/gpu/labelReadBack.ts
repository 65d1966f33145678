import type {DbscanResult} from '@epsball/clustering';
import type {Gpu, GpuBuffer} from '@epsball/gpu';
import type {DeviceLabels} from './clusterNumbering.ts';

/** Labels on their way to the host. */
export interface ComingLabels {
  /** Waits, and copies them to arrays of the caller's. */
  take(): Promise<Omit<DbscanResult, 'stats'>>;
  /** Waits, and lets them go: they were not right yet. */
  drop(): Promise<void>;
}

/** Brings labels, core flags and the number of clusters to the host in one go, through a staging buffer that is kept. */
export class LabelReadBack implements Disposable {
  readonly #gpu: Gpu;
  #staging: GpuBuffer | undefined;
  #generation = 0;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
  }

  /** Records the copies, behind what makes the labels; call the returned function when that is submitted. */
  encode(encoder: GPUCommandEncoder, n: number, {labels, coreMask, numbers}: DeviceLabels): () => ComingLabels {
    const maskBytes = 4 * Math.ceil(n / 4);
    const {buffer} = this.#roomFor(4 * n + maskBytes + 4);
    encoder.copyBufferToBuffer(labels, 0, buffer, 0, 4 * n);
    encoder.copyBufferToBuffer(coreMask, 0, buffer, 4 * n, maskBytes);
    encoder.copyBufferToBuffer(numbers, 4 * n, buffer, 4 * n + maskBytes, 4);
    return () => {
      const mapped = buffer.mapAsync(GPUMapMode.READ, 0, 4 * n + maskBytes + 4);
      // A run that fails before anybody waits says why by itself.
      mapped.catch(() => undefined);
      return {
        take: async () => {
          await mapped;
          const range = buffer.getMappedRange(0, 4 * n + maskBytes + 4);
          const result = {
            labels: new Int32Array(n),
            coreMask: new Uint8Array(n),
            clusterCount: new Uint32Array(range, 4 * n + maskBytes, 1)[0],
          };
          result.labels.set(new Int32Array(range, 0, n));
          result.coreMask.set(new Uint8Array(range, 4 * n, n));
          buffer.unmap();
          return result;
        },
        drop: async () => {
          await mapped;
          buffer.unmap();
        },
      };
    };
  }

  #roomFor(bytes: number): GpuBuffer {
    // After a failed run a buffer may be invalid, or mapped for ever.
    const isFresh = this.#generation === this.#gpu.generation;
    this.#generation = this.#gpu.generation;
    if (this.#staging && isFresh && this.#staging.size >= bytes && this.#staging.buffer.mapState === 'unmapped') {
      return this.#staging;
    }
    this.#staging?.destroy();
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    return (this.#staging = this.#gpu.createBuffer('dbscan-gdbscan/labels', bytes, usage));
  }

  destroy(): void {
    this.#staging?.destroy();
    this.#staging = undefined;
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
