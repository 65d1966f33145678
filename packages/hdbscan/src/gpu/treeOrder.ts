import {Kernel, Owner, ParamRing, type Gpu, type GpuRun} from '@epsball/gpu';
import {RadixSort} from '@epsball/gpu-primitives';
import type {HdbscanPhase} from '../algorithm.ts';
import type {DeviceMemory} from './deviceMemory.ts';
import {sortTreeWgsl} from './sortTree.wgsl.ts';

/** Core distances and spanning tree on the device, by position. */
export interface FoundTree {
  /** n squared core distances, float64. */
  readonly core: GPUBuffer;
  /** n − 1 edges of four words: position, other end, and the squared weight as float64. */
  readonly edges: GPUBuffer;
  readonly rounds: number;
}

/** Core distances and spanning tree on the device, in order. */
export interface DeviceSpanningTree {
  /** n squared core distances in the caller's order, float64. */
  readonly core: GPUBuffer;
  /** n − 1 squared weights of edges, ascending, float64; and positions: all first ends, then all second ends. */
  readonly squared: GPUBuffer;
  readonly ends: GPUBuffer;
}

/** Puts edges in the order of their weights, and core distances in that of the points. */
export class TreeOrder extends Owner {
  readonly #gpu: Gpu;
  readonly #sort: RadixSort<'u64'>;
  readonly #params: ParamRing;
  readonly #memory: DeviceMemory;

  private constructor(gpu: Gpu, memory: DeviceMemory, sort: RadixSort<'u64'>) {
    super();
    this.#gpu = gpu;
    this.#memory = memory;
    this.#sort = this.own(sort);
    this.#params = this.own(new ParamRing(gpu, 'hdbscan/treeOrder.params'));
  }

  /** @param gpu, memory  borrowed */
  static async create(gpu: Gpu, memory: DeviceMemory): Promise<TreeOrder> {
    return new TreeOrder(gpu, memory, await RadixSort.create(gpu, {key: 'u64', values: 'index'}));
  }

  /** @returns  valid until the next run */
  async order(
    {edges, core}: FoundTree,
    {n, pointOrder}: {readonly n: number; readonly pointOrder: GPUBuffer},
    run: GpuRun<HdbscanPhase>,
  ): Promise<DeviceSpanningTree> {
    const count = n - 1;
    const names = ['edgeKeys', 'moveEdges', 'orderCores'] as const;
    const {edgeKeys, moveEdges, orderCores} = await Kernel.createEach(this.#gpu, sortTreeWgsl, names);
    const pair = (keys: string, values: string): {keys: GPUBuffer; values: GPUBuffer} => ({
      keys: this.#memory.take(keys, 8 * count),
      values: this.#memory.take(values, 4 * count),
    });
    const input = pair('edgeKeys', 'edgeOrder');
    const other = pair('otherEdgeKeys', 'otherEdgeOrder');
    const coreOut = this.#memory.take('coreByPoint', 8 * n);
    const params = this.#params.write(sortTreeWgsl.structs.SortTreeParams, {count});
    this.#sort.reserve(count);
    let sorted: {keys: GPUBuffer; values: GPUBuffer} = input;
    let ends = other.keys;
    run.submit('tree', (pass) => {
      orderCores.dispatchOver(pass, orderCores.bind({params, core, pointOrder, coreOut}), n);
      if (count === 0) return;
      edgeKeys.dispatchOver(pass, edgeKeys.bind({params, edges, keys: input.keys}), count);
      sorted = this.#sort.encode(pass, {input, other, count});
      if (sorted.keys === ends) ends = input.keys;
      moveEdges.dispatchOver(pass, moveEdges.bind({params, edges, order: sorted.values, ends}), count);
    });
    return {core: coreOut, squared: sorted.keys, ends};
  }
}
