import {globSync, readFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {gpuInstance, Kernel, openGpu, type Gpu, type KernelSource} from '@epsball/gpu';

/**
 * Values to test for numeric overrides whose default does not cover all branches. Every other number takes its default,
 * and every bool both values.
 */
const VALUES: Readonly<Record<string, readonly number[]>> = {
  DIM: [1, 2, 3, 4],
  OPERATOR: [0, 1, 2],
  ELEMENT: [0, 1, 2],
  // The value on a device with the default limits; the null backend has no other limits.
  STAGED: [3072],
};

const ROOT = join(import.meta.dirname, '../../..');
const files = globSync('packages/*/{src,test}/**/*.wgsl.ts', {cwd: ROOT})
  .filter((file) => !file.includes('/fixtures/'))
  // Modules without an entry point have layouts only.
  .filter((file) => readFileSync(join(ROOT, file.replace(/\.ts$/, '')), 'utf8').includes('@compute'))
  .sort();

/** Values to test for override `name`; empty if its default suffices. */
function valuesOf(name: string, code: string): readonly (number | boolean)[] {
  const [, type, initializer] = new RegExp(`override\\s+${name}\\s*(?::\\s*(\\w+))?\\s*(=)?`).exec(code) ?? [];
  if (type === 'bool') return [false, true];
  const values = VALUES[name] ?? [];
  if (values.length === 0 && initializer === undefined) {
    throw new Error(
      `override ${name} has no default: add values for it to VALUES in packages/gpu/test/nullBackend.test.ts`,
    );
  }
  return values;
}

/** All combinations of the values of a kernel's overrides. */
function combinations({overrides, code}: KernelSource): Record<string, number | boolean>[] {
  let found: Record<string, number | boolean>[] = [{}];
  for (const name of overrides) {
    const values = valuesOf(name, code);
    if (values.length === 0) continue;
    found = found.flatMap((chosen) => values.map((value) => ({...chosen, [name]: value})));
  }
  return found;
}

/** What every WebGPU device allows (WebGPU, 3.6.2 Limits). */
const DEFAULT_LIMITS = {
  maxStorageBuffersPerShaderStage: 8,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupStorageSize: 16_384,
  maxStorageBufferBindingSize: 2 ** 27,
  maxUniformBufferBindingSize: 65_536,
} as const;

// Dawn's null backend validates and executes nothing, so this needs no adapter. The device has the default limits, so a
// kernel that compiles runs on every device. Sizes that hosts raise on larger devices are overrides.
describe('on the null backend', () => {
  let device: GPUDevice;
  let gpu: Gpu;

  beforeAll(async () => {
    const adapter = await (await gpuInstance('null', ['backend=null'])).requestAdapter();
    if (!adapter) throw new Error('Dawn has no null backend');
    device = await adapter.requestDevice({
      requiredFeatures: [...adapter.features].filter((feature): feature is GPUFeatureName => feature === 'subgroups'),
    });
    gpu = await openGpu({device});
  });
  afterAll(() => device.destroy());

  it('there are kernels to compile, and a device with default limits', () => {
    expect(files.length).toBeGreaterThan(10);
    const {limits} = device;
    for (const [name, value] of Object.entries(DEFAULT_LIMITS)) {
      expect(limits[name as keyof typeof DEFAULT_LIMITS], name).toBe(value);
    }
  });

  it.for(files)('%s binds at most eight storage buffers an entry point', async (file) => {
    const module: Record<string, KernelSource> = await import(join(ROOT, file));
    const {bindings, entryPoints} = module[`${basename(file, '.wgsl.ts')}Wgsl`];
    for (const [entryPoint, names] of Object.entries(entryPoints)) {
      const bound = names.filter((name) => bindings[name].type !== 'uniform');
      const most = DEFAULT_LIMITS.maxStorageBuffersPerShaderStage;
      expect(bound.length, `${entryPoint}: ${bound.join(', ')}`).toBeLessThanOrEqual(most);
    }
  });

  it.for(files)('%s compiles: every entry point with every combination of overrides', async (file) => {
    const module: Record<string, KernelSource> = await import(join(ROOT, file));
    const source = module[`${basename(file, '.wgsl.ts')}Wgsl`];
    for (const entryPoint of Object.keys(source.entryPoints)) {
      for (const overrides of combinations(source)) {
        const kernel = await Kernel.create(gpu, source, entryPoint, overrides);
        expect(kernel.pipeline.label, JSON.stringify(overrides)).toBe(`${source.label}.${entryPoint}`);
      }
    }
  });

  it('an invalid kernel is rejected', async () => {
    const wrong = {
      label: 'test/wrong',
      code: '@compute @workgroup_size(1) fn main() { let a: u32 = 1.5; }',
      overrides: [],
      bindings: {},
      entryPoints: {main: []},
      structs: {},
    } as const;
    await expect(Kernel.create(gpu, wrong, 'main')).rejects.toThrow();
  });
});
