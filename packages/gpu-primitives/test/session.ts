import {openGpu, Reader, Uploader, type Gpu, type HostArray} from '@epsball/gpu';

/** What every kernel test needs: a device, buffers from arrays, arrays from buffers. */
export interface Session extends Disposable {
  readonly gpu: Gpu;
  /** A work buffer that holds `values` (or room for that many words). */
  buffer(values: HostArray | number): Promise<GPUBuffer>;
  /** Runs `record` in one pass inside error scopes. */
  run(record: (pass: GPUComputePassEncoder) => void): Promise<void>;
  read<T extends HostArray>(buffer: GPUBuffer, into: T): Promise<T>;
}

export async function openSession(): Promise<Session> {
  const gpu = await openGpu();
  const uploader = new Uploader(gpu, 'test');
  const reader = new Reader(gpu, 'test');
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  return {
    gpu,
    async buffer(values) {
      const bytes = typeof values === 'number' ? 4 * values : values.byteLength;
      const {buffer} = gpu.createBuffer('test/buffer', bytes, usage);
      if (typeof values !== 'number' && bytes > 0) await uploader.upload(values, buffer);
      return buffer;
    },
    run: (record) =>
      gpu.guard('test', async () => {
        const encoder = gpu.device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        record(pass);
        pass.end();
        gpu.device.queue.submit([encoder.finish()]);
      }),
    async read(buffer, into) {
      if (into.length > 0) await reader.read(buffer, into);
      return into;
    },
    [Symbol.dispose]() {
      uploader.destroy();
      reader.destroy();
      gpu.destroy();
    },
  };
}

/**
 * Lengths around every boundary of a scan or a reduction: a workgroup of 256, a tile of 2048 words, and the 256 tiles
 * whose sums one round of `scanSums` takes.
 */
export const LENGTHS = [0, 1, 2, 255, 256, 257, 2047, 2048, 2049, 70_001, 2048 * 256, 2048 * 256 + 1];

/**
 * Likewise of a sort: it scans 16 counts for every tile of 2048 keys, so its scan grows from one tile to two at
 * 128 · 2048 keys. The next boundary, 2^15 tiles, is 67 million keys away.
 */
export const SORT_LENGTHS = [0, 1, 2, 255, 256, 257, 2047, 2048, 2049, 70_001, 2048 * 128 + 1];

/** Deterministic words (xorshift32). */
export function words(length: number, seed: number, bits = 32): Uint32Array {
  const result = new Uint32Array(length);
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  for (let i = 0; i < length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    result[i] = (state >>> 0) >>> (32 - bits);
  }
  return result;
}
