import {Kernel, Reader, wordOf, type DeviceTimer, type Gpu, type Scratch} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import {resolveCollisions} from '../collisionMatrix.ts';
import {bordersWgsl} from './borders.wgsl.ts';
import {clustersWgsl} from './clusters.wgsl.ts';
import {DIRECTORY_OVERRIDES, type IndexedPoints} from './indexedPoints.ts';
import {matrixWords, workgroupWidth, type RunBuffers} from './runBuffers.ts';
import {searchStructs} from './search.wgsl.ts';
import type {TimedPart} from './timedParts.ts';

const {Chain} = searchStructs;

/** Workgroups that stride over contested border points, whose number only the device knows. */
const BORDER_GROUPS = {hardware: 1024, software: 8};

/** What labelling one run needs, after its search. */
export interface LabelInput {
  readonly points: IndexedPoints;
  readonly buffers: RunBuffers;
  /** p */
  readonly chains: number;
  readonly timer: DeviceTimer<TimedPart>;
}

/** Labels on the device, by point. */
export interface DeviceLabels {
  readonly labels: GPUBuffer;
  /** One byte a point, four to a word. */
  readonly coreMask: GPUBuffer;
}

/** From identities and collisions to labels: clusters numbered by their smallest core point, then borders. */
export class ClusterLabels implements Disposable {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #scan: Scan;
  readonly #reader: Reader;

  private constructor(gpu: Gpu, scratch: Scratch, scan: Scan) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#scan = scan;
    this.#reader = new Reader(gpu, 'dbscan-dclust/labels');
  }

  /** @param scratch  borrowed */
  static async create(gpu: Gpu, scratch: Scratch): Promise<ClusterLabels> {
    return new ClusterLabels(gpu, scratch, await Scan.create(gpu));
  }

  /**
   * Resolves the collision matrix on the host (section 5.1).
   *
   * @returns  the words that `label` uploads, one a row
   */
  async resolve({buffers, chains}: LabelInput): Promise<Uint32Array<ArrayBuffer>> {
    const matrix = new Uint32Array(matrixWords(chains));
    const rows = new Uint32Array((Chain.size / 4) * chains);
    await this.#reader.read(buffers.collisionMatrix, matrix);
    await this.#reader.read(buffers.chains, rows);
    const owners = Uint32Array.from(
      {length: chains},
      (_, row) => rows[(row * Chain.size) / 4 + wordOf(Chain, 'owner')],
    );
    return resolveCollisions(matrix, owners);
  }

  /** Labels every point. Submits; reads nothing back. */
  async label(input: LabelInput, resolved: Uint32Array<ArrayBuffer>): Promise<DeviceLabels> {
    const {points, timer} = input;
    const {n} = points;
    const take = (what: string, bytes: number): GPUBuffer => this.#scratch.take(what, bytes);
    const own = {
      resolved: take('resolved', resolved.byteLength),
      lowest: take('lowest', 4 * n),
      firsts: take('firsts', 4 * n),
      ranks: take('ranks', 4 * n),
      labels: take('labels', 4 * n),
      coreMask: take('coreMask', n),
      contested: take('contested', 4 * n),
    };
    this.#gpu.device.queue.writeBuffer(own.resolved, 0, resolved);
    const record = [await this.#recordClusters(input, own), await this.#recordBorders(input, own)];
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = timer.beginPass(encoder, 'borders');
    for (const encode of record) encode(pass);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
    return own;
  }

  async #recordClusters({points, buffers, chains}: LabelInput, own: OwnBuffers): Promise<Encode> {
    const {n} = points;
    const names = ['clearClusters', 'findLowest', 'markFirsts', 'writeLabels'] as const;
    const apply = await Kernel.create(this.#gpu, clustersWgsl, 'applyCollisions');
    const [clear, find, mark, write] = await Promise.all([
      Kernel.create(this.#gpu, clustersWgsl, names[0]),
      Kernel.create(this.#gpu, clustersWgsl, names[1]),
      Kernel.create(this.#gpu, clustersWgsl, names[2]),
      Kernel.create(this.#gpu, clustersWgsl, names[3]),
    ]);
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

  async #recordBorders({points, buffers}: LabelInput, own: OwnBuffers): Promise<Encode> {
    const {wideCoords, directory} = points;
    const WIDTH = workgroupWidth(this.#gpu);
    const [label, labelExactly] = await Promise.all([
      Kernel.create(this.#gpu, bordersWgsl, 'labelBorders', {...DIRECTORY_OVERRIDES, WIDTH, IS_EXACT: false}),
      Kernel.create(this.#gpu, bordersWgsl, 'labelBorders', {...DIRECTORY_OVERRIDES, WIDTH, IS_EXACT: true}),
    ]);
    const bound = {
      ...buffers,
      ...directory,
      labels: own.labels,
      contested: own.contested,
      // Free by now.
      open: own.firsts,
      pointOrder: points.pointOrder ?? points.coords,
      wideCoords: wideCoords ?? points.coords,
    };
    const [group, exactGroup] = [label.bind(bound), labelExactly.bind(bound)];
    const count = BORDER_GROUPS[this.#gpu.info.kind === 'hardware' ? 'hardware' : 'software'];
    return (pass) => {
      label.dispatch(pass, group, [count, 1, 1]);
      labelExactly.dispatch(pass, exactGroup, [count, 1, 1]);
    };
  }

  destroy(): void {
    this.#scan.destroy();
    this.#reader.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

type Encode = (pass: GPUComputePassEncoder) => void;

interface OwnBuffers extends DeviceLabels {
  readonly resolved: GPUBuffer;
  readonly lowest: GPUBuffer;
  readonly firsts: GPUBuffer;
  readonly ranks: GPUBuffer;
  readonly contested: GPUBuffer;
}
