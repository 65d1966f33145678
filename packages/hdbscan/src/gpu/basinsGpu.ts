import {createAll, Kernel, Owner, ParamRing, ReadBack, Scratch, Uploader, type Gpu, type GpuRun} from '@epsball/gpu';
import {Compact, RadixSort} from '@epsball/gpu-primitives';
import type {HdbscanPhase} from '../algorithm.ts';
import {joinBasins, type Basins, type JoinedBasins} from '../hierarchy/joinBasins.ts';
import type {FilledClusters} from '../hierarchy/condenseBasins.ts';
import {basinsWgsl} from './basins.wgsl.ts';
import {fillClustersWgsl} from './fillClusters.wgsl.ts';

/** The largest `minClusterSize` of the kernels: SIZE_MAX of basins.wgsl. */
export const BASIN_SIZE_MAX = 32;

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
export class BasinsGpu extends Owner {
  readonly #parts: Awaited<ReturnType<typeof compile>>;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #uploader: Uploader;
  readonly #reader: ReadBack;

  private constructor(gpu: Gpu, parts: Awaited<ReturnType<typeof compile>>) {
    super();
    this.#parts = parts;
    for (const part of [parts.sort, parts.wideSort, parts.compact]) this.own(part);
    this.#params = this.own(new ParamRing(gpu, 'hdbscan/basins.params'));
    this.#scratch = this.own(new Scratch(gpu, 'hdbscan/basins'));
    this.#uploader = this.own(new Uploader(gpu, 'hdbscan/basins'));
    this.#reader = this.own(new ReadBack(gpu, 'hdbscan/basins'));
  }

  /** @param gpu  borrowed */
  static async create(gpu: Gpu): Promise<BasinsGpu> {
    return new BasinsGpu(gpu, await compile(gpu));
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
    const {input, other, names, crossings, counted} = buffers;
    const {structs} = basinsWgsl;
    const params = this.#params.write(structs.BasinParams, {n, leastSize, basins: 0});
    const {sort, compact, layEnds, layLinks, findLevels, uniteGroups, nameGroups} = this.#parts;
    const {findDrains, uniteBasins, nameBasins, markCrossings, describeBasins} = this.#parts;
    sort.reserve(2 * count);
    run.submit('hierarchy', (pass) => {
      layEnds.dispatchOver(pass, layEnds.bind({...buffers, params}), count);
      const endBit = 32 - Math.clz32(count);
      const {values: ends} = sort.encode(pass, {input, other, count: 2 * count, endBit});
      const bound = {...buffers, params, ends};
      layLinks.dispatchOver(pass, layLinks.bind(bound), 2 * count);
      findLevels.dispatchOver(pass, findLevels.bind(bound), n);
      uniteGroups.dispatchOver(pass, uniteGroups.bind(bound), count);
      nameGroups.dispatchOver(pass, nameGroups.bind(bound), n);
      findDrains.dispatchOver(pass, findDrains.bind(bound), count);
      uniteBasins.dispatchOver(pass, uniteBasins.bind(bound), count);
      nameBasins.dispatchOver(pass, nameBasins.bind(bound), n);
      markCrossings.dispatchOver(pass, markCrossings.bind(bound), n);
      const {crossingFlags, nameFlags} = buffers;
      compact.encode(pass, {flags: crossingFlags, output: crossings, keptCount: counted, count});
      compact.encode(pass, {flags: nameFlags, output: names, keptCount: counted, count: n});
    });
    const [basins] = await this.#reader.read(counted, new Uint32Array(1));
    const basinLevels = this.#take('basinLevels', basins);
    const crossingsOut = this.#take('crossingsOut', 4 * basins);
    run.submit('hierarchy', (pass) => {
      const written = this.#params.write(structs.BasinParams, {n, leastSize, basins});
      const bound = describeBasins.bind({...buffers, basinLevels, crossingsOut, params: written});
      describeBasins.dispatchOver(pass, bound, basins);
    });
    return {
      names: await this.#reader.read(names, new Uint32Array(basins)),
      levels: await this.#reader.read(basinLevels, new Uint32Array(basins)),
      crossings: await this.#reader.read(crossingsOut, new Uint32Array(4 * (basins - 1))),
    };
  }

  async #fill(
    {n, edges, core, pointOrder}: DeviceTree,
    {input, other, levels, groups, links, names, edgeLevels, drains, crossings}: BasinBuffers,
    joined: JoinedBasins,
    run: GpuRun<HdbscanPhase>,
  ): Promise<DeviceClusters> {
    const {clusterOfBasin, parent} = joined;
    const buffers = {
      names,
      clusterOfBasin: this.#take('clusterOfBasin', clusterOfBasin.length),
      clusters: this.#take('clusters', 4 * parent.length),
      // What the search for basins reads no more.
      clusterOfName: edgeLevels,
      clusterOut: drains,
      leavings: links,
      leavesOut: input.values,
      coreOut: crossings,
    };
    await this.#uploader.upload(clusterOfBasin, buffers.clusterOfBasin);
    await this.#uploader.upload(wordsOf(joined), buffers.clusters);
    const params = this.#params.write(fillClustersWgsl.structs.FillParams, {n, basins: clusterOfBasin.length});
    const bound = {...buffers, params, basins: groups, levels, pointOrder, edges, core};
    const {wideSort, placeBasins, findClusters, orderPoints} = this.#parts;
    wideSort.reserve(n);
    let sorted: {keys: GPUBuffer} = {keys: other.keys};
    run.submit('hierarchy', (pass) => {
      placeBasins.dispatchOver(pass, placeBasins.bind(bound), clusterOfBasin.length);
      findClusters.dispatchOver(pass, findClusters.bind(bound), n);
      orderPoints.dispatchOver(pass, orderPoints.bind(bound), n);
      const endBit = 64 - Math.clz32(parent.length);
      sorted = wideSort.encode(pass, {input: {keys: links}, other: {keys: other.keys}, count: n, endBit});
    });
    return {
      ...joined,
      clusterOf: await this.#reader.read(buffers.clusterOut, new Int32Array(n)),
      leavesSquared: await this.#reader.read(buffers.leavesOut, new Float64Array(n)),
      coreSquared: await this.#reader.read(buffers.coreOut, new Float64Array(n)),
      leavings: await this.#reader.read(sorted.keys, new Uint32Array(2 * n)),
    };
  }

  #take(what: string, words: number): GPUBuffer {
    return this.#scratch.take(what, 4 * words);
  }
}

type BasinBuffers = ReturnType<typeof buffersOf>;

/** The ends of edges, their order and the links are read no more when groups have names; later arrays lie there. */
function buffersOf({n, edges}: DeviceTree, take: (what: string, words: number) => GPUBuffer) {
  const input = {keys: take('ends', 2 * n), values: take('endOrder', 2 * n)};
  const other = {keys: take('otherEnds', 2 * n), values: take('otherOrder', 2 * n)};
  return {
    edges,
    input,
    other,
    endPositions: input.keys,
    starts: take('starts', n + 1),
    links: take('links', 4 * n),
    levels: take('levels', n),
    groups: take('groups', n),
    drains: take('drains', n),
    parent: take('parent', n),
    edgeLevels: take('edgeLevels', n),
    crossingFlags: input.values,
    crossings: other.values,
    nameFlags: other.keys,
    names: input.keys,
    counted: take('counted', 1),
  };
}

/** Clusters as kernels read them. */
function wordsOf({parent, birth, jump}: JoinedBasins): Uint32Array {
  const words = new Uint32Array(4 * parent.length);
  for (let c = 0; c < parent.length; c++) {
    words[4 * c] = parent[c];
    words[4 * c + 1] = birth[c];
    words[4 * c + 2] = jump[c];
  }
  return words;
}

async function compile(gpu: Gpu) {
  const [basins, fill, ...primitives] = await createAll([
    Kernel.createEach(gpu, basinsWgsl, [
      'layEnds',
      'layLinks',
      'findLevels',
      'uniteGroups',
      'nameGroups',
      'findDrains',
      'uniteBasins',
      'nameBasins',
      'markCrossings',
      'describeBasins',
    ]),
    Kernel.createEach(gpu, fillClustersWgsl, ['placeBasins', 'findClusters', 'orderPoints']),
    RadixSort.create(gpu, {values: 'index'}),
    RadixSort.create(gpu, {key: 'u64', values: 'none'}),
    Compact.create(gpu, {values: 'index'}),
  ]);
  const [sort, wideSort, compact] = primitives;
  return {...basins, ...fill, sort, wideSort, compact};
}
