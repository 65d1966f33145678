import {Kernel, ReadBack, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {copyKernel} from './copyKernel.ts';

const QUAD_BYTES = 16;
/** Beyond this size a copy's GB/s no longer grow, and half of a sort's traffic would exceed the binding limit. */
const MAX_BYTES_EACH_WAY = 2 ** 30;
/** Bytes that are compared at the beginning, in the middle and at the end. */
const SAMPLE_BYTES = 2 ** 16;

/** Device copies that move as many bytes as an operation has to: half of them read, half written. */
export class CopyYardstick {
  /** How copies are checked, in words. */
  static readonly verified = 'samples of the beginning, the middle and the end equal to the source';

  readonly #gpu: Gpu;
  readonly #copyQuads: Kernel<typeof copyKernel, 'copyQuads'>;
  readonly #writePositions: Kernel<typeof copyKernel, 'writePositions'>;
  readonly #reader: ReadBack;
  #buffers: readonly GpuBuffer[] = [];
  #bytesEachWay = 0;

  private constructor(
    gpu: Gpu,
    copyQuads: Kernel<typeof copyKernel, 'copyQuads'>,
    writePositions: Kernel<typeof copyKernel, 'writePositions'>,
  ) {
    this.#gpu = gpu;
    this.#copyQuads = copyQuads;
    this.#writePositions = writePositions;
    this.#reader = new ReadBack(gpu, 'bench/copy');
  }

  static async create(gpu: Gpu): Promise<CopyYardstick> {
    const [copyQuads, writePositions] = await Promise.all([
      Kernel.create(gpu, copyKernel, 'copyQuads'),
      Kernel.create(gpu, copyKernel, 'writePositions'),
    ]);
    return new CopyYardstick(gpu, copyQuads, writePositions);
  }

  /** Bytes that a copy reads and writes together. */
  get bytes(): number {
    return 2 * this.#bytesEachWay;
  }

  /** Makes the next copies move `bytes` bytes, rounded to quads and at most 2 GiB. Submits. */
  resize(bytes: number): void {
    this.#free();
    const {maxStorageBufferBindingSize, maxBufferSize} = this.#gpu.device.limits;
    const most = Math.min(MAX_BYTES_EACH_WAY, maxStorageBufferBindingSize, maxBufferSize);
    const quads = Math.max(1, Math.floor(Math.min(bytes / 2, most) / QUAD_BYTES));
    this.#bytesEachWay = quads * QUAD_BYTES;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    this.#buffers = ['source', 'destination'].map((name) =>
      this.#gpu.createBuffer(`bench/copy.${name}`, this.#bytesEachWay, usage),
    );
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const [source] = this.#buffers;
    const group = this.#writePositions.bind({destination: source.buffer});
    this.#writePositions.dispatchOver(pass, group, quads);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  /** Records one copy. */
  encode(pass: GPUComputePassEncoder): void {
    const [source, destination] = this.#buffers;
    const group = this.#copyQuads.bind({source: source.buffer, destination: destination.buffer});
    this.#copyQuads.dispatchOver(pass, group, this.#bytesEachWay / QUAD_BYTES);
  }

  /** @throws Error  if a sample of the last copy differs from its source */
  async verify(): Promise<void> {
    const [, destination] = this.#buffers;
    const size = Math.min(SAMPLE_BYTES, this.#bytesEachWay);
    const middle = Math.floor((this.#bytesEachWay - size) / 2 / QUAD_BYTES) * QUAD_BYTES;
    const words = new Uint32Array(size / 4);
    for (const offset of [0, middle, this.#bytesEachWay - size]) {
      await this.#reader.read(destination.buffer, words, offset);
      const wrong = words.findIndex((word, i) => word !== offset / 4 + i);
      if (wrong >= 0) throw new Error(`copied word ${offset / 4 + wrong} = ${words[wrong]}; expected its own index`);
    }
  }

  #free(): void {
    for (const buffer of this.#buffers) buffer.destroy();
    this.#buffers = [];
  }

  destroy(): void {
    this.#free();
    this.#reader.destroy();
  }
}
