import {shareOf} from '@epsball/conformance/share';
import {openGpu, ReadBack, Uploader, type Gpu, type HostArray} from '@epsball/gpu';
import {expect} from 'vitest';
import type {Teamwork} from '../src/tiles.ts';

/** Helpers of a kernel test: a device, buffers from arrays, arrays from buffers. */
export interface Session extends Disposable {
  readonly gpu: Gpu;
  /** A storage buffer with `values` (or room for that number of words); `uniform` for parameters. */
  buffer(values: HostArray | number, kind?: 'uniform'): Promise<GPUBuffer>;
  /** Runs `record` in one pass, inside error scopes. */
  run(record: (pass: GPUComputePassEncoder) => void): Promise<void>;
  /** The same with the encoder, for operations that open their own pass. */
  runEncoder(record: (encoder: GPUCommandEncoder) => void): Promise<void>;
  read<T extends HostArray>(buffer: GPUBuffer, into: T): Promise<T>;
  /** Destroys the buffers created so far. */
  clear(): void;
}

export async function openSession(): Promise<Session> {
  const gpu = await openGpu();
  const uploader = new Uploader(gpu, 'test');
  const reader = new ReadBack(gpu, 'test');
  const made: Disposable[] = [];
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const runEncoder = (record: (encoder: GPUCommandEncoder) => void): Promise<void> =>
    gpu.guard('test', async () => {
      const encoder = gpu.device.createCommandEncoder();
      record(encoder);
      gpu.device.queue.submit([encoder.finish()]);
    });
  const clear = (): void => {
    for (const buffer of made.splice(0)) buffer[Symbol.dispose]();
  };
  return {
    gpu,
    runEncoder,
    clear,
    async buffer(values, kind) {
      const bytes = typeof values === 'number' ? 4 * values : values.byteLength;
      const kept = gpu.createBuffer('test/buffer', bytes, kind === 'uniform' ? usage | GPUBufferUsage.UNIFORM : usage);
      made.push(kept);
      if (typeof values !== 'number' && bytes > 0) await uploader.upload(values, kept.buffer);
      return kept.buffer;
    },
    run: (record) =>
      runEncoder((encoder) => {
        const pass = encoder.beginComputePass();
        record(pass);
        pass.end();
      }),
    async read(buffer, into) {
      if (into.length > 0) await reader.read(buffer, into);
      return into;
    },
    [Symbol.dispose]() {
      clear();
      uploader.destroy();
      reader.destroy();
      gpu.destroy();
    },
  };
}

/** Compiles the pipelines of these objects in parallel; later objects find them in the device's cache. */
export async function compile(objects: Iterable<Promise<Disposable>>): Promise<void> {
  for (const object of await Promise.all(objects)) object[Symbol.dispose]();
}

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

/**
 * Kinds of cooperation that the running test tries. SwiftShader, slow with barriers, tests workgroups only in separate
 * tests. In a share of the tests each test tries one kind, by its name.
 */
export function teamworkOn(gpu: Gpu): readonly Teamwork[] {
  if (gpu.info.kind === 'bundled') return ['none'];
  return shareOf(['none', 'workgroups'], {of: expect.getState().currentTestName ?? ''});
}
