import {Kernel, ParamRing, ReadBack, Scratch, Uploader, type Gpu, type GpuRun} from '@epsball/gpu';
import {Compact, RadixSort} from '@epsball/gpu-primitives';
import type {HdbscanPhase} from '../algorithm.ts';
import {joinBasins, type Basins, type JoinedBasins} from '../hierarchy/joinBasins.ts';
import type {FilledClusters} from '../hierarchy/condenseBasins.ts';
import {basinsWgsl} from './basins.wgsl.ts';
import {fillClustersWgsl} from './fillClusters.wgsl.ts';

/** The largest `minClusterSize` of the kernels: SIZE_MAX of basins.wgsl. */
export const BASIN_SIZE_MAX = 32;

/** A spanning tree on the device. */
export interface DeviceTree {
  readonly n: number;
  /** n − 1 edges of four words, ascending: two positions, and the squared weight as float64. */
  readonly edges: GPUBuffer;
  /** n squared core distances by position, float64. */
  readonly core: GPUBuffer;
  /** n u32: the index of the point at each position. */
  readonly pointOrder: GPUBuffer;
}

/** The hierarchy without the squares, and the core distances, both by point. */
export type DeviceClusters = Omit<FilledClusters, 'squared'> & {readonly coreSquared: Float64Array};

/**
 * Condenses a spanning tree on the device: basins there, their clusters on the host, the cluster of each point there
 * again. Keeps its buffers, which the next run reuses.
 */
export class BasinsGpu {
  readonly #gpu: Gpu;
  readonly #sort: RadixSort;
  readonly #wideSort: RadixSort<'u64'>;
  readonly #compact: Compact;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #uploader: Uploader;
  readonly #reader: ReadBack;

  private constructor(gpu: Gpu, sort: RadixSort, wideSort: RadixSort<'u64'>, compact: Compact) {
    this.#gpu = gpu;
    this.#sort = sort;
    this.#wideSort = wideSort;
    this.#compact = compact;
    this.#params = new ParamRing(gpu, 'hdbscan/basins.params');
    this.#scratch = new Scratch(gpu, 'hdbscan/basins');
    this.#uploader = new Uploader(gpu, 'hdbscan/basins');
    this.#reader = new ReadBack(gpu, 'hdbscan/basins');
  }

  /** @param gpu  borrowed */
  static async create(gpu: Gpu): Promise<BasinsGpu> {
    const [sort, wideSort, compact] = await Promise.all([
      RadixSort.create(gpu, {values: 'index'}),
      RadixSort.create(gpu, {key: 'u64', values: 'none'}),
      Compact.create(gpu, {values: 'index'}),
    ]);
    return new BasinsGpu(gpu, sort, wideSort, compact);
  }

  /**
   * @param leastSize  points of a cluster, 2 to `BASIN_SIZE_MAX`, at most n
   * @returns          owned by the caller
   */
  async condense(tree: DeviceTree, leastSize: number, run: GpuRun<HdbscanPhase>): Promise<DeviceClusters> {
    const buffers = buffersOf(tree, (what, words) => this.#take(what, words));
    const basins = await this.#findBasins(tree, buffers, leastSize, run);
    run.throwIfAborted();
    return this.#fill(tree, buffers, joinBasins(basins, tree.n), run);
  }

  async #findBasins(
    {n}: DeviceTree,
    buffers: BasinBuffers,
    leastSize: number,
    run: GpuRun<HdbscanPhase>,
  ): Promise<Basins> {
    const count = n - 1;
    const kernels = await compileBasins(this.#gpu);
    const input = {keys: buffers.endPositions, values: this.#take('endOrder', 2 * n)};
    const other = {keys: this.#take('otherEnds', 2 * n), values: this.#take('otherOrder', 2 * n)};
    const [names, crossings, counted] = [this.#take('names', n), this.#take('crossings', n), this.#take('counted', 1)];
    const {structs} = basinsWgsl;
    const params = this.#params.write(structs.BasinParams, {n, leastSize, basins: 0});
    this.#sort.reserve(2 * count);
    run.submit('hierarchy', (pass) => {
      const {layEnds} = kernels;
      layEnds.dispatchOver(pass, layEnds.bind({...buffers, params}), count);
      const endBit = 32 - Math.clz32(count);
      const {values: ends} = this.#sort.encode(pass, {input, other, count: 2 * count, endBit});
      const bound = {...buffers, params, ends};
      const {layLinks, findLevels, uniteGroups, nameGroups, findDrains, uniteBasins, nameBasins} = kernels;
      layLinks.dispatchOver(pass, layLinks.bind(bound), 2 * count);
      findLevels.dispatchOver(pass, findLevels.bind(bound), n);
      uniteGroups.dispatchOver(pass, uniteGroups.bind(bound), count);
      nameGroups.dispatchOver(pass, nameGroups.bind(bound), n);
      findDrains.dispatchOver(pass, findDrains.bind(bound), count);
      uniteBasins.dispatchOver(pass, uniteBasins.bind(bound), count);
      nameBasins.dispatchOver(pass, nameBasins.bind(bound), n);
      const {markCrossings} = kernels;
      markCrossings.dispatchOver(pass, markCrossings.bind(bound), n);
      const {crossingFlags, nameFlags} = buffers;
      this.#compact.encode(pass, {flags: crossingFlags, output: crossings, keptCount: counted, count});
      this.#compact.encode(pass, {flags: nameFlags, output: names, keptCount: counted, count: n});
    });
    const [basins] = await this.#read(counted, new Uint32Array(1));
    const found = {names, crossings, basinLevels: this.#take('basinLevels', basins)};
    const crossingsOut = this.#take('crossingsOut', 4 * basins);
    run.submit('hierarchy', (pass) => {
      const {describeBasins} = kernels;
      const written = this.#params.write(structs.BasinParams, {n, leastSize, basins});
      const bound = describeBasins.bind({...buffers, ...found, crossingsOut, params: written});
      describeBasins.dispatchOver(pass, bound, basins);
    });
    return {
      names: await this.#read(names, new Uint32Array(basins)),
      levels: await this.#read(found.basinLevels, new Uint32Array(basins)),
      crossings: await this.#read(crossingsOut, new Uint32Array(4 * (basins - 1))),
    };
  }

  async #fill(
    {n, edges, core, pointOrder}: DeviceTree,
    {levels, groups, links}: BasinBuffers,
    joined: JoinedBasins,
    run: GpuRun<HdbscanPhase>,
  ): Promise<DeviceClusters> {
    const kernels = await compileFill(this.#gpu);
    const {clusterOfBasin, parent} = joined;
    const buffers = {
      names: this.#take('names', n),
      clusterOfBasin: this.#take('clusterOfBasin', clusterOfBasin.length),
      clusters: this.#take('clusters', 4 * parent.length),
      clusterOfName: this.#take('edgeLevels', n),
      clusterOut: this.#take('drains', n),
      // The links of the search are read no more; the ends hold the other half of the sort.
      leavings: links,
      leavesOut: this.#take('leaves', 2 * n),
      coreOut: this.#take('coreByPoint', 2 * n),
    };
    await this.#uploader.upload(clusterOfBasin, buffers.clusterOfBasin);
    await this.#uploader.upload(wordsOf(joined), buffers.clusters);
    const params = this.#params.write(fillClustersWgsl.structs.FillParams, {n, basins: clusterOfBasin.length});
    const bound = {...buffers, params, basins: groups, levels, pointOrder, edges, core};
    const other = {keys: this.#take('otherEnds', 2 * n)};
    this.#wideSort.reserve(n);
    let sorted = other;
    run.submit('hierarchy', (pass) => {
      const {placeBasins, findClusters, orderPoints} = kernels;
      placeBasins.dispatchOver(pass, placeBasins.bind(bound), clusterOfBasin.length);
      findClusters.dispatchOver(pass, findClusters.bind(bound), n);
      orderPoints.dispatchOver(pass, orderPoints.bind(bound), n);
      const endBit = 64 - Math.clz32(parent.length);
      sorted = this.#wideSort.encode(pass, {input: {keys: links}, other, count: n, endBit});
    });
    return {
      ...joined,
      clusterOf: await this.#read(buffers.clusterOut, new Int32Array(n)),
      leavesSquared: await this.#read(buffers.leavesOut, new Float64Array(n)),
      coreSquared: await this.#read(buffers.coreOut, new Float64Array(n)),
      leavings: await this.#read(sorted.keys, new Uint32Array(2 * n)),
    };
  }

  #take(what: string, words: number): GPUBuffer {
    return this.#scratch.take(what, 4 * words);
  }

  async #read<Words extends Uint32Array | Int32Array | Float64Array>(buffer: GPUBuffer, out: Words): Promise<Words> {
    if (out.length > 0) await this.#reader.read(buffer, out);
    return out;
  }

  destroy(): void {
    this.#sort.destroy();
    this.#wideSort.destroy();
    this.#compact.destroy();
    this.#params.destroy();
    this.#scratch.destroy();
    this.#uploader.destroy();
    this.#reader.destroy();
  }
}

type BasinBuffers = ReturnType<typeof buffersOf>;

function buffersOf({n, edges}: DeviceTree, take: (what: string, words: number) => GPUBuffer) {
  return {
    edges,
    endPositions: take('ends', 2 * n),
    starts: take('starts', n + 1),
    links: take('links', 4 * n),
    levels: take('levels', n),
    groups: take('groups', n),
    drains: take('drains', n),
    parent: take('parent', n),
    edgeLevels: take('edgeLevels', n),
    crossingFlags: take('crossingFlags', n),
    nameFlags: take('nameFlags', n),
  };
}

/** Clusters as kernels read them. */
function wordsOf({parent, birth, jump}: JoinedBasins): Uint32Array {
  const words = new Uint32Array(4 * parent.length);
  for (let c = 0; c < parent.length; c++) words.set([parent[c], birth[c], jump[c]], 4 * c);
  return words;
}

async function compileBasins(gpu: Gpu) {
  const [layEnds, layLinks, findLevels, uniteGroups, nameGroups, findDrains, uniteBasins, nameBasins] =
    await Promise.all([
      Kernel.create(gpu, basinsWgsl, 'layEnds'),
      Kernel.create(gpu, basinsWgsl, 'layLinks'),
      Kernel.create(gpu, basinsWgsl, 'findLevels'),
      Kernel.create(gpu, basinsWgsl, 'uniteGroups'),
      Kernel.create(gpu, basinsWgsl, 'nameGroups'),
      Kernel.create(gpu, basinsWgsl, 'findDrains'),
      Kernel.create(gpu, basinsWgsl, 'uniteBasins'),
      Kernel.create(gpu, basinsWgsl, 'nameBasins'),
    ]);
  const [markCrossings, describeBasins] = await Promise.all([
    Kernel.create(gpu, basinsWgsl, 'markCrossings'),
    Kernel.create(gpu, basinsWgsl, 'describeBasins'),
  ]);
  return {
    layEnds,
    layLinks,
    findLevels,
    uniteGroups,
    nameGroups,
    findDrains,
    uniteBasins,
    nameBasins,
    markCrossings,
    describeBasins,
  };
}

async function compileFill(gpu: Gpu) {
  const [placeBasins, findClusters, orderPoints] = await Promise.all([
    Kernel.create(gpu, fillClustersWgsl, 'placeBasins'),
    Kernel.create(gpu, fillClustersWgsl, 'findClusters'),
    Kernel.create(gpu, fillClustersWgsl, 'orderPoints'),
  ]);
  return {placeBasins, findClusters, orderPoints};
}
