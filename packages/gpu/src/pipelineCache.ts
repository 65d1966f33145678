import type {Bindable, KernelSource} from './kernelSource.ts';

export interface KeptGroup {
  readonly bound: readonly Bindable[];
  readonly group: GPUBindGroup;
}

/** Groups of a pipeline, the oldest first, and the index of the one bound last. */
export interface KeptGroups {
  readonly groups: KeptGroup[];
  last: number;
}

export interface CompiledPipeline {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  /**
   * The last bind groups of all kernels that share the pipeline, so that a kernel created for a run reuses those of the
   * previous run. A weak reference, because groups hold buffers: they are collected with the last kernel.
   */
  kept?: WeakRef<KeptGroups>;
}

/**
 * Pipelines of a device by source, entry point and overrides. The key is derived from these, so no part can be
 * forgotten.
 */
export class PipelineCache {
  readonly #device: GPUDevice;
  readonly #modules = new Map<KernelSource, GPUShaderModule>();
  readonly #pipelines = new Map<KernelSource, Map<string, Promise<CompiledPipeline>>>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  get(
    source: KernelSource,
    entryPoint: string,
    overrides: Readonly<Record<string, number | boolean | undefined>>,
  ): Promise<CompiledPipeline> {
    const key = keyOf(entryPoint, overrides);
    let ofSource = this.#pipelines.get(source);
    if (!ofSource) this.#pipelines.set(source, (ofSource = new Map()));
    let pipeline = ofSource.get(key);
    if (!pipeline) {
      pipeline = this.#compile(source, entryPoint, constantsOf(overrides));
      ofSource.set(key, pipeline);
      // A failure may be temporary, so the next call tries again.
      const pipelines = ofSource;
      pipeline.catch(() => pipelines.delete(key));
    }
    return pipeline;
  }

  async #compile(
    source: KernelSource,
    entryPoint: string,
    constants: Record<string, number>,
  ): Promise<CompiledPipeline> {
    const label = `${source.label}.${entryPoint}`;
    const layout = this.#device.createBindGroupLayout({label, entries: layoutEntries(source, entryPoint)});
    const pipeline = await this.#device.createComputePipelineAsync({
      label,
      layout: this.#device.createPipelineLayout({label, bindGroupLayouts: [layout]}),
      compute: {module: this.#module(source), entryPoint, constants},
    });
    return {pipeline, layout};
  }

  #module(source: KernelSource): GPUShaderModule {
    let module = this.#modules.get(source);
    if (!module) {
      module = this.#device.createShaderModule({label: source.label, code: source.code});
      this.#modules.set(source, module);
    }
    return module;
  }
}

/** A string that identifies an entry point with its overrides. */
export function keyOf(entryPoint: string, overrides: Readonly<Record<string, number | boolean | undefined>>): string {
  const constants = constantsOf(overrides);
  let key = entryPoint;
  for (const name in constants) key += ` ${name}=${constants[name]}`;
  return key;
}

/** Drops undefined values, and converts the others, because WebGPU takes numbers only. */
function constantsOf(overrides: Readonly<Record<string, number | boolean | undefined>>): Record<string, number> {
  const constants: Record<string, number> = {};
  for (const [name, value] of Object.entries(overrides)) if (value !== undefined) constants[name] = Number(value);
  return constants;
}

function layoutEntries(source: KernelSource, entryPoint: string): GPUBindGroupLayoutEntry[] {
  const names = source.entryPoints[entryPoint] ?? [];
  return names.map((name) => {
    const {binding, type} = source.bindings[name];
    return {binding, visibility: GPUShaderStage.COMPUTE, buffer: {type}};
  });
}
