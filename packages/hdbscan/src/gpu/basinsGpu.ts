import {
  createAll,
  float64Words,
  Kernel,
  Owner,
  ParamRing,
  ReadBack,
  Uploader,
  type BufferSlice,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import {Compact, RadixSort} from '@epsball/gpu-primitives';
import type {HdbscanPhase} from '../algorithm.ts';
import type {ClusterTable} from '../hierarchy/chooseClusters.ts';
import type {CondensedClusters} from '../hierarchy/condense.ts';
import {condenseBasins, type LeavingGroups} from '../hierarchy/condenseBasins.ts';
import type {PlaceTree} from '../hierarchy/hierarchy.ts';
import {joinBasins, type Basins, type JoinedBasins} from '../hierarchy/joinBasins.ts';
import {basinsWgsl} from './basins.wgsl.ts';
import {rowsOf, wordsOf} from './clusterWords.ts';
import type {DeviceMemory} from './deviceMemory.ts';
import {describePointsWgsl} from './describePoints.wgsl.ts';
import {fillClustersWgsl} from './fillClusters.wgsl.ts';

/** The largest `minClusterSize` of the kernels: SIZE_MAX of basins.wgsl. */
export const BASIN_SIZE_MAX = 32;

export interface DeviceTree {
  readonly n: number;
  /** Of the edges: see `DeviceSpanningTree`. */
  readonly squared: GPUBuffer;
  readonly ends: GPUBuffer;
  /** n u32: the index of the point at each position. */
  readonly pointOrder: GPUBuffer;
}

/** Clusters on the host, and what they are made of on the device, until the next run. */
export interface DeviceClusters {
  readonly clusters: CondensedClusters;
  /** By cluster: the smallest point that leaves it last; more than any point if none does. */
  readonly smallest: Int32Array;
  /** What a selection says of each point: n elements each, in the caller's order. */
  readonly describe: (table: ClusterTable) => Promise<DescribedBuffers>;
}

type DescribedBuffers = Readonly<
  Record<'labels' | 'clusterOf' | 'probabilities' | 'outlierScores' | 'leavesSquared', BufferSlice>
>;

/**
 * Condenses a spanning tree on the device: basins there, their clusters on the host, the cluster of each point there
 * again.
 */
export class BasinsGpu extends Owner {
  readonly #parts: Awaited<ReturnType<typeof compile>>;
  readonly #params: ParamRing;
  readonly #memory: DeviceMemory;
  readonly #uploader: Uploader;
  readonly #reader: ReadBack;

  private constructor(gpu: Gpu, memory: DeviceMemory, parts: Awaited<ReturnType<typeof compile>>) {
    super();
    this.#memory = memory;
    this.#parts = parts;
    for (const part of [parts.sort, parts.wideSort, parts.compact]) this.own(part);
    this.#params = this.own(new ParamRing(gpu, 'hdbscan/basins.params'));
    this.#uploader = this.own(new Uploader(gpu, 'hdbscan/basins'));
    this.#reader = this.own(new ReadBack(gpu, 'hdbscan/basins'));
  }

  /** @param gpu, memory  borrowed */
  static async create(gpu: Gpu, memory: DeviceMemory): Promise<BasinsGpu> {
    return new BasinsGpu(gpu, memory, await compile(gpu));
  }

  /**
   * @param leastSize  points of a cluster, 2 to `BASIN_SIZE_MAX`, at most n
   * @param onHost     the tree on the host, which comes while the device works
   */
  async condense(
    tree: DeviceTree,
    leastSize: number,
    onHost: Promise<PlaceTree>,
    run: GpuRun<HdbscanPhase>,
  ): Promise<DeviceClusters> {
    const buffers = buffersOf(tree, this.#memory);
    const basins = await this.#findBasins(tree, buffers, leastSize, run);
    run.throwIfAborted();
    run.enter('hierarchy');
    const joined = joinBasins(basins, tree.n);
    const {groups, smallest} = await this.#fill(tree, buffers, joined, run);
    const {edges} = await onHost;
    return {
      clusters: condenseBasins(joined, groups, edges.squared),
      smallest,
      describe: (table) => this.#describe(tree, buffers, table, run),
    };
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
    {n, squared, pointOrder}: DeviceTree,
    {input, other, levels, groups, links, names, edgeLevels, clusterAt, isFirst, counted}: BasinBuffers,
    joined: JoinedBasins,
    run: GpuRun<HdbscanPhase>,
  ): Promise<{groups: LeavingGroups; smallest: Int32Array}> {
    const {clusterOfBasin, parent} = joined;
    const count = parent.length;
    const bound = {
      names,
      clusterOfBasin: this.#take('clusterOfBasin', clusterOfBasin.length),
      clusters: this.#take('clusters', 4 * count),
      ofClusters: this.#take('ofClusters', 2 * count),
      basins: groups,
      clusterOfName: edgeLevels,
      levels,
      pointOrder,
      clusterAt,
      isFirst,
      groupStarts: input.values,
      groupCount: counted,
      groupPoints: other.values,
      groupLambda: names,
      squared,
    };
    await this.#uploader.upload(clusterOfBasin, bound.clusterOfBasin);
    await this.#uploader.upload(wordsOf(joined), bound.clusters);
    const {structs} = fillClustersWgsl;
    const params = this.#params.write(structs.FillParams, {n, basins: clusterOfBasin.length, clusters: count});
    const {wideSort, compact, placeBasins, findClusters, markGroups, describeGroups} = this.#parts;
    wideSort.reserve(n);
    run.submit('hierarchy', (pass) => {
      const unsorted = {...bound, params, leavings: links};
      placeBasins.dispatchOver(pass, placeBasins.bind(unsorted), clusterOfBasin.length);
      findClusters.dispatchOver(pass, findClusters.bind(unsorted), n);
      const endBit = 64 - Math.clz32(count);
      const {keys: leavings} = wideSort.encode(pass, {
        input: {keys: links},
        other: {keys: other.keys},
        count: n,
        endBit,
      });
      markGroups.dispatchOver(pass, markGroups.bind({...unsorted, leavings}), n);
      compact.encode(pass, {flags: isFirst, output: bound.groupStarts, keptCount: counted, count: n});
      describeGroups.dispatchOver(pass, describeGroups.bind({...unsorted, leavings}), n);
    });
    const [found] = await this.#reader.read(counted, new Uint32Array(1));
    const ofClusters = await this.#reader.read(bound.ofClusters, new Uint32Array(2 * count));
    return {
      smallest: new Int32Array(ofClusters.buffer, 0, count),
      groups: {
        first: ofClusters.subarray(count),
        points: await this.#reader.read(bound.groupPoints, new Uint32Array(found)),
        lambda: await this.#reader.read(bound.groupLambda, new Float64Array(found)),
      },
    };
  }

  async #describe(
    {n, squared, pointOrder}: DeviceTree,
    {input, other, levels, groups, links, edgeLevels, clusterAt}: BasinBuffers,
    table: ClusterTable,
    run: GpuRun<HdbscanPhase>,
  ): Promise<DescribedBuffers> {
    const described = {
      labels: groups,
      clusterOf: edgeLevels,
      probabilities: {buffer: links},
      outlierScores: other.keys,
      leavesSquared: input.keys,
    };
    const words = rowsOf(table);
    const rows = this.#take('table', words.length);
    await this.#uploader.upload(words, rows);
    const bound = float64Words(table.bound);
    const params = this.#params.write(describePointsWgsl.structs.DescribeParams, {n, bound});
    const {labelPoints, scorePoints} = this.#parts;
    run.submit('hierarchy', (pass) => {
      const all = {...described, params, clusterAt, levels, pointOrder, squared, table: rows};
      labelPoints.dispatchOver(pass, labelPoints.bind(all), n);
      scorePoints.dispatchOver(pass, scorePoints.bind(all), n);
    });
    return described;
  }

  #take(what: string, words: number): GPUBuffer {
    return this.#memory.take(what, 4 * words);
  }
}

type BasinBuffers = ReturnType<typeof buffersOf>;

/** The ends of edges, their order and the links are read no more when groups have names; later arrays lie there. */
function buffersOf({n, squared, ends: positions}: DeviceTree, memory: DeviceMemory) {
  const pair = (what: string): {keys: BufferSlice; values: BufferSlice} => {
    const [keys, values] = memory.takeParts(what, 8 * n, 2);
    return {keys, values};
  };
  const input = pair('ends');
  const other = pair('otherEnds');
  const [levels, groups, drains, edgeLevels] = memory.takeParts('basins', 4 * n, 4);
  const starts = memory.take('starts', 4 * (n + 1));
  return {
    squared,
    positions,
    input,
    other,
    endPositions: input.keys,
    starts,
    links: memory.take('links', 16 * n),
    levels,
    groups,
    drains,
    parent: memory.take('parent', 4 * n),
    edgeLevels,
    crossingFlags: input.values,
    crossings: other.values,
    nameFlags: other.keys,
    names: input.keys,
    counted: memory.take('counted', 4),
    // What the search for basins reads no more.
    clusterAt: drains,
    isFirst: starts,
  };
}

async function compile(gpu: Gpu) {
  const [basins, fill, describe, ...primitives] = await createAll([
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
    Kernel.createEach(gpu, fillClustersWgsl, ['placeBasins', 'findClusters', 'markGroups', 'describeGroups']),
    Kernel.createEach(gpu, describePointsWgsl, ['labelPoints', 'scorePoints']),
    RadixSort.create(gpu, {values: 'index'}),
    RadixSort.create(gpu, {key: 'u64', values: 'none'}),
    Compact.create(gpu, {values: 'index'}),
  ]);
  const [sort, wideSort, compact] = primitives;
  return {...basins, ...fill, ...describe, sort, wideSort, compact};
}
