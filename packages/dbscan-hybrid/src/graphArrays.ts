import {Kernel, ParamRing, Scratch, type Gpu, type GpuBuffer} from '@epsball/gpu';
import type {UncountedGraph} from '@epsball/neighbor-graph';
import {corePackingWgsl} from './corePacking.wgsl.ts';
import type {PreparedRun} from './runMemory.ts';

/** Arrays on their way to the host. */
export interface ComingArrays {
  /** Waits, and copies them to shared memory: order and core flags in one word each, and where rows begin. */
  take(prepared: PreparedRun): Promise<void>;
}

/** Brings what the threads must know of points and rows to the host, in one go and through a staging buffer that is kept. */
export class GraphArrays implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernel: Kernel<typeof corePackingWgsl, 'packPoints'>;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  #staging: GpuBuffer | undefined;
  #generation = 0;

  private constructor(gpu: Gpu, kernel: Kernel<typeof corePackingWgsl, 'packPoints'>) {
    this.#gpu = gpu;
    this.#kernel = kernel;
    this.#params = new ParamRing(gpu, 'dbscan-hybrid/params', 4);
    this.#scratch = new Scratch(gpu, 'dbscan-hybrid/points');
  }

  static async create(gpu: Gpu): Promise<GraphArrays> {
    return new GraphArrays(gpu, await Kernel.create(gpu, corePackingWgsl, 'packPoints'));
  }

  /** Has the device send them; submits. */
  ask(
    {n, minPts, pointOrder, degrees, rowStart}: UncountedGraph,
    beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
  ): ComingArrays {
    const {device} = this.#gpu;
    const packed = this.#scratch.take('packed', 4 * n);
    const params = this.#params.write(corePackingWgsl.structs.PackParams, {n, minPts});
    const bytes = 4 * n + 4 * (n + 1);
    const {buffer} = this.#roomFor(bytes);
    const encoder = device.createCommandEncoder();
    const pass = beginPass(encoder);
    this.#kernel.dispatchOver(pass, this.#kernel.bind({params, pointOrder, degrees, packed}), n);
    pass.end();
    encoder.copyBufferToBuffer(packed, 0, buffer, 0, 4 * n);
    encoder.copyBufferToBuffer(rowStart, 0, buffer, 4 * n, 4 * (n + 1));
    device.queue.submit([encoder.finish()]);
    const mapped = buffer.mapAsync(GPUMapMode.READ, 0, bytes);
    // A run that fails before anybody waits says why by itself.
    mapped.catch(() => undefined);
    return {
      take: async (prepared) => {
        await mapped;
        const range = buffer.getMappedRange(0, bytes);
        prepared.pointOrder.set(new Int32Array(range, 0, n));
        prepared.rowStart.set(new Uint32Array(range, 4 * n, n + 1));
        buffer.unmap();
      },
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
    return (this.#staging = this.#gpu.createBuffer('dbscan-hybrid/graph', bytes, usage));
  }

  destroy(): void {
    this.#params.destroy();
    this.#scratch.destroy();
    this.#staging?.destroy();
    this.#staging = undefined;
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
