import {GpuLimitError} from '@epsball/clustering';
import type {Gpu, GpuBuffer} from '@epsball/gpu';
import type {EdgeChunk} from './neighborGraph.ts';

/** What a device reports when it has no room. */
const REFUSALS: readonly GPUErrorFilter[] = ['validation', 'internal', 'out-of-memory'];

/** A buffer for edges that is kept from run to run and grows where the device has the memory. */
export class EdgeMemory implements Disposable {
  readonly #gpu: Gpu;
  readonly #label: string;
  #held: GpuBuffer | undefined;
  #generation = 0;
  #isDestroyed = false;

  /** @param label  `package/what` */
  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#label = label;
  }

  /**
   * A buffer of at least `bytes`; the same one as last time if it still fits. Contents do not survive growth. Waits for the
   * device's word where it makes one.
   *
   * @returns  undefined where the device has no memory for it, and then nothing is held
   * @throws GpuLimitError  if the device allows no such binding
   */
  async take(bytes: number): Promise<GPUBuffer | undefined> {
    if (this.#isDestroyed) throw new Error(`${this.#label} taken after destroy()`);
    // After a failed run a buffer may be invalid.
    if (this.#held && this.#generation === this.#gpu.generation && this.#held.size >= bytes) return this.#held.buffer;
    this.release();
    this.#generation = this.#gpu.generation;
    const {device} = this.#gpu;
    for (const filter of REFUSALS) device.pushErrorScope(filter);
    let made: GpuBuffer | undefined;
    let refusals: (GPUError | null)[];
    try {
      made = this.#gpu.createBuffer(this.#label, bytes, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    } finally {
      refusals = await Promise.all(REFUSALS.map(() => device.popErrorScope()));
    }
    if (refusals.some((refusal) => refusal !== null)) {
      made.destroy();
      return undefined;
    }
    this.#held = made;
    return made.buffer;
  }

  /** Gives the buffer back; the next `take` makes another. */
  release(): void {
    this.#held?.destroy();
    this.#held = undefined;
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.release();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/**
 * Cuts the edges of a builder's last plan into chunks that there is memory for: half as large, and again, until there is.
 *
 * @param maxEdges  of the first attempt
 * @param take      takes memory for a chunk of so many edges, or finds that there is none
 * @throws GpuLimitError  if there is none for the edges of one point
 */
export async function chunksThatFit<Memory>(
  builder: {chunks(maxEdges: number): Promise<readonly EdgeChunk[]>},
  maxEdges: number,
  take: (edgeCount: number) => Promise<Memory | undefined>,
): Promise<{readonly chunks: readonly EdgeChunk[]; readonly memory: Memory}> {
  for (let most = maxEdges; ;) {
    const chunks = await builder.chunks(most);
    const largest = chunks.reduce((edges, {edgeCount}) => Math.max(edges, edgeCount), 0);
    const memory = await take(largest);
    if (memory !== undefined) return {chunks, memory};
    if (largest === 0) throw new GpuLimitError('bytes for edges', 4 * maxEdges, 0, 'the device has no memory left');
    most = Math.floor(Math.min(most, largest) / 2);
  }
}
