import {foldDispatch, Kernel, ParamRing, ReadBack, Uploader, type Gpu, type GpuRun, type Scratch} from '@epsball/gpu';
import {RadixSort, RunLength} from '@epsball/gpu-primitives';
import type {MeanShiftPhase} from '../../algorithm.ts';
import {GROUPS_PER_BANDWIDTH} from '../../modes/modeGroups.ts';
import {
  mergeGroups,
  numberClusters,
  type GroupSums,
  type MergedGroups,
  type NumberedGroups,
} from '../../modes/mergeModes.ts';
import {joiningCells} from '../../modes/joinModes.ts';
import type {DeviceJoin, GroupsToJoin} from './deviceJoin.ts';
import {DeviceMerge, type GroupsToMerge} from './deviceMerge.ts';
import {groupsWgsl} from './groups.wgsl.ts';
import {finish} from '../../resumable.ts';
import type {VectorScale} from '../points/vectorScale.ts';

/** Bits of a sortable key. */
const KEY_BITS = 64;

/** The device merges so many groups or more. The host takes some microseconds for each. */
const MERGE_ON_DEVICE = 4096;

/** An index beyond 24 bits is not exact in float32. */
const INDEX_BITS = 24;

/** Modes on the device. */
export interface DeviceModes {
  readonly positions: GPUBuffer;
  /** Original index of each position. */
  readonly pointOrder: GPUBuffer;
  readonly m: number;
  readonly dim: number;
  readonly scale: VectorScale;
  readonly bandwidth: number;
  /** Domains in which near modes are joined. Undefined: modes are merged. */
  readonly domains?: readonly number[] | undefined;
}

/** Bits of each axis in the key of a cell. */
interface KeyLayout {
  readonly shift: readonly number[];
  readonly largest: readonly number[];
  readonly bits: number;
}

/** Merges modes on the device. Only their groups come to the host, and labels stay on the device. */
export class DeviceGroups {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;
  readonly #reader: ReadBack;
  readonly #uploader: Uploader;
  readonly #sort: RadixSort<'u64'>;
  readonly #runs: Pick<RunLength, 'encode' | 'destroy'>;
  /** Created when it is first needed. */
  #merge: DeviceMerge | undefined;
  #join: DeviceJoin | undefined;

  private constructor(gpu: Gpu, scratch: Scratch, sort: RadixSort<'u64'>, runs: Pick<RunLength, 'encode' | 'destroy'>) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#params = new ParamRing(gpu, 'mean-shift/groups.params', 8);
    this.#reader = new ReadBack(gpu, 'mean-shift/groups');
    this.#uploader = new Uploader(gpu, 'mean-shift/groups');
    this.#sort = sort;
    this.#runs = runs;
  }

  static async create(gpu: Gpu, scratch: Scratch): Promise<DeviceGroups> {
    const [sort, runs] = await Promise.all([
      RadixSort.create(gpu, {key: 'u64', values: 'index'}),
      RunLength.create(gpu, {key: 'u64'}),
    ]);
    return new DeviceGroups(gpu, scratch, sort, runs);
  }

  /** Whether the cells of groups have keys of 64 bits. They have not in very wide boxes and in many dimensions. */
  canMerge(modes: DeviceModes): boolean {
    return layKeys(modes) !== undefined;
  }

  /**
   * Groups and merges modes, or joins them; see `mergeModes` and `joinModesResumably`.
   *
   * @returns  labels by original index, in a buffer that is valid until the next run, and the centres
   */
  async merge(
    modes: DeviceModes,
    run: GpuRun<MeanShiftPhase>,
  ): Promise<{labels: GPUBuffer; clusterCenters: Float64Array}> {
    const {m, positions, pointOrder, dim, scale} = modes;
    const {starts, lengths, sorted, groups} = await this.#group(modes, run);
    const {blocks} = scale;
    const firstPoints = this.#scratch.take('firstPoints', 4 * groups);
    const means = this.#scratch.take('groupMeans', 16 * blocks * groups);
    const WIDTH = this.#widthFor(m / groups);
    const [meanGroups, labelGroups] = await Promise.all([
      Kernel.create(this.#gpu, groupsWgsl, 'meanGroups', {BLOCKS: blocks, WIDTH}),
      Kernel.create(this.#gpu, groupsWgsl, 'labelGroups', {WIDTH}),
    ]);
    const groupParams = this.#params.write(groupsWgsl.structs.GroupParams, {groups, count: m});
    const shared = {starts, sorted, pointOrder, groupParams};
    const averaging = meanGroups.bind({...shared, positions, firstPoints, means});
    run.submit('labels', (pass) => meanGroups.dispatch(pass, averaging, foldDispatch(groups)));
    const read = await this.#readGroups({starts, means, firstPoints}, groups, modes);
    const onDevice = {means, sizes: lengths, firsts: firstPoints, count: groups, dim, scale};
    const {clusterOf, clusterCenters} =
      modes.domains === undefined
        ? await this.#mergeGroups(read, onDevice, modes.bandwidth, run)
        : numberOnDevice(read, await this.#joinGroups(modes, {starts, sorted, means, count: groups}, run), scale);
    const clusters = this.#scratch.take('clusterOf', 4 * groups);
    await this.#uploader.upload(clusterOf, clusters);
    const labels = this.#scratch.take('labels', 4 * m);
    const labelling = labelGroups.bind({...shared, clusterOf: clusters, labels});
    run.submit('labels', (pass) => labelGroups.dispatch(pass, labelling, foldDispatch(groups)));
    return {labels, clusterCenters};
  }

  /** Sorts the modes by cell and finds where each cell begins. Waits for the number of cells. */
  async #group(
    modes: DeviceModes,
    run: GpuRun<MeanShiftPhase>,
  ): Promise<{starts: GPUBuffer; lengths: GPUBuffer; sorted: GPUBuffer; groups: number}> {
    const {m, positions, dim, scale} = modes;
    const layout = layKeys(modes);
    if (layout === undefined) throw new Error('merge() of modes whose keys are too long');
    const take = (what: string, words: number): GPUBuffer => this.#scratch.take(what, 4 * words);
    const keys = take('keys', 2 * m);
    const writeKeys = await Kernel.create(this.#gpu, groupsWgsl, 'writeKeys', {BLOCKS: scale.blocks});
    const keyParams = this.#params.write(groupsWgsl.structs.KeyParams, {
      count: m,
      axes: dim,
      scale: cellsOf(modes) / (modes.bandwidth * scale.factor),
      origin: [...scale.min],
      shift: layout.shift,
      largest: layout.largest,
    });
    const keying = writeKeys.bind({positions, keys, keyParams});
    const input = {keys, values: take('modeOrder', m)};
    const other = {keys: take('otherKeys', 2 * m), values: take('otherModeOrder', m)};
    const starts = take('groupStarts', m);
    const lengths = take('groupLengths', m);
    const runCount = take('groupCount', 1);
    this.#sort.reserve(m);
    let sorted = input;
    run.submit('labels', (pass) => {
      writeKeys.dispatchOver(pass, keying, m);
      sorted = this.#sort.encode(pass, {input, other, count: m, endBit: layout.bits});
      this.#runs.encode(pass, {keys: sorted.keys, starts, lengths, runCount, count: m});
    });
    const count = new Uint32Array(1);
    await this.#reader.read(runCount, count);
    return {starts, lengths, sorted: sorted.values, groups: count[0]};
  }

  /**
   * Merges few groups on the host. Of many groups the device finds the centres, and the host only numbers the clusters.
   */
  async #mergeGroups(
    groups: NumberedGroups,
    onDevice: Omit<GroupsToMerge, 'radius'>,
    bandwidth: number,
    run: GpuRun<MeanShiftPhase>,
  ): Promise<MergedGroups> {
    if (onDevice.count < MERGE_ON_DEVICE) return finish(mergeGroups(sumsOf(groups, onDevice.scale), bandwidth));
    this.#merge ??= await DeviceMerge.create(this.#gpu);
    const radius = bandwidth * onDevice.scale.factor;
    return numberOnDevice(groups, await this.#merge.run({...onDevice, radius}, run), onDevice.scale);
  }

  /** For each group: a group of its cluster. */
  async #joinGroups(
    {positions, m, scale, bandwidth, domains = []}: DeviceModes,
    groups: Pick<GroupsToJoin, 'starts' | 'sorted' | 'means' | 'count'>,
    run: GpuRun<MeanShiftPhase>,
  ): Promise<Int32Array> {
    // Loaded on demand: pages that do not ask for basins load less.
    this.#join ??= await (await import('./deviceJoin.ts')).DeviceJoin.create(this.#gpu);
    const radius = bandwidth * scale.factor;
    const width = this.#gpu.speed === 'software' ? 8 : m < 64 * groups.count ? 32 : 128;
    return this.#join.run({...groups, positions, m, domains, scale, radius, width}, run);
  }

  /** Invocations for a group: enough that the largest group, often far above the average, does not delay all others. */
  #widthFor(averageSize: number): number {
    if (this.#gpu.speed === 'software') return 8;
    return averageSize < 64 ? 64 : 256;
  }

  async #readGroups(
    buffers: {starts: GPUBuffer; means: GPUBuffer; firstPoints: GPUBuffer},
    groups: number,
    {m, dim, scale}: DeviceModes,
  ): Promise<NumberedGroups> {
    const {blocks} = scale;
    const starts = new Int32Array(groups);
    const means = new Float32Array(4 * blocks * groups);
    const first = new Int32Array(groups);
    await this.#reader.read(buffers.starts, starts);
    await this.#reader.read(buffers.means, means);
    await this.#reader.read(buffers.firstPoints, first);
    // With millions of groups plain loops are ten times as fast as callbacks.
    const sizes = new Int32Array(groups);
    for (let g = 0; g < groups; g++) sizes[g] = (g + 1 < groups ? starts[g + 1] : m) - starts[g];
    return {dim, sizes, first, values: means, stride: 4 * blocks, areMeans: true};
  }

  destroy(): void {
    this.#merge?.destroy();
    this.#join?.destroy();
    this.#params.destroy();
    this.#reader.destroy();
    this.#uploader.destroy();
    this.#sort.destroy();
    this.#runs.destroy();
  }
}

/** Sums in the caller's coordinates, from means in device units. */
function sumsOf(groups: NumberedGroups, {center, factor}: VectorScale): GroupSums {
  const {dim, sizes, first, values, stride} = groups;
  const sums = new Float64Array(sizes.length * dim);
  for (let g = 0; g < sizes.length; g++) {
    for (let d = 0; d < dim; d++) sums[g * dim + d] = sizes[g] * (center[d] + values[g * stride + d] / factor);
  }
  return {dim, sums, sizes, first};
}

/** Clusters of groups with means in device units. */
function numberOnDevice(groups: NumberedGroups, owner: Int32Array, {center, factor}: VectorScale): MergedGroups {
  const numbered = numberClusters(groups, owner);
  return {
    ...numbered,
    clusterCenters: numbered.clusterCenters.map((x, k) => center[k % groups.dim] + x / factor),
  };
}

/** Cells of groups in a bandwidth. */
function cellsOf({domains}: DeviceModes): number {
  return domains === undefined ? GROUPS_PER_BANDWIDTH : joiningCells(domains);
}

/** Bits of each axis in the key, or undefined if they are too many. */
function layKeys(modes: DeviceModes): KeyLayout | undefined {
  const {dim, scale, bandwidth} = modes;
  const shift: number[] = [];
  const largest: number[] = [];
  let bits = 0;
  for (let d = 0; d < dim; d++) {
    const cells = ((scale.max[d] - scale.min[d]) / scale.factor / bandwidth) * cellsOf(modes);
    const ownBits = Math.max(1, Math.ceil(Math.log2(cells + 2)));
    if (ownBits > INDEX_BITS || bits + ownBits > KEY_BITS) return undefined;
    shift.push(bits);
    largest.push(2 ** ownBits - 1);
    bits += ownBits;
  }
  return {shift, largest, bits};
}
