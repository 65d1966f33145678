import {shareOf} from '@epsball/conformance/share';
import {ReadBack, Uploader, type Gpu, type HostArray} from '@epsball/gpu';
import {withGpu, type Owned} from '@epsball/gpu/testing';
import {expect} from 'vitest';
import type {Teamwork} from '../src/tiles.ts';

/** Helpers of a kernel test: a device, buffers from arrays, arrays from buffers. */
export interface Session {
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

/** `withGpu` with the helpers of a kernel test. */
export function withSession<Made extends Owned = {gpu: Gpu}>(
  make?: (gpu: Gpu) => Made | Promise<Made>,
): Session & Readonly<Made> {
  const rig = withGpu(async (gpu) => ({
    uploader: new Uploader(gpu, 'test'),
    reader: new ReadBack(gpu, 'test'),
    ...((await make?.(gpu)) as Made),
  }));
  const buffers: Disposable[] = [];
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const runEncoder: Session['runEncoder'] = (record) =>
    rig.gpu.guard('test', async () => {
      const encoder = rig.gpu.device.createCommandEncoder();
      record(encoder);
      rig.gpu.device.queue.submit([encoder.finish()]);
    });
  return Object.assign(rig, {
    runEncoder,
    async buffer(values: HostArray | number, kind?: 'uniform') {
      const bytes = typeof values === 'number' ? 4 * values : values.byteLength;
      const all = kind === 'uniform' ? usage | GPUBufferUsage.UNIFORM : usage;
      const kept = rig.gpu.createBuffer('test/buffer', bytes, all);
      buffers.push(kept);
      if (typeof values !== 'number' && bytes > 0) await rig.uploader.upload(values, kept.buffer);
      return kept.buffer;
    },
    run: (record: (pass: GPUComputePassEncoder) => void) =>
      runEncoder((encoder) => {
        const pass = encoder.beginComputePass();
        record(pass);
        pass.end();
      }),
    async read<T extends HostArray>(buffer: GPUBuffer, into: T) {
      if (into.length > 0) await rig.reader.read(buffer, into);
      return into;
    },
    clear() {
      for (const buffer of buffers.splice(0)) buffer[Symbol.dispose]();
    },
  });
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
