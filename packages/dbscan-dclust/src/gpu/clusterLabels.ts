import {
  BatchPace,
  createAll,
  firstUnits,
  Kernel,
  LabelReadBack,
  Owner,
  packStruct,
  ReadBack,
  type ComingLabels,
  type Encode,
  type Gpu,
  type Scratch,
} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import {resolveCollisions} from '../collisionMatrix.ts';
import {bordersWgsl} from './borders.wgsl.ts';
import {stateOf, type Chains} from './chainSearch.ts';
import {clustersWgsl} from './clusters.wgsl.ts';
import {workgroupWidth} from './runBuffers.ts';
import {searchStructs} from './search.wgsl.ts';

const {Chain, Search} = searchStructs;
const {BorderSlice} = bordersWgsl.structs;

/** Workgroups that share contested border points, whose number only the device knows. */
const BORDER_GROUPS = {hardware: 1024, software: 8};
/** Contested border points of a dispatch: of the first, and at most. */
const FIRST_SLICE = {hardware: 2 ** 14, software: 2 ** 9};
/** Maximum comparisons of blocks of four axes in the first slice. */
const FIRST_COST = {hardware: 2 ** 36, software: 2 ** 28};
const MAX_SLICE = 2 ** 20;

/** Turns identities and collisions into labels: numbers clusters, then labels border points. */
export class ClusterLabels extends Owner {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #kernels: Awaited<ReturnType<typeof compile>>;
  readonly #reader: ReadBack;
  readonly #labelReadBack: LabelReadBack;

  private constructor(gpu: Gpu, scratch: Scratch, kernels: Awaited<ReturnType<typeof compile>>) {
    super();
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#kernels = kernels;
    this.own(kernels.scan);
    this.#reader = this.own(new ReadBack(gpu, 'dbscan-dclust/state'));
    this.#labelReadBack = this.own(new LabelReadBack(gpu, 'dbscan-dclust/labels'));
  }

  static async create(gpu: Gpu, scratch: Scratch): Promise<ClusterLabels> {
    return new ClusterLabels(gpu, scratch, await compile(gpu));
  }

  /** Resolves the collision matrix on the host (section 5.1). Returns the words that `label` uploads, one per row. */
  async resolve({buffers, chains}: Chains): Promise<Uint32Array<ArrayBuffer>> {
    const [step, owner] = [Chain.size / 4, Chain.fields.owner.offset / 4];
    const matrix = await this.#reader.read(buffers.collisionMatrix, new Uint32Array(buffers.collisionMatrix.size / 4));
    const rows = await this.#reader.read(buffers.search, new Uint32Array(step * chains), Search.fields.ofChain.offset);
    const owners = Uint32Array.from({length: chains}, (_, row) => rows[row * step + owner]);
    return resolveCollisions(matrix, owners);
  }

  /** Labels every point. Returns the labels on their way, and the words of the struct Search at the end. */
  async label(
    input: Chains,
    resolved: Uint32Array<ArrayBuffer>,
  ): Promise<{readonly coming: ComingLabels; readonly state: Uint32Array}> {
    const {buffers, points, run} = input;
    const own = this.#takeBuffers(points.n, resolved.byteLength);
    this.#gpu.device.queue.writeBuffer(own.resolved, 0, resolved);
    const clusters = this.#recordClusters(input, own);
    const [label, labelExactly] = this.#recordBorders(input, own);
    await run.makeRoom();
    const end = this.#firstSlice(points);
    this.#writeSlice(own.slice, 0, end);
    // Usually there are few contested points, these dispatches label all of them, and the labels come behind them.
    const coming = this.#askForLabels(input, own, (pass) => {
      clusters(pass);
      label(pass);
      labelExactly(pass);
    });
    const state = await this.#reader.read(buffers.search, new Uint32Array(Search.size / 4));
    const contested = stateOf(state, 'contestedLength');
    const open = stateOf(state, 'openLength');
    if (contested <= end && open <= end) return {coming, state};
    await coming.drop();
    await this.#labelRest(input, own.slice, label, end, contested);
    // Each slice may have added to the list of the exact kernel.
    await this.#reader.read(buffers.search, state);
    await this.#labelRest(input, own.slice, labelExactly, Math.min(end, open), stateOf(state, 'openLength'));
    return {coming: this.#askForLabels(input, own), state};
  }

  #takeBuffers(n: number, resolvedBytes: number) {
    const scratch = this.#scratch;
    return {
      resolved: scratch.take('resolved', resolvedBytes),
      lowest: scratch.take('lowest', 4 * n),
      firsts: scratch.take('firsts', 4 * n),
      ranks: scratch.take('ranks', 4 * n),
      // With the list of contested points behind them.
      labels: scratch.take('labels', 8 * n),
      coreMask: scratch.take('coreMask', n),
      slice: scratch.take('slice', BorderSlice.size),
    };
  }

  /** Labels the border points of a list from place `first` on, slice by slice. */
  async #labelRest(
    {points, run}: Chains,
    slice: GPUBuffer,
    label: Encode,
    first: number,
    length: number,
  ): Promise<void> {
    const pace = new BatchPace(this.#firstSlice(points), MAX_SLICE);
    for (let done = first; done < length;) {
      await run.makeRoom();
      const end = done + pace.next;
      this.#writeSlice(slice, done, end);
      run.submit('borders', label);
      await run.settle('borders');
      pace.look();
      done = end;
    }
  }

  /** Submits the commands of `encode`, and asks for the labels behind them. */
  #askForLabels({points, buffers, run}: Chains, own: OwnBuffers, encode?: Encode): ComingLabels {
    const {device} = this.#gpu;
    const encoder = device.createCommandEncoder();
    if (encode) run.record(encoder, 'borders', encode);
    const clusterCount = {buffer: buffers.search, offset: Search.fields.clusters.offset};
    const ask = this.#labelReadBack.encode(encoder, points.n, {...own, clusterCount});
    device.queue.submit([encoder.finish()]);
    return ask();
  }

  #firstSlice({n, dim}: Chains['points']): number {
    return firstUnits(this.#gpu.pick(FIRST_SLICE), n * Math.ceil(dim / 4), this.#gpu.pick(FIRST_COST));
  }

  #writeSlice(slice: GPUBuffer, first: number, end: number): void {
    this.#gpu.device.queue.writeBuffer(slice, 0, packStruct(BorderSlice, {first, end}));
  }

  #recordClusters({points: {n, pointOrder}, buffers, chains}: Chains, own: OwnBuffers): Encode {
    const {scan, applyCollisions, clearClusters, findLowest, markFirsts, writeLabels} = this.#kernels;
    const bound = {...buffers, ...own, pointOrder};
    const before = [
      applyCollisions.encodeOver(bound, chains),
      ...[clearClusters, findLowest, markFirsts].map((kernel) => kernel.encodeOver(bound, n)),
    ];
    const after = writeLabels.encodeOver(bound, n);
    return (pass) => {
      for (const encode of before) encode(pass);
      scan.encode(pass, {input: own.firsts, output: own.ranks, count: n});
      after(pass);
    };
  }

  /** The passes over the contested border points: all of them, then those with undecided pairs. */
  #recordBorders({points: {pointOrder, wideCoords, directory}, buffers}: Chains, own: OwnBuffers): [Encode, Encode] {
    const {label, labelExactly} = this.#kernels;
    const bound = {...buffers, ...directory, labels: own.labels, slice: own.slice, pointOrder, wideCoords};
    const count = this.#gpu.pick(BORDER_GROUPS);
    return [label.encode(bound, [count, 1, 1]), labelExactly.encode(bound, [count, 1, 1])];
  }
}

async function compile(gpu: Gpu) {
  const WIDTH = workgroupWidth(gpu);
  const entryPoints = ['applyCollisions', 'clearClusters', 'findLowest', 'markFirsts', 'writeLabels'] as const;
  const [scan, clusters, label, labelExactly] = await createAll([
    Scan.create(gpu),
    Kernel.createEach(gpu, clustersWgsl, entryPoints),
    Kernel.create(gpu, bordersWgsl, 'labelBorders', {WIDTH, IS_EXACT: false}),
    Kernel.create(gpu, bordersWgsl, 'labelBorders', {WIDTH, IS_EXACT: true}),
  ]);
  return {scan, ...clusters, label, labelExactly};
}

type OwnBuffers = Readonly<
  Record<'labels' | 'coreMask' | 'resolved' | 'lowest' | 'firsts' | 'ranks' | 'slice', GPUBuffer>
>;
