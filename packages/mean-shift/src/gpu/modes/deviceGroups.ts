import {foldDispatch, Kernel, Owner, type GpuRun} from '@epsball/gpu';
import {RadixSort, RunLength} from '@epsball/gpu-primitives';
import type {MeanShiftPhase} from '../../algorithm.ts';
import {GROUPS_PER_BANDWIDTH} from '../../modes/modeGroups.ts';
import {mergeGroups, numberClusters, type MergedGroups} from '../../modes/mergeModes.ts';
import {joiningCells} from '../../modes/joinModes.ts';
import {finish} from '../../resumable.ts';
import type {Device} from '../device.ts';
import {VectorIndex} from '../points/vectorIndex.ts';
import type {VectorScale} from '../points/vectorScale.ts';
import {mergeOnDevice} from './deviceMerge.ts';
import {groupsWgsl} from './groups.wgsl.ts';

const KEY_BITS = 64;

/** The device merges so many groups or more. The host takes some microseconds for each. */
const MERGE_ON_DEVICE = 4096;

/** An index beyond 24 bits is not exact in float32. */
const INDEX_BITS = 24;

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

interface SortedGroups {
  /** First rank of each group, and its number of modes. */
  readonly starts: GPUBuffer;
  readonly sizes: GPUBuffer;
  /** Mode at each rank. */
  readonly sorted: GPUBuffer;
  readonly count: number;
}

/** Groups modes on the device, and merges or joins the groups. Labels stay on the device. */
export class DeviceGroups extends Owner {
  readonly #device: Device;
  readonly #sort: RadixSort<'u64'>;
  readonly #runs: RunLength<'u64'>;
  /** Of groups; that of the points is still in use. Created when it is first needed. */
  #index: VectorIndex | undefined;

  private constructor(device: Device, sort: RadixSort<'u64'>, runs: RunLength<'u64'>) {
    super();
    this.#device = device;
    this.#sort = this.own(sort);
    this.#runs = this.own(runs);
  }

  static async create(device: Device): Promise<DeviceGroups> {
    const [sort, runs] = await Promise.all([
      RadixSort.create(device.gpu, {key: 'u64', values: 'index'}),
      RunLength.create(device.gpu, {key: 'u64'}),
    ]);
    return new DeviceGroups(device, sort, runs);
  }

  /**
   * Labels by original index, in a buffer that is valid until the next run, and the centres; see `mergeModes`.
   * Undefined if keys of cells need more than 64 bits: in very wide boxes and in many dimensions.
   */
  async merge(
    modes: DeviceModes,
    run: GpuRun<MeanShiftPhase>,
  ): Promise<{labels: GPUBuffer; clusterCenters: Float64Array} | undefined> {
    const {gpu, scratch, params, uploader} = this.#device;
    const {m, positions, pointOrder, scale} = modes;
    const layout = layKeys(modes);
    if (layout === undefined) return undefined;
    const {starts, sizes, sorted, count} = await this.#group(modes, layout, run);
    const {blocks} = scale;
    const firstPoints = scratch.take('firstPoints', 4 * count);
    const means = scratch.take('groupMeans', 16 * blocks * count);
    // Enough invocations that the largest group, often far above the average, does not delay all others.
    const WIDTH = gpu.speed === 'software' ? 8 : m / count < 64 ? 64 : 256;
    const entryPoints = ['meanGroups', 'labelGroups'] as const;
    const {meanGroups, labelGroups} = await Kernel.createEach(gpu, groupsWgsl, entryPoints, {BLOCKS: blocks, WIDTH});
    const groupParams = params.write(groupsWgsl.structs.GroupParams, {groups: count, count: m});
    const shared = {starts, sorted, pointOrder, groupParams};
    run.submit('labels', meanGroups.encode({...shared, positions, firstPoints, means}, foldDispatch(count)));
    const groups = {starts, sizes, sorted, count, firsts: firstPoints, means};
    const {clusterOf, clusterCenters} = await this.#clusterGroups(modes, groups, run);
    const clusters = scratch.take('clusterOf', 4 * count);
    await uploader.upload(clusterOf, clusters);
    const labels = scratch.take('labels', 4 * m);
    run.submit('labels', labelGroups.encode({...shared, clusterOf: clusters, labels}, foldDispatch(count)));
    return {labels, clusterCenters};
  }

  /** Sorts the modes by cell and finds where each cell begins. Waits for the number of cells. */
  async #group(
    modes: DeviceModes,
    {bits, ...layout}: NonNullable<ReturnType<typeof layKeys>>,
    run: GpuRun<MeanShiftPhase>,
  ): Promise<SortedGroups> {
    const {gpu, scratch, params, reader} = this.#device;
    const {m, positions, dim, scale} = modes;
    const take = (what: string, words: number): GPUBuffer => scratch.take(what, 4 * words);
    const keys = take('keys', 2 * m);
    const writeKeys = await Kernel.create(gpu, groupsWgsl, 'writeKeys', {BLOCKS: scale.blocks});
    const keyParams = params.write(groupsWgsl.structs.KeyParams, {
      count: m,
      axes: dim,
      scale: cellsOf(modes) / (modes.bandwidth * scale.factor),
      origin: [...scale.min],
      ...layout,
    });
    const encodeKeys = writeKeys.encodeOver({positions, keys, keyParams}, m);
    const input = {keys, values: take('modeOrder', m)};
    const other = {keys: take('otherKeys', 2 * m), values: take('otherModeOrder', m)};
    const [starts, sizes, runCount] = [take('groupStarts', m), take('groupSizes', m), take('groupCount', 1)];
    this.#sort.reserve(m);
    let sorted = input;
    run.submit('labels', (pass) => {
      encodeKeys(pass);
      sorted = this.#sort.encode(pass, {input, other, count: m, endBit: bits});
      this.#runs.encode(pass, {keys: sorted.keys, starts, lengths: sizes, runCount, count: m});
    });
    const [count] = await reader.read(runCount, new Uint32Array(1));
    return {starts, sizes, sorted: sorted.values, count};
  }

  /** The device joins groups. Of many it finds the centres; few are merged on the host, which numbers clusters. */
  async #clusterGroups(
    {m, dim, scale, bandwidth, domains, positions}: DeviceModes,
    groups: SortedGroups & {readonly firsts: GPUBuffer; readonly means: GPUBuffer},
    run: GpuRun<MeanShiftPhase>,
  ): Promise<MergedGroups> {
    const {gpu, reader} = this.#device;
    const {count} = groups;
    const sizes = await reader.read(groups.sizes, new Int32Array(count));
    const means = await reader.read(groups.means, new Float32Array(4 * scale.blocks * count));
    const first = await reader.read(groups.firsts, new Int32Array(count));
    const read = {dim, sizes, first, sums: sumsOf(means, sizes, scale)};
    if (domains === undefined && count < MERGE_ON_DEVICE) return finish(mergeGroups(read, bandwidth));
    const index = (this.#index ??= this.own(await VectorIndex.create(this.#device)));
    const onDevice = {...groups, dim, scale, radius: bandwidth * scale.factor};
    if (domains === undefined) return numberClusters(read, await mergeOnDevice(this.#device, index, onDevice, run));
    // Loaded on demand: pages that do not ask for basins load less.
    const {joinOnDevice} = await import('./deviceJoin.ts');
    const width = gpu.speed === 'software' ? 8 : m < 64 * count ? 32 : 128;
    const toJoin = {...onDevice, positions, m, domains, width};
    return numberClusters(read, await joinOnDevice(this.#device, index, toJoin, run));
  }
}

/** Sums in the caller's coordinates, from means in device units. Plain loops: there may be millions of groups. */
function sumsOf(means: Float32Array, sizes: Int32Array, {center, factor, blocks}: VectorScale): Float64Array {
  const dim = center.length;
  const sums = new Float64Array(sizes.length * dim);
  for (let g = 0; g < sizes.length; g++) {
    for (let d = 0; d < dim; d++) sums[g * dim + d] = sizes[g] * (center[d] + means[4 * blocks * g + d] / factor);
  }
  return sums;
}

function cellsOf({domains}: DeviceModes): number {
  return domains === undefined ? GROUPS_PER_BANDWIDTH : joiningCells(domains);
}

/** Bits of each axis in the key, or undefined if they are too many. */
function layKeys(modes: DeviceModes) {
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
