import type {DbscanPhase} from '@epsball/clustering';
import {
  BatchPace,
  createAll,
  firstUnits,
  Kernel,
  LabelReadBack,
  packStruct,
  ReadBack,
  wordOf,
  type ComingLabels,
  type Encode,
  type Gpu,
  type GpuRun,
  type Scratch,
} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import {resolveCollisions} from '../collisionMatrix.ts';
import {bordersWgsl} from './borders.wgsl.ts';
import {clustersWgsl} from './clusters.wgsl.ts';
import {DIRECTORY_OVERRIDES, type IndexedPoints} from './indexedPoints.ts';
import {matrixWords, workgroupWidth, type RunBuffers} from './runBuffers.ts';
import {searchStructs} from './search.wgsl.ts';
import type {TimedPart} from './timedParts.ts';

const {Chain, Search} = searchStructs;
const {BorderSlice} = bordersWgsl.structs;

/** Workgroups that share contested border points, whose number only the device knows. */
const BORDER_GROUPS = {hardware: 1024, software: 8};
/** Contested border points of a dispatch: of the first, and at most. */
const FIRST_SLICE = {hardware: 2 ** 14, software: 2 ** 9};
/** Maximum comparisons of blocks of four axes in the first slice. */
const FIRST_COST = {hardware: 2 ** 36, software: 2 ** 28};
const MAX_SLICE = 2 ** 20;

/** Input of the labelling of one run, after its search. */
export interface LabelInput {
  readonly points: IndexedPoints;
  readonly buffers: RunBuffers;
  /** p */
  readonly chains: number;
  readonly run: GpuRun<DbscanPhase, TimedPart>;
}

/** The outcome of the labelling. */
export interface Labelled {
  readonly coming: ComingLabels;
  /** Words of the struct Search at the end. */
  readonly state: Uint32Array;
}

/**
 * Turns identities and collisions into labels: numbers clusters by their smallest core point, then labels border
 * points.
 */
export class ClusterLabels implements Disposable {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #scan: Scan;
  readonly #kernels: LabelKernels;
  readonly #reader: ReadBack;
  readonly #rowReader: ReadBack;
  readonly #labelReadBack: LabelReadBack;

  private constructor(gpu: Gpu, scratch: Scratch, scan: Scan, kernels: LabelKernels) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#scan = scan;
    this.#kernels = kernels;
    this.#reader = new ReadBack(gpu, 'dbscan-dclust/state');
    this.#rowReader = new ReadBack(gpu, 'dbscan-dclust/rows');
    this.#labelReadBack = new LabelReadBack(gpu, 'dbscan-dclust/labels');
  }

  /**
   * Compiles the pipelines.
   *
   * @param scratch  borrowed
   */
  static async create(gpu: Gpu, scratch: Scratch): Promise<ClusterLabels> {
    const borders = {...DIRECTORY_OVERRIDES, WIDTH: workgroupWidth(gpu)};
    const [scan, apply, clear, find, mark, write, label, labelExactly] = await createAll([
      Scan.create(gpu),
      Kernel.create(gpu, clustersWgsl, 'applyCollisions'),
      Kernel.create(gpu, clustersWgsl, 'clearClusters'),
      Kernel.create(gpu, clustersWgsl, 'findLowest'),
      Kernel.create(gpu, clustersWgsl, 'markFirsts'),
      Kernel.create(gpu, clustersWgsl, 'writeLabels'),
      Kernel.create(gpu, bordersWgsl, 'labelBorders', {...borders, IS_EXACT: false}),
      Kernel.create(gpu, bordersWgsl, 'labelBorders', {...borders, IS_EXACT: true}),
    ]);
    return new ClusterLabels(gpu, scratch, scan, {apply, clear, find, mark, write, label, labelExactly});
  }

  /**
   * Resolves the collision matrix on the host (section 5.1).
   *
   * @returns  the words that `label` uploads, one per row
   */
  async resolve({buffers, chains}: LabelInput): Promise<Uint32Array<ArrayBuffer>> {
    const matrix = new Uint32Array(matrixWords(chains));
    const rows = new Uint32Array((Chain.size / 4) * chains);
    await Promise.all([
      this.#reader.read(buffers.collisionMatrix, matrix),
      this.#rowReader.read(buffers.search, rows, Search.fields.ofChain.offset),
    ]);
    const owners = new Uint32Array(chains);
    const [step, owner] = [Chain.size / 4, wordOf(Chain, 'owner')];
    for (let row = 0; row < chains; row++) owners[row] = rows[row * step + owner];
    return resolveCollisions(matrix, owners);
  }

  /**
   * Labels every point, and asks for the labels.
   *
   * @throws RunAbortedError  between two slices of border points
   */
  async label(input: LabelInput, resolved: Uint32Array<ArrayBuffer>): Promise<Labelled> {
    const {buffers, points, run} = input;
    const own = this.#takeBuffers(points.n, resolved.byteLength);
    this.#gpu.device.queue.writeBuffer(own.resolved, 0, resolved);
    const clusters = this.#recordClusters(input, own);
    const borders = this.#recordBorders(input, own);
    await run.makeRoom();
    const end = this.#firstSlice(points);
    this.#writeSlice(own, {first: 0, end});
    // Usually there are few contested points, these dispatches label all of them, and the labels come behind them.
    const coming = this.#askForLabels(input, own, (pass) => {
      clusters(pass);
      borders.label(pass);
      borders.labelExactly(pass);
    });
    const state = new Uint32Array(Search.size / 4);
    await this.#reader.read(buffers.search, state);
    const contested = state[wordOf(Search, 'contestedLength')];
    const open = state[wordOf(Search, 'openLength')];
    if (contested <= end && open <= end) return {coming, state};
    await coming.drop();
    // Each slice may add to the list of the exact kernel.
    if (contested > end) {
      await this.#labelRest(input, own, borders.label, end, contested);
      await this.#reader.read(buffers.search, state);
    }
    await this.#labelRest(input, own, borders.labelExactly, Math.min(end, open), state[wordOf(Search, 'openLength')]);
    return {coming: this.#askForLabels(input, own), state};
  }

  #takeBuffers(n: number, resolvedBytes: number): OwnBuffers {
    const take = (what: string, bytes: number): GPUBuffer => this.#scratch.take(what, bytes);
    return {
      resolved: take('resolved', resolvedBytes),
      lowest: take('lowest', 4 * n),
      firsts: take('firsts', 4 * n),
      ranks: take('ranks', 4 * n),
      labels: take('labels', 8 * n),
      coreMask: take('coreMask', n),
      slice: take('slice', BorderSlice.size),
    };
  }

  /** Labels the border points of a list from place `first` on, slice by slice. */
  async #labelRest(
    {points, run}: LabelInput,
    own: OwnBuffers,
    label: Encode,
    first: number,
    length: number,
  ): Promise<void> {
    const pace = new BatchPace(this.#firstSlice(points), MAX_SLICE);
    for (let done = first; done < length;) {
      await run.makeRoom();
      const end = done + pace.next;
      this.#writeSlice(own, {first: done, end});
      run.submit('borders', label);
      await run.settle('borders');
      pace.look();
      done = end;
    }
  }

  /** Submits the commands of `encode`, and asks for the labels behind them. */
  #askForLabels({points, buffers, run}: LabelInput, own: OwnBuffers, encode?: Encode): ComingLabels {
    const {device} = this.#gpu;
    const encoder = device.createCommandEncoder();
    if (encode) run.record(encoder, 'borders', encode);
    const clusterCount = {buffer: buffers.search, offset: Search.fields.clusters.offset};
    const ask = this.#labelReadBack.encode(encoder, points.n, {...own, clusterCount});
    device.queue.submit([encoder.finish()]);
    return ask();
  }

  #firstSlice({n, dim}: IndexedPoints): number {
    return firstUnits(this.#gpu.pick(FIRST_SLICE), n * Math.ceil(dim / 4), this.#gpu.pick(FIRST_COST));
  }

  #writeSlice(own: OwnBuffers, slice: Slice): void {
    this.#gpu.device.queue.writeBuffer(own.slice, 0, packStruct(BorderSlice, slice));
  }

  #recordClusters({points, buffers, chains}: LabelInput, own: OwnBuffers): Encode {
    const {n} = points;
    const {apply, clear, find, mark, write} = this.#kernels;
    const bound = {...buffers, ...own, pointOrder: points.pointOrder ?? points.coords};
    const groups = [apply.bind(bound), clear.bind(bound), find.bind(bound), mark.bind(bound), write.bind(bound)];
    return (pass) => {
      apply.dispatchOver(pass, groups[0], chains);
      clear.dispatchOver(pass, groups[1], n);
      find.dispatchOver(pass, groups[2], n);
      mark.dispatchOver(pass, groups[3], n);
      this.#scan.encode(pass, {input: own.firsts, output: own.ranks, count: n});
      write.dispatchOver(pass, groups[4], n);
    };
  }

  #recordBorders({points, buffers}: LabelInput, own: OwnBuffers): {label: Encode; labelExactly: Encode} {
    const {wideCoords, directory} = points;
    const {label, labelExactly} = this.#kernels;
    const bound = {
      ...buffers,
      ...directory,
      labels: own.labels,
      slice: own.slice,
      pointOrder: points.pointOrder ?? points.coords,
      wideCoords: wideCoords ?? points.coords,
    };
    const [group, exactGroup] = [label.bind(bound), labelExactly.bind(bound)];
    const count = this.#gpu.pick(BORDER_GROUPS);
    return {
      label: (pass) => label.dispatch(pass, group, [count, 1, 1]),
      labelExactly: (pass) => labelExactly.dispatch(pass, exactGroup, [count, 1, 1]),
    };
  }

  destroy(): void {
    this.#scan.destroy();
    this.#reader.destroy();
    this.#rowReader.destroy();
    this.#labelReadBack.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

interface Slice {
  readonly first: number;
  readonly end: number;
}

interface LabelKernels {
  readonly apply: Kernel<typeof clustersWgsl, 'applyCollisions'>;
  readonly clear: Kernel<typeof clustersWgsl, 'clearClusters'>;
  readonly find: Kernel<typeof clustersWgsl, 'findLowest'>;
  readonly mark: Kernel<typeof clustersWgsl, 'markFirsts'>;
  readonly write: Kernel<typeof clustersWgsl, 'writeLabels'>;
  readonly label: Kernel<typeof bordersWgsl, 'labelBorders'>;
  readonly labelExactly: Kernel<typeof bordersWgsl, 'labelBorders'>;
}

interface OwnBuffers {
  /** With the list of contested points behind the labels. */
  readonly labels: GPUBuffer;
  readonly coreMask: GPUBuffer;
  readonly slice: GPUBuffer;
  readonly resolved: GPUBuffer;
  readonly lowest: GPUBuffer;
  readonly firsts: GPUBuffer;
  readonly ranks: GPUBuffer;
}
