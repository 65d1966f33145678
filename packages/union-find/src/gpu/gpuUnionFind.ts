import {checkInteger, GpuLimitError, InvalidParameterError} from '@epsball/clustering';
import {Kernel, Owner, ParamRing, type Bindable, type BufferSlice, type Gpu} from '@epsball/gpu';
import {unionFindWgsl} from './unionFind.wgsl.ts';

/** The forest on the device. */
export interface ParentBuffer {
  /** At least n u32: the parents of the members 0 … n − 1. */
  readonly parent: Bindable;
  readonly n: number;
}

/** Edges to unite, and the forest that they change. */
export interface EdgeBuffers extends ParentBuffer {
  /**
   * Two u32 members for each edge, in any order; loops and repeated edges are allowed. Not modified. An edge with an
   * end ≥ n is ignored.
   */
  readonly edges: Bindable;
  readonly count: number;
}

const ENTRY_POINTS = ['makeSets', 'uniteEdges', 'flattenSets'] as const;

type UnionKernel = (typeof ENTRY_POINTS)[number];
type UnionKernels = {readonly [Name in UnionKernel]: Kernel<typeof unionFindWgsl, Name>};

/**
 * Unites the ends of edges on the device: `encodeMakeSets`, then `encode` for every list of edges, then
 * `encodeFlatten`. Roots are hooked by compare-and-swap, and paths are halved. The root of a set is its smallest
 * member, in whatever order invocations run.
 *
 * It keeps no buffers, so there is nothing to reserve. Other kernels import `union_find::gpu::disjointSets`.
 *
 * @source  Jaiganesh and Burtscher 2018, ECL-CC
 */
export class GpuUnionFind extends Owner {
  readonly #gpu: Gpu;
  readonly #kernels: UnionKernels;
  readonly #params: ParamRing;

  private constructor(gpu: Gpu, kernels: UnionKernels) {
    super();
    this.#gpu = gpu;
    this.#kernels = kernels;
    this.#params = this.own(new ParamRing(gpu, 'union-find/unionFind.params'));
  }

  /** Compiles the pipelines, which serve every n and count. */
  static async create(gpu: Gpu): Promise<GpuUnionFind> {
    return new GpuUnionFind(gpu, await Kernel.createEach(gpu, unionFindWgsl, ENTRY_POINTS));
  }

  /**
   * Records one dispatch: every member becomes a set of its own.
   *
   * @throws GpuLimitError          if the device cannot bind n words
   * @throws InvalidParameterError  if `parent` holds fewer than n words, or n is not an integer ≥ 0
   */
  encodeMakeSets(pass: GPUComputePassEncoder, forest: ParentBuffer): void {
    this.#overMembers(pass, 'makeSets', forest);
  }

  /**
   * Records one dispatch: unites the ends of every edge. `parent` must hold the result of `encodeMakeSets`, or of an
   * earlier `encode` or `encodeFlatten`. With other contents the kernel may never end.
   *
   * @throws GpuLimitError          if the device cannot bind the edges or the members; edges may come in several parts
   * @throws InvalidParameterError  if a buffer is too small, or a count is not an integer ≥ 0
   */
  encode(pass: GPUComputePassEncoder, {edges, count, parent, n}: EdgeBuffers): void {
    const pairs = this.#bindRange('edges', edges, 'count', count, 8);
    const words = this.#bindRange('parent', parent, 'n', n, 4);
    if (count === 0 || n === 0) return;
    const params = this.#params.write(unionFindWgsl.structs.UnionParams, {count});
    this.#kernels.uniteEdges.encodeOver({edges: pairs, parent: words, params}, count)(pass);
  }

  /**
   * Records one dispatch: points every member at the smallest member of its set. More edges may follow.
   *
   * @throws GpuLimitError          if the device cannot bind n words
   * @throws InvalidParameterError  if `parent` holds fewer than n words, or n is not an integer ≥ 0
   */
  encodeFlatten(pass: GPUComputePassEncoder, forest: ParentBuffer): void {
    this.#overMembers(pass, 'flattenSets', forest);
  }

  #overMembers(pass: GPUComputePassEncoder, name: 'makeSets' | 'flattenSets', {parent, n}: ParentBuffer): void {
    const words = this.#bindRange('parent', parent, 'n', n, 4);
    if (n > 0) this.#kernels[name].encodeOver({parent: words}, n)(pass);
  }

  /** Binds exactly `items` items: the kernels take n from the length of the array. */
  #bindRange(what: string, bindable: Bindable, name: string, items: number, itemBytes: number): BufferSlice {
    checkInteger(name, items, 0);
    const {buffer, offset = 0, size = buffer.size - offset} = 'buffer' in bindable ? bindable : {buffer: bindable};
    const bytes = items * itemBytes;
    const allowed = this.#gpu.device.limits.maxStorageBufferBindingSize;
    if (bytes > allowed) throw new GpuLimitError(`bytes of ${what}`, bytes, allowed, 'take fewer at a time');
    if (bytes > size) throw new InvalidParameterError(`bytes of ${what}`, size, `at least ${bytes}`);
    return {buffer, offset, size: bytes};
  }
}
