import {Kernel, Owner, ParamRing, ReadBack, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import {RadixSort} from '@epsball/gpu-primitives';
import type {HdbscanPhase} from '../algorithm.ts';
import type {BoxTree} from './boxTree.ts';
import {coresWgsl} from './cores.wgsl.ts';
import {searchWgsl} from './search.wgsl.ts';
import {settleWgsl} from './settle.wgsl.ts';
import {sortTreeWgsl} from './sortTree.wgsl.ts';

/** Bytes of the lists of a batch of core distances. */
const LIST_BYTES = {hardware: 2 ** 27, software: 2 ** 22};

/** Core distances and spanning tree on the device. */
export interface DeviceSpanningTree {
  /** n squared core distances in the caller's order, float64. */
  readonly core: GPUBuffer;
  /** n − 1 edges of four words, ascending: position, other end, and the squared weight as float64. */
  readonly edges: GPUBuffer;
  /** The squared weights alone, and the positions alone: all first ends, then all second ends. */
  readonly squared: GPUBuffer;
  readonly ends: GPUBuffer;
  readonly rounds: number;
}

type RoundKernels = Awaited<ReturnType<typeof compileRounds>>;

/** Core distances and Borůvka's rounds on a device. Keeps its buffers, which the next run reuses. */
export class SpanningTreeGpu extends Owner {
  readonly #gpu: Gpu;
  readonly #hasNearCores: boolean;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #reader: ReadBack;
  readonly #sort: RadixSort<'u64'>;

  private constructor(gpu: Gpu, sort: RadixSort<'u64'>, hasNearCores: boolean) {
    super();
    this.#gpu = gpu;
    this.#hasNearCores = hasNearCores;
    this.#sort = this.own(sort);
    this.#params = this.own(new ParamRing(gpu, 'hdbscan/spanningTree.params'));
    this.#scratch = this.own(new Scratch(gpu, 'hdbscan/spanningTree'));
    this.#reader = this.own(new ReadBack(gpu, 'hdbscan/state'));
  }

  /**
   * @param gpu           borrowed
   * @param hasNearCores  whether core distances take a first pass in float32: faster, with one kernel more to compile
   */
  static async create(gpu: Gpu, hasNearCores: boolean): Promise<SpanningTreeGpu> {
    return new SpanningTreeGpu(gpu, await RadixSort.create(gpu, {key: 'u64', values: 'index'}), hasNearCores);
  }

  /**
   * @param rank       of the core distance, at most n
   * @param meanwhile  work of the host, called again and again while the device works
   * @returns          valid until the next run
   */
  async build(
    tree: BoxTree,
    rank: number,
    run: GpuRun<HdbscanPhase>,
    meanwhile: () => void,
  ): Promise<DeviceSpanningTree> {
    run.enter('core');
    const core = await this.#findCores(tree, rank, run);
    run.enter('tree');
    const {edges, found, rounds} = await this.#runRounds(tree, core, run, meanwhile);
    return {...(await this.#order({edges, core, coreOut: found}, tree, run)), rounds};
  }

  async #findCores({n, overrides, bindings}: BoxTree, rank: number, run: GpuRun<HdbscanPhase>): Promise<GPUBuffer> {
    const names = this.#hasNearCores ? (['nearCores', 'findCores'] as const) : (['findCores'] as const);
    const passes = await Promise.all(names.map((name) => Kernel.create(this.#gpu, coresWgsl, name, overrides)));
    const core = this.#scratch.take('core', 8 * n);
    const bytes = Math.min(this.#gpu.pick(LIST_BYTES), this.#gpu.limits.maxStorageBufferBindingSize);
    const batch = Math.max(1, Math.min(n, Math.floor(bytes / (8 * rank))));
    const smallest = this.#scratch.take('smallest', 8 * rank * batch);
    for (let first = 0; first < n; first += batch) {
      const count = Math.min(batch, n - first);
      const isSecond = passes.length === 2 ? 1 : 0;
      const params = this.#params.write(coresWgsl.structs.CoreParams, {rank, first, count, isSecond});
      await run.makeRoom();
      run.submit('core', (pass) => {
        for (const kernel of passes) {
          kernel.dispatchOver(pass, kernel.bind({...bindings, params, smallest, coreOut: core}), count);
        }
      });
      await run.settle('core');
      run.report('core', first + count);
    }
    return core;
  }

  async #runRounds(
    tree: BoxTree,
    core: GPUBuffer,
    run: GpuRun<HdbscanPhase>,
    meanwhile: () => void,
  ): Promise<{edges: GPUBuffer; found: GPUBuffer; rounds: number}> {
    const {n} = tree;
    const take = (what: string, bytes: number): GPUBuffer => this.#scratch.take(what, bytes);
    const buffers = {
      core,
      found: take('found', 16 * n),
      component: take('component', 4 * n),
      nodeComponent: take('nodeComponent', 4 * tree.levels.reduce((sum, size) => sum + size, 0)),
      lightest: take('lightest', 12 * n),
      parent: take('parent', 4 * n),
      edges: take('edges', 16 * n),
      state: take('state', 16),
    };
    const kernels = await compileRounds(this.#gpu, tree.overrides);
    const bound = {...tree.bindings, ...buffers};
    run.submit('tree', (pass) => {
      kernels.startRounds.dispatchOver(pass, kernels.startRounds.bind(bound), n);
    });
    const known = new Uint32Array(1);
    let rounds = 0;
    for (let edges = 0; edges < n - 1; rounds++) {
      await run.makeRoom();
      run.submit('tree', (pass) => this.#encodeRound(pass, tree, bound, kernels));
      meanwhile();
      await this.#reader.read(buffers.state, known);
      run.throwIfAborted();
      // The device says why in an error scope, which `Gpu.guard` reports.
      if (known[0] <= edges) throw new Error('the spanning tree makes no progress');
      [edges] = known;
      run.report('tree', edges + 1);
    }
    return {edges: buffers.edges, found: buffers.found, rounds};
  }

  /** Edges by weight, core distances by point. */
  async #order(
    {edges, core, coreOut}: Record<'edges' | 'core' | 'coreOut', GPUBuffer>,
    {n, pointOrder}: BoxTree,
    run: GpuRun<HdbscanPhase>,
  ): Promise<Omit<DeviceSpanningTree, 'rounds'>> {
    const count = n - 1;
    const names = ['edgeKeys', 'moveEdges', 'orderCores'] as const;
    const {edgeKeys, moveEdges, orderCores} = await Kernel.createEach(this.#gpu, sortTreeWgsl, names);
    const pair = (name: string): {keys: GPUBuffer; values: GPUBuffer} => ({
      keys: this.#scratch.take(`${name}Keys`, 8 * count),
      values: this.#scratch.take(`${name}Order`, 4 * count),
    });
    const input = pair('first');
    const other = pair('second');
    const sortedEdges = this.#scratch.take('sortedEdges', 16 * count);
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
      moveEdges.dispatchOver(pass, moveEdges.bind({params, edges, order: sorted.values, sortedEdges, ends}), count);
    });
    return {core: coreOut, edges: sortedEdges, squared: sorted.keys, ends};
  }

  #encodeRound(pass: GPUComputePassEncoder, {n, levels}: BoxTree, bound: RoundBuffers, kernels: RoundKernels): void {
    const {nameComponents, nameLeaves, nameLevel, searchEdges} = kernels;
    const {settleLowWords, settleEdges, uniteComponents} = kernels;
    const named = {...bound, componentOut: bound.component, nodeComponentOut: bound.nodeComponent};
    nameComponents.dispatchOver(pass, nameComponents.bind(named), n);
    nameLeaves.dispatchOver(pass, nameLeaves.bind(named), levels[0]);
    for (let level = 1; level < levels.length; level++) {
      const params = this.#params.write(settleWgsl.structs.SettleParams, {level});
      nameLevel.dispatchOver(pass, nameLevel.bind({...named, params}), levels[level]);
    }
    for (const isInside of [1, 0]) {
      const params = this.#params.write(searchWgsl.structs.SearchParams, {isInside});
      searchEdges.dispatchOver(pass, searchEdges.bind({...bound, params}), n);
    }
    settleLowWords.dispatchOver(pass, settleLowWords.bind(bound), n);
    settleEdges.dispatchOver(pass, settleEdges.bind(bound), n);
    uniteComponents.dispatchOver(pass, uniteComponents.bind(bound), n);
  }
}

type RoundBuffers = BoxTree['bindings'] &
  Readonly<
    Record<'core' | 'found' | 'component' | 'nodeComponent' | 'lightest' | 'parent' | 'edges' | 'state', GPUBuffer>
  >;

async function compileRounds(gpu: Gpu, overrides: BoxTree['overrides']) {
  const [settle, searchEdges] = await Promise.all([
    Kernel.createEach(gpu, settleWgsl, [
      'startRounds',
      'nameComponents',
      'nameLeaves',
      'nameLevel',
      'settleLowWords',
      'settleEdges',
      'uniteComponents',
    ]),
    Kernel.create(gpu, searchWgsl, 'searchEdges', overrides),
  ]);
  return {...settle, searchEdges};
}
