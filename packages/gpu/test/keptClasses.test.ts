import {setImmediate as turn} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext, runInThisContext} from 'node:vm';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {Kernel, openGpu, Scratch, type Gpu} from '@epsball/gpu';
import {probeWgsl} from './probe.wgsl.ts';
import {describeGpu} from './testGpu.ts';

setFlagsFromString('--allow-natives-syntax');
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const optimizeOnNextCall: (f: unknown) => void = runInThisContext('(f) => %OptimizeFunctionOnNextCall(f)');
const prepare: (f: unknown) => void = runInThisContext('(f) => %PrepareFunctionForOptimization(f)');
const statusOf: (f: unknown) => number = runInThisContext('(f) => %GetOptimizationStatus(f)');
/** Of `statusOf`, V8's kOptimized. */
const OPTIMIZED = 16;

describeGpu('when the heap is collected', () => {
  let gpu: Gpu;
  let scratch: Scratch;

  beforeAll(async () => {
    gpu = await openGpu();
    scratch = new Scratch(gpu, 'test');
  });
  afterAll(() => {
    scratch.destroy();
    gpu.destroy();
  });

  /** Compiles a function with what `use` does, then collects, and looks whether it is still compiled. */
  async function expectKept(f: unknown, use: () => unknown): Promise<void> {
    const useOften = async (): Promise<void> => {
      for (let k = 0; k < 100; k++) await use();
    };
    prepare(f);
    await useOften();
    optimizeOnNextCall(f);
    await useOften();
    expect(statusOf(f) & OPTIMIZED, 'compiled').toBe(OPTIMIZED);
    // What native objects hold goes in turns of the event loop between collections.
    for (let k = 0; k < 4; k++) {
      await turn();
      collect();
    }
    expect(statusOf(f) & OPTIMIZED, 'still compiled').toBe(OPTIMIZED);
  }

  it('code that records dispatches stays compiled', async () => {
    const kernel = await Kernel.create(gpu, probeWgsl, 'addBias');
    const group = kernel.bind({input: scratch.take('input', 256), output: scratch.take('output', 256)});
    const dispatch: unknown = Object.getOwnPropertyDescriptor(Kernel.prototype, 'dispatch')?.value;
    await expectKept(dispatch, () => {
      const encoder = gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      kernel.dispatch(pass, group, [1, 1, 1]);
      pass.end();
      encoder.finish();
    });
  });

  it('code that begins passes stays compiled', async () => {
    const begin = (encoder: GPUCommandEncoder): GPUComputePassEncoder => encoder.beginComputePass();
    await expectKept(begin, () => {
      const encoder = gpu.device.createCommandEncoder();
      begin(encoder).end();
      encoder.finish();
    });
  });

  it('code with which Dawn waits stays compiled', async () => {
    await expectKept(setImmediate, () => new Promise((resolve) => setImmediate(resolve)));
  });
});
