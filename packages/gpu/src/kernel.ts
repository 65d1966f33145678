import type {Gpu} from './gpu.ts';
import {foldDispatch, type WorkgroupCounts} from './dispatch.ts';

/** The shape of a generated `.wgsl.ts` module. */
export interface KernelSource {
  readonly label: string;
  readonly code: string;
  readonly overrides: readonly string[];
  readonly bindings: Readonly<Record<string, BindingLayout>>;
  readonly entryPoints: Readonly<Record<string, readonly string[]>>;
  readonly structs: Readonly<Record<string, StructLayout>>;
}

export interface BindingLayout {
  readonly group: number;
  readonly binding: number;
  readonly type: 'uniform' | 'storage' | 'read-only-storage';
  readonly struct?: string;
}

export interface StructLayout {
  readonly size: number;
  readonly fields: Readonly<Record<string, {readonly offset: number; readonly type: string}>>;
}

export type EntryPoint<S extends KernelSource> = Extract<keyof S['entryPoints'], string>;

/** Names of the buffers that entry point `E` reads or writes; a missing one does not compile. */
export type BindingName<S extends KernelSource, E extends EntryPoint<S>> = Extract<S['entryPoints'][E][number], string>;

/** Values for the `override`s of a kernel. */
export type Overrides<S extends KernelSource> = {readonly [name in S['overrides'][number]]?: number | boolean};

/** A buffer, or a part of one: offset and size in bytes, the offset aligned as the device asks (256 suffices). */
export type Bindable = GPUBuffer | BufferSlice;

export interface BufferSlice {
  readonly buffer: GPUBuffer;
  readonly offset?: number;
  readonly size?: number;
}

export type Bindings<S extends KernelSource, E extends EntryPoint<S>> = {
  readonly [name in BindingName<S, E>]: Bindable;
};

/** One compiled entry point. Binds by name; binding numbers exist in WGSL only. */
export class Kernel<S extends KernelSource = KernelSource, E extends EntryPoint<S> = EntryPoint<S>> {
  readonly pipeline: GPUComputePipeline;
  readonly #device: GPUDevice;
  readonly #layout: GPUBindGroupLayout;
  readonly #bindings: readonly (readonly [name: string, binding: number])[];
  readonly #label: string;
  /** Shared with other kernels of the pipeline. */
  readonly #kept: KeptGroups;

  constructor(device: GPUDevice, source: S, entryPoint: E, compiled: CompiledPipeline) {
    this.#device = device;
    this.pipeline = compiled.pipeline;
    this.#layout = compiled.layout;
    this.#kept = compiled.kept?.deref() ?? {groups: [], last: 0};
    compiled.kept = new WeakRef(this.#kept);
    this.#bindings = (source.entryPoints[entryPoint] ?? []).map(
      (name) => [name, source.bindings[name].binding] as const,
    );
    this.#label = `${source.label}.${entryPoint}`;
  }

  /** Compiles entry point `entryPoint` of `source` with these overrides, or takes it from the device's cache. */
  static async create<S extends KernelSource, E extends EntryPoint<S>>(
    gpu: Gpu,
    source: S,
    entryPoint: E,
    overrides: Overrides<S> = {},
  ): Promise<Kernel<S, E>> {
    const compiled = await gpu.pipelines.get(source, entryPoint, overrides);
    return new Kernel(gpu.device, source, entryPoint, compiled);
  }

  /**
   * The bind group of these buffers: one of the last 64 of all kernels that share the pipeline, or a new one, which costs the host some 20 µs. Kept groups are found by
   * their buffer objects, so that of a destroyed buffer is found no more, and soon gives way to others.
   */
  bind(buffers: Bindings<S, E>): GPUBindGroup {
    const named: Readonly<Record<string, Bindable>> = buffers;
    const kept = this.#findKept(named);
    if (kept) return kept;
    const bound = this.#bindings.map(([name]) => named[name]);
    const group = this.#device.createBindGroup({
      label: this.#label,
      layout: this.#layout,
      entries: this.#bindings.map(([, binding], k) => ({binding, resource: asBinding(bound[k])})),
    });
    const {groups} = this.#kept;
    if (groups.length >= MAX_KEPT) groups.shift();
    this.#kept.last = groups.push({bound, group}) - 1;
    return group;
  }

  /** Looks behind the group that was found last: runs bind the same groups in the same order. */
  #findKept(named: Readonly<Record<string, Bindable>>): GPUBindGroup | undefined {
    const {groups} = this.#kept;
    for (let k = 1; k <= groups.length; k++) {
      const at = (this.#kept.last + k) % groups.length;
      if (!this.#areBound(groups[at], named)) continue;
      this.#kept.last = at;
      return groups[at].group;
    }
    return undefined;
  }

  #areBound({bound}: KeptGroup, named: Readonly<Record<string, Bindable>>): boolean {
    for (let k = 0; k < bound.length; k++) if (!isSame(bound[k], named[this.#bindings[k][0]])) return false;
    return true;
  }

  /** Records a dispatch; nothing is submitted. */
  dispatch(pass: GPUComputePassEncoder, group: GPUBindGroup, counts: WorkgroupCounts): void {
    pass.setPipeline(this.pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(counts[0], counts[1], counts[2]);
  }

  /** Records a dispatch of one invocation an item, in workgroups of 256, folded. */
  dispatchOver(pass: GPUComputePassEncoder, group: GPUBindGroup, items: number): void {
    this.dispatch(pass, group, foldDispatch(Math.ceil(items / 256)));
  }

  /** Records a dispatch whose counts (three u32 at `offset`) a kernel wrote; each at most 65535, or it is skipped. */
  dispatchIndirect(pass: GPUComputePassEncoder, group: GPUBindGroup, counts: GPUBuffer, offset = 0): void {
    pass.setPipeline(this.pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroupsIndirect(counts, offset);
  }
}

/** A sort of 64-bit keys binds a kernel up to 16 times a run, each time with other parameters; and a few objects share a pipeline. */
const MAX_KEPT = 64;

interface KeptGroup {
  readonly bound: readonly Bindable[];
  readonly group: GPUBindGroup;
}

/** Groups of a pipeline, the oldest first, and which was bound last. */
interface KeptGroups {
  readonly groups: KeptGroup[];
  last: number;
}

function isSame(a: Bindable, b: Bindable): boolean {
  if (a === b) return true;
  if (!('buffer' in a && 'buffer' in b)) return false;
  return a.buffer === b.buffer && a.offset === b.offset && a.size === b.size;
}

function asBinding(bindable: Bindable): GPUBufferBinding {
  if (!('buffer' in bindable)) return {buffer: bindable};
  const {buffer, offset = 0, size} = bindable;
  return size === undefined ? {buffer, offset} : {buffer, offset, size};
}

interface CompiledPipeline {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  /**
   * The last few bind groups, the oldest first: of all kernels that share the pipeline, so that one made anew for a run has those of the run before. Weak,
   * because groups hold buffers: where no kernel is left, neither do they stay.
   */
  kept?: WeakRef<KeptGroups>;
}

/** Pipelines of one device by source, entry point and overrides: the key is derived, so none can be forgotten. */
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
      // A failure may pass; the next call tries again.
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

/** What tells entry points with their overrides apart. */
export function keyOf(entryPoint: string, overrides: Readonly<Record<string, number | boolean | undefined>>): string {
  const constants = constantsOf(overrides);
  let key = entryPoint;
  for (const name in constants) key += ` ${name}=${constants[name]}`;
  return key;
}

/** Drops what was left undefined; WebGPU takes numbers only. */
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
