import {Kernel, Owner, ParamRing, ReadBack, type Gpu, type GpuRun} from '@epsball/gpu';
import type {HdbscanPhase} from '../algorithm.ts';
import {partOfRounds} from '../tree/boruvka.ts';
import type {BoxTree} from './boxTree.ts';
import {coreSearchStructs} from './coreSearch.wgsl.ts';
import {coresWgsl} from './cores.wgsl.ts';
import type {DeviceMemory} from './deviceMemory.ts';
import {nearCoresWgsl} from './nearCores.wgsl.ts';
import {searchWgsl} from './search.wgsl.ts';
import {searchersWgsl} from './searchers.wgsl.ts';
import {settleWgsl} from './settle.wgsl.ts';
import type {FoundTree} from './treeOrder.ts';

/** A batch of core distances is as large as if all its lists took this memory. */
const BATCH_BYTES = {hardware: 2 ** 27, software: 2 ** 22};
/** Bytes of the lists of some points of a batch: so many, or a point. Rounds need the memory later. */
const LIST_BYTES_A_POINT = 16;
const LIST_BYTES_MIN = 2 ** 20;

/** Entries of the list in registers, as in nearCores.wgsl; and steps, so that few kernels serve all ranks. */
const LIST_MAX = 32;
const LIST_SPARE = 2;
const LIST_STEP = 4;

/** Rounds of a submission. One that finds nothing to do costs the device little, but a wait costs both sides. */
const ROUNDS = {hardware: 2, software: 1};

type RoundKernels = Awaited<ReturnType<typeof compileRounds>>;

/** Core distances and Borůvka's rounds on a device. */
export class SpanningTreeGpu extends Owner {
  readonly #gpu: Gpu;
  readonly #hasNearCores: boolean;
  readonly #params: ParamRing;
  readonly #memory: DeviceMemory;
  readonly #reader: ReadBack;

  /**
   * @param gpu, memory   borrowed
   * @param hasNearCores  whether core distances take a first pass in float32: faster, with one kernel more to compile
   */
  constructor(gpu: Gpu, memory: DeviceMemory, hasNearCores: boolean) {
    super();
    this.#gpu = gpu;
    this.#memory = memory;
    this.#hasNearCores = hasNearCores;
    this.#params = this.own(new ParamRing(gpu, 'hdbscan/spanningTree.params'));
    this.#reader = this.own(new ReadBack(gpu, 'hdbscan/state'));
  }

  /** Begins to compile what `build` needs, while points upload. If that fails, `build` says so. */
  prepare(overrides: BoxTree['overrides'], rank: number): void {
    const kernels: Promise<unknown>[] = [this.#compileCores(overrides, rank), compileRounds(this.#gpu, overrides)];
    for (const compiling of kernels) compiling.catch(() => undefined);
  }

  /**
   * @param rank  of the core distance, at most n
   * @returns     valid until the next run
   */
  async build(tree: BoxTree, rank: number, run: GpuRun<HdbscanPhase>): Promise<FoundTree> {
    run.enter('core');
    const {core, found, hasNear} = await this.#findCores(tree, rank, run);
    run.enter('tree');
    const {edges, rounds} = await this.#runRounds(tree, {core, found, hasNear}, run);
    return {edges, core, rounds};
  }

  async #findCores(tree: BoxTree, rank: number, run: GpuRun<HdbscanPhase>): Promise<FoundCores> {
    const {n, bindings} = tree;
    const passes = await this.#compileCores(tree.overrides, rank);
    const core = this.#memory.take('core', 8 * n);
    const found = this.#memory.take('found', 16 * n);
    const most = Math.min(this.#gpu.pick(BATCH_BYTES), this.#gpu.limits.maxStorageBufferBindingSize);
    const pointsIn = (bytes: number): number => Math.max(1, Math.min(n, Math.floor(bytes / (8 * rank))));
    const batch = pointsIn(most);
    const listed = pointsIn(Math.min(most, Math.max(LIST_BYTES_MIN, LIST_BYTES_A_POINT * n)));
    const smallest = this.#memory.take('lists', 8 * rank * listed);
    const isSecond = passes.length === 2 ? 1 : 0;
    run.report('core', 0);
    for (let first = 0; first < n; first += batch) {
      const count = Math.min(batch, n - first);
      await run.makeRoom();
      run.submit('core', (pass) => {
        for (const {kernel, hasLists} of passes) {
          const step = hasLists ? listed : count;
          for (let at = first; at < first + count; at += step) {
            const some = {rank, first: at, count: Math.min(step, first + count - at), isSecond};
            const params = this.#params.write(coreSearchStructs.CoreParams, some);
            kernel.dispatchOver(
              pass,
              kernel.bind({...bindings, params, smallest, nearOut: found, coreOut: core}),
              some.count,
            );
          }
        }
      });
      await run.settle('core');
      run.report('core', first + count);
    }
    return {core, found, hasNear: passes.some(({hasLists}) => !hasLists)};
  }

  /** One pass, or a pass in float32 before it, whose lists are in registers if the rank is small. */
  async #compileCores(overrides: BoxTree['overrides'], rank: number) {
    const withLists = async (name: 'nearCores' | 'findCores') => {
      return {kernel: await Kernel.create(this.#gpu, coresWgsl, name, overrides), hasLists: true};
    };
    const inRegisters = async (LIST: number) => {
      const kernel = await Kernel.create(this.#gpu, nearCoresWgsl, 'nearCores', {...overrides, LIST});
      return {kernel, hasLists: false};
    };
    if (!this.#hasNearCores) return [await withLists('findCores')];
    const LIST = LIST_STEP * Math.ceil((rank + LIST_SPARE) / LIST_STEP);
    return Promise.all([LIST > LIST_MAX ? withLists('nearCores') : inRegisters(LIST), withLists('findCores')]);
  }

  async #runRounds(
    tree: BoxTree,
    {core, found, hasNear}: FoundCores,
    run: GpuRun<HdbscanPhase>,
  ): Promise<{edges: GPUBuffer; rounds: number}> {
    const {n} = tree;
    const take = (what: string, bytes: number): GPUBuffer => this.#memory.take(what, bytes);
    const buffers = {
      core,
      found,
      names: take('names', 4 * n + 8 * tree.nodes),
      lightest: take('lightest', 16 * n + 4),
      parent: take('parent', 4 * n),
      edges: take('edges', 16 * n),
      state: take('state', 16),
    };
    const kernels = await compileRounds(this.#gpu, tree.overrides);
    const bound = {...tree.bindings, ...buffers, namesOut: buffers.names};
    const params = this.#params.write(settleWgsl.structs.SettleParams, {level: 0, hasNear: hasNear ? 1 : 0});
    run.submit('tree', (pass) => {
      kernels.startRounds.dispatchOver(pass, kernels.startRounds.bind({...bound, params}), n);
      kernels.layLeafCores.dispatchOver(pass, kernels.layLeafCores.bind(bound), tree.levels[0]);
      this.#overLevels(pass, tree, bound, kernels.layLevelCores);
    });
    const known = new Uint32Array(2);
    run.report('tree', 0);
    for (let edges = 0; edges < n - 1;) {
      await run.makeRoom();
      run.submit('tree', (pass) => {
        for (let k = 0; k < this.#gpu.pick(ROUNDS); k++) this.#encodeRound(pass, tree, bound, kernels);
      });
      await this.#reader.read(buffers.state, known);
      run.throwIfAborted();
      // The device says why in an error scope, which `Gpu.guard` reports.
      if (known[0] <= edges) throw new Error('the spanning tree makes no progress');
      [edges] = known;
      run.reportPart('tree', partOfRounds(n - edges, n));
    }
    return {edges: buffers.edges, rounds: known[1]};
  }

  #encodeRound(pass: GPUComputePassEncoder, tree: BoxTree, bound: RoundBuffers, kernels: RoundKernels): void {
    const {n, levels} = tree;
    const {nameComponents, nameLeaves, nameLevel, listSearchers, searchEdges} = kernels;
    const {settleLowWords, settleEdges, uniteComponents} = kernels;
    nameComponents.dispatchOver(pass, nameComponents.bind(bound), n);
    nameLeaves.dispatchOver(pass, nameLeaves.bind(bound), levels[0]);
    this.#overLevels(pass, tree, bound, nameLevel);
    const search = (isInside: number): void => {
      const params = this.#params.write(searchWgsl.structs.SearchParams, {isInside});
      searchEdges.dispatchOver(pass, searchEdges.bind({...bound, params}), n);
    };
    search(1);
    listSearchers.dispatchOver(pass, listSearchers.bind(bound), levels[0]);
    search(0);
    settleLowWords.dispatchOver(pass, settleLowWords.bind(bound), n);
    settleEdges.dispatchOver(pass, settleEdges.bind(bound), n);
    uniteComponents.dispatchOver(pass, uniteComponents.bind(bound), n);
  }

  /** From the level above the leaves up. */
  #overLevels(
    pass: GPUComputePassEncoder,
    {levels}: BoxTree,
    bound: RoundBuffers,
    kernel: RoundKernels['nameLevel' | 'layLevelCores'],
  ): void {
    for (let level = 1; level < levels.length; level++) {
      const params = this.#params.write(settleWgsl.structs.SettleParams, {level, hasNear: 0});
      kernel.dispatchOver(pass, kernel.bind({...bound, params}), levels[level]);
    }
  }
}

interface FoundCores {
  readonly core: GPUBuffer;
  readonly found: GPUBuffer;
  /** Whether `found` has near points of each position. */
  readonly hasNear: boolean;
}

type RoundBuffers = BoxTree['bindings'] &
  Readonly<Record<'core' | 'found' | 'names' | 'namesOut' | 'lightest' | 'parent' | 'edges' | 'state', GPUBuffer>>;

async function compileRounds(gpu: Gpu, overrides: BoxTree['overrides']) {
  const [settle, listSearchers, searchEdges] = await Promise.all([
    Kernel.createEach(gpu, settleWgsl, [
      'startRounds',
      'layLeafCores',
      'layLevelCores',
      'nameComponents',
      'nameLeaves',
      'nameLevel',
      'settleLowWords',
      'settleEdges',
      'uniteComponents',
    ]),
    Kernel.create(gpu, searchersWgsl, 'listSearchers', overrides),
    Kernel.create(gpu, searchWgsl, 'searchEdges', overrides),
  ]);
  return {...settle, listSearchers, searchEdges};
}
