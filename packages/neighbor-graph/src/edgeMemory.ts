import {GpuLimitError} from '@epsball/clustering';
import {FailedRuns, type Gpu, type GpuBuffer, Owner} from '@epsball/gpu';
import type {EdgeChunk} from './neighborGraph.ts';

/** Error kinds of a device without free memory. */
const REFUSALS: readonly GPUErrorFilter[] = ['validation', 'internal', 'out-of-memory'];

/** A buffer for edges that is kept between runs and grows if the device has the memory. */
export class EdgeMemory extends Owner {
  readonly #gpu: Gpu;
  readonly #label: string;
  #held: GpuBuffer | undefined;
  readonly #failedRuns: FailedRuns;
  #isDestroyed = false;

  constructor(gpu: Gpu, label: string) {
    super();
    this.#gpu = gpu;
    this.#failedRuns = new FailedRuns(gpu);
    this.#label = label;
  }

  /** A buffer of at least `bytes`, without its old contents if it grows; undefined if the device lacks memory. */
  async take(bytes: number): Promise<GPUBuffer | undefined> {
    if (this.#isDestroyed) throw new Error(`${this.#label}: take() after destroy()`);
    const isFresh = !this.#failedRuns.hasNew();
    if (this.#held && isFresh && this.#held.size >= bytes) return this.#held.buffer;
    this.release();
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

  /** Frees the buffer; the next `take` allocates again. */
  release(): void {
    this.#held?.destroy();
    this.#held = undefined;
  }

  override destroy(): void {
    this.#isDestroyed = true;
    this.release();
  }
}

/** Halves the chunks of a builder's last plan until `take` finds memory for the largest. */
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
