import type {Gpu} from './gpu.ts';
import {foldDispatch, type WorkgroupCounts} from './dispatch.ts';
import {noteGroup} from './liveGroups.ts';
import type {Bindable, Bindings, EntryPoint, KernelSource, Overrides} from './kernelSource.ts';

interface BoundGroup {
  readonly bound: readonly Bindable[];
  readonly group: GPUBindGroup;
}

/** A compiled entry point, which binds buffers by name. One per source, entry point and overrides on a device. */
export class Kernel<S extends KernelSource = KernelSource, E extends EntryPoint<S> = EntryPoint<S>> {
  readonly pipeline: GPUComputePipeline;
  readonly #gpu: Gpu;
  readonly #layout: GPUBindGroupLayout;
  readonly #bindings: readonly (readonly [name: string, binding: number])[];
  /** The last groups, the oldest first, and the index of the one bound last. */
  readonly #groups: BoundGroup[] = [];
  #last = 0;

  private constructor(
    gpu: Gpu,
    {pipeline, layout}: {readonly pipeline: GPUComputePipeline; readonly layout: GPUBindGroupLayout},
    bindings: readonly (readonly [name: string, binding: number])[],
  ) {
    this.#gpu = gpu;
    this.pipeline = pipeline;
    this.#layout = layout;
    this.#bindings = bindings;
  }

  /** Compiles entry point `entryPoint` of `source` with these overrides, or takes the kernel that exists. */
  static create<S extends KernelSource, E extends EntryPoint<S>>(
    gpu: Gpu,
    source: S,
    entryPoint: E,
    overrides: Overrides<S> = {},
  ): Promise<Kernel<S, E>> {
    const constants = constantsOf(overrides);
    const key = `${entryPoint} ${JSON.stringify(constants)}`;
    let ofSource = gpu.kernels.get(source);
    if (!ofSource) gpu.kernels.set(source, (ofSource = {byKey: new Map()}));
    const {byKey} = ofSource;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made from this source and entry point
    const kept = byKey.get(key) as Promise<Kernel<S, E>> | undefined;
    if (kept) return kept;
    const compile = async (): Promise<Kernel<S, E>> => {
      const {device} = gpu;
      const label = `${source.label}.${entryPoint}`;
      const used = (source.entryPoints[entryPoint] ?? []).map((name) => [name, source.bindings[name]] as const);
      const entries = used.map(([, {binding, type}]) => ({
        binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: {type},
      }));
      const layout = device.createBindGroupLayout({label, entries});
      const module = (ofSource.module ??= device.createShaderModule({label: source.label, code: source.code}));
      const pipeline = await device.createComputePipelineAsync({
        label,
        layout: device.createPipelineLayout({label, bindGroupLayouts: [layout]}),
        compute: {module, entryPoint, constants},
      });
      const bindings = used.map(([name, {binding}]) => [name, binding] as const);
      return new Kernel<S, E>(gpu, {pipeline, layout}, bindings);
    };
    const kernel = compile();
    byKey.set(key, kernel);
    // A failure may be temporary, so the next call tries again.
    kernel.catch(() => byKey.delete(key));
    return kernel;
  }

  /** Compiles several entry points with the same overrides, side by side. */
  static async createEach<S extends KernelSource, E extends EntryPoint<S>>(
    gpu: Gpu,
    source: S,
    entryPoints: readonly E[],
    overrides?: Overrides<S>,
  ): Promise<{readonly [Name in E]: Kernel<S, Name>}> {
    const kernels = await Promise.all(entryPoints.map((name) => Kernel.create<S, E>(gpu, source, name, overrides)));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one kernel for each name
    return Object.fromEntries(entryPoints.map((name, k) => [name, kernels[k]])) as {
      readonly [Name in E]: Kernel<S, Name>;
    };
  }

  /** Reuses one of the last 64, looked up by buffer objects, because a new one costs the host about 20 µs. */
  bind(buffers: Bindings<S, E>): GPUBindGroup {
    const named: Readonly<Record<string, Bindable>> = buffers;
    const kept = this.#findKept(named);
    if (kept) return kept;
    const bound = this.#bindings.map(([name]) => named[name]);
    const group = this.#gpu.device.createBindGroup({
      label: this.pipeline.label,
      layout: this.#layout,
      entries: this.#bindings.map(([, binding], k) => ({binding, resource: asBinding(bound[k])})),
    });
    if (this.#gpu.speed === 'software') noteGroup(group);
    if (this.#groups.length >= MAX_KEPT) this.#groups.shift();
    this.#last = this.#groups.push({bound, group}) - 1;
    return group;
  }

  /** Searches from the last group found, because runs bind the same groups in the same order. */
  #findKept(named: Readonly<Record<string, Bindable>>): GPUBindGroup | undefined {
    for (let k = 1; k <= this.#groups.length; k++) {
      const at = (this.#last + k) % this.#groups.length;
      const {bound, group} = this.#groups[at];
      if (!this.#bindings.every(([name], j) => isSame(bound[j], named[name]))) continue;
      this.#last = at;
      return group;
    }
    return undefined;
  }

  /** Records a dispatch. Does not submit. */
  dispatch(pass: GPUComputePassEncoder, group: GPUBindGroup, counts: WorkgroupCounts): void {
    pass.setPipeline(this.pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(counts[0], counts[1], counts[2]);
  }

  /** Records a dispatch of one invocation per item, in workgroups of 256, folded. */
  dispatchOver(pass: GPUComputePassEncoder, group: GPUBindGroup, items: number): void {
    this.dispatch(pass, group, foldDispatch(Math.ceil(items / 256)));
  }

  /** Binds buffers. Returns what records a dispatch over them. */
  encode(buffers: Bindings<S, E>, counts: WorkgroupCounts): (pass: GPUComputePassEncoder) => void {
    const group = this.bind(buffers);
    return (pass) => this.dispatch(pass, group, counts);
  }

  /** The same with one invocation per item, as in `dispatchOver`. */
  encodeOver(buffers: Bindings<S, E>, items: number): (pass: GPUComputePassEncoder) => void {
    const group = this.bind(buffers);
    return (pass) => this.dispatchOver(pass, group, items);
  }

  /** With counts (three u32 at `offset`) that a kernel wrote. WebGPU skips it if one exceeds 65535. */
  dispatchIndirect(pass: GPUComputePassEncoder, group: GPUBindGroup, counts: GPUBuffer, offset = 0): void {
    pass.setPipeline(this.pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroupsIndirect(counts, offset);
  }
}

/** A sort of 64-bit keys binds a kernel up to 16 times a run, and several objects share it. */
const MAX_KEPT = 64;

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

/** Drops undefined values, and converts the others, because WebGPU takes numbers only. */
function constantsOf(overrides: Readonly<Record<string, number | boolean | undefined>>): Record<string, number> {
  const constants: Record<string, number> = {};
  for (const [name, value] of Object.entries(overrides)) if (value !== undefined) constants[name] = Number(value);
  return constants;
}
