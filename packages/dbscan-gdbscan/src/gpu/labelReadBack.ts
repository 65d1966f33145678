import type {DbscanResult} from '@epsball/clustering';
import {ReadBack, type Gpu} from '@epsball/gpu';
import type {DeviceLabels} from './clusterNumbering.ts';

/** Labels that are being copied to the host. */
export interface ComingLabels {
  /** Waits for the labels and copies them to new arrays. */
  take(): Promise<Omit<DbscanResult, 'stats'>>;
  /** Waits for the labels and discards them, because they were not final. */
  drop(): Promise<void>;
}

/** Copies labels, core flags and the number of clusters to the host in one transfer. */
export class LabelReadBack implements Disposable {
  readonly #readBack: ReadBack;

  constructor(gpu: Gpu) {
    this.#readBack = new ReadBack(gpu, 'dbscan-gdbscan/labels');
  }

  /** Records the copies. Call the returned function when they are submitted. */
  encode(encoder: GPUCommandEncoder, n: number, {labels, coreMask, numbers}: DeviceLabels): () => ComingLabels {
    const ask = this.#readBack.encode(encoder, [
      {source: labels, bytes: 4 * n},
      {source: coreMask, bytes: 4 * Math.ceil(n / 4)},
      {source: numbers, offset: 4 * n, bytes: 4},
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
