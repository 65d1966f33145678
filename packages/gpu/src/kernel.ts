import type {Gpu} from './gpu.ts';
import {foldDispatch, type WorkgroupCounts} from './dispatch.ts';
import type {Bindable, Bindings, EntryPoint, KernelSource, Overrides} from './kernelSource.ts';
import type {CompiledPipeline, KeptGroup, KeptGroups} from './pipelineCache.ts';

/** A compiled entry point. It binds buffers by name; binding numbers exist in WGSL only. */
export class Kernel<S extends KernelSource = KernelSource, E extends EntryPoint<S> = EntryPoint<S>> {
  readonly pipeline: GPUComputePipeline;
  readonly #device: GPUDevice;
  readonly #layout: GPUBindGroupLayout;
  readonly #bindings: readonly (readonly [name: string, binding: number])[];
  readonly #label: string;
  /** Shared with other kernels of the same pipeline. */
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
   * Returns the bind group of these buffers. Reuses one of the last 64 of all kernels that share the pipeline, because
   * a new one costs the host about 20 µs. Groups are looked up by their buffer objects. So a group with a destroyed
   * buffer is never found again, and newer groups soon replace it.
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

  /** Searches from the last group found, because runs bind the same groups in the same order. */
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

  /**
   * Records a dispatch with counts (three u32 at `offset`) that a kernel wrote. WebGPU skips it if a count exceeds
   * 65535.
   */
  dispatchIndirect(pass: GPUComputePassEncoder, group: GPUBindGroup, counts: GPUBuffer, offset = 0): void {
    pass.setPipeline(this.pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroupsIndirect(counts, offset);
  }
}

/**
 * A sort of 64-bit keys binds a kernel up to 16 times per run, each time with other parameters, and several objects can
 * share a pipeline.
 */
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
