import type {DbscanResult} from '@epsball/clustering';
import type {Gpu} from '../gpu.ts';
import {ReadBack} from '../readBack.ts';

/** A u32 on the device. */
export interface DeviceWord {
  readonly buffer: GPUBuffer;
  /** Bytes before it. */
  readonly offset: number;
}

/** Labels on the device, in the caller's order. */
export interface DeviceLabels {
  /** n int32 labels. */
  readonly labels: GPUBuffer;
  /** One byte a point, four to a word. */
  readonly coreMask: GPUBuffer;
  readonly clusterCount: DeviceWord;
}

/** Labels that the device is sending to the host. */
export interface ComingLabels {
  /** Waits, and copies them to new arrays. */
  take(): Promise<Omit<DbscanResult, 'stats'>>;
  /** Waits, and drops them: the labels were not final. */
  drop(): Promise<void>;
}

/** Brings labels, core flags and the number of clusters to the host with one wait. One read at a time. */
export class LabelReadBack implements Disposable {
  readonly #readBack: ReadBack;

  /** @param label  `package/what` */
  constructor(gpu: Gpu, label: string) {
    this.#readBack = new ReadBack(gpu, label);
  }

  /** Records the copies behind the kernels that make the labels. Call the returned function after the submit. */
  encode(encoder: GPUCommandEncoder, n: number, {labels, coreMask, clusterCount}: DeviceLabels): () => ComingLabels {
    const ask = this.#readBack.encode(encoder, [
      {source: labels, bytes: 4 * n},
      {source: coreMask, bytes: 4 * Math.ceil(n / 4)},
      {source: clusterCount.buffer, offset: clusterCount.offset, bytes: 4},
    ]);
    return () => {
      const coming = ask();
      return {
        take: () =>
          coming.take((memory, [, mask, count]) => {
            const result = {
              labels: new Int32Array(n),
              coreMask: new Uint8Array(n),
              clusterCount: new Uint32Array(memory, count, 1)[0],
            };
            result.labels.set(new Int32Array(memory, 0, n));
            result.coreMask.set(new Uint8Array(memory, mask, n));
            return result;
          }),
        drop: () => coming.drop(),
      };
    };
  }

  destroy(): void {
    this.#readBack.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
