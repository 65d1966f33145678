import type {DbscanPhase} from '@epsball/clustering';
import {
  Kernel,
  ParamRing,
  ReadBack,
  Scratch,
  type ComingParts,
  type DeviceTimer,
  type Gpu,
  type ReadBackPart,
} from '@epsball/gpu';
import type {UncountedGraph} from '@epsball/neighbor-graph';
import {ClusteredRows} from './clusteredRows.ts';
import {corePackingWgsl} from './corePacking.wgsl.ts';
import type {PreparedRun} from './runMemory.ts';

/** What the threads must know of the rows, on its way to the host: order and core flags in one word each, and where rows begin. */
export interface ComingArrays {
  readonly bytes: number;
  /** Waits, and copies it to shared memory. */
  take(prepared: PreparedRun): Promise<void>;
}

/** The same of core and border points alone, with their edges, whose columns are among these rows. */
export interface ComingRows {
  readonly bytes: number;
  /** Most edges that come. */
  readonly room: number;
  /**
   * Waits, and copies it to shared memory.
   *
   * @param edges  receives all edges
   * @returns      rows, and when they were there to be copied, in `performance.now()`
   */
  take(prepared: PreparedRun, edges: Int32Array): Promise<{readonly rowCount: number; readonly arrivedAt: number}>;
  /** Waits, and lets it go: there are more edges. */
  drop(): Promise<void>;
}

type Timer = DeviceTimer<DbscanPhase>;

/** Brings what the threads must know of the rows to the host in one go, and edges that are there already. */
export class GraphArrays implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernel: Kernel<typeof corePackingWgsl, 'packPoints'>;
  readonly #clustered: ClusteredRows;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #readBack: ReadBack;

  private constructor(gpu: Gpu, kernel: Kernel<typeof corePackingWgsl, 'packPoints'>, clustered: ClusteredRows) {
    this.#gpu = gpu;
    this.#kernel = kernel;
    this.#clustered = clustered;
    this.#params = new ParamRing(gpu, 'dbscan-hybrid/params', 4);
    this.#scratch = new Scratch(gpu, 'dbscan-hybrid/points');
    this.#readBack = new ReadBack(gpu, 'dbscan-hybrid/graph');
  }

  static async create(gpu: Gpu): Promise<GraphArrays> {
    const kernel = await Kernel.create(gpu, corePackingWgsl, 'packPoints');
    return new GraphArrays(gpu, kernel, await ClusteredRows.create(gpu));
  }

  /** Has the device send them; submits. */
  ask({n, minPts, pointOrder, degrees, rowStart}: Omit<UncountedGraph, 'edges'>, timer: Timer): ComingArrays {
    const coming = this.#send(timer, (pass) => {
      const packed = this.#scratch.take('packed', 4 * n);
      const params = this.#params.write(corePackingWgsl.structs.PackParams, {n, minPts});
      this.#kernel.dispatchOver(pass, this.#kernel.bind({params, pointOrder, degrees, packed}), n);
      return [
        {source: packed, bytes: 4 * n},
        {source: rowStart, bytes: 4 * (n + 1)},
      ];
    });
    return {
      bytes: 4 * n + 4 * (n + 1),
      take: (prepared) =>
        coming.take((memory, [order, starts]) => {
          prepared.pointOrder.set(new Int32Array(memory, order, n));
          prepared.rowStart.set(new Uint32Array(memory, starts, n + 1));
        }),
    };
  }

  /**
   * Has the device send rows and edges; submits.
   *
   * @param edges  of all rows; their columns change
   * @param room   most edges that may come
   */
  askForRows(graph: UncountedGraph, edges: GPUBuffer, room: number, timer: Timer): ComingRows {
    const {n} = graph;
    const coming = this.#send(timer, (pass) => this.#clustered.encode(pass, graph, edges, room));
    return {
      bytes: 4 + 4 * n + 4 * (n + 1) + 4 * room,
      room,
      take: (prepared, into) =>
        coming.take((memory, [count, order, starts, columns]) => {
          const arrivedAt = performance.now();
          const rowCount = new Uint32Array(memory, count, 1)[0];
          prepared.pointOrder.set(new Int32Array(memory, order, rowCount));
          prepared.rowStart.set(new Uint32Array(memory, starts, rowCount + 1));
          into.set(new Int32Array(memory, columns, into.length));
          return {rowCount, arrivedAt};
        }),
      drop: () => coming.drop(),
    };
  }

  /** The device's times so far come along. */
  #send(
    timer: Timer,
    record: (pass: GPUComputePassEncoder) => readonly ReadBackPart[],
  ): Pick<ComingParts, 'take' | 'drop'> {
    const {device} = this.#gpu;
    const encoder = device.createCommandEncoder();
    const pass = timer.beginPass(encoder, 'core');
    const parts = record(pass);
    pass.end();
    const stamps = timer.encodeStamps(encoder);
    const ask = this.#readBack.encode(encoder, stamps ? [...parts, stamps] : parts);
    device.queue.submit([encoder.finish()]);
    const coming = ask();
    return {
      take: (copy) =>
        coming.take((memory, starts) => {
          if (stamps) timer.keep(new BigInt64Array(memory, starts[parts.length], stamps.bytes / 8));
          return copy(memory, starts);
        }),
      drop: () => coming.drop(),
    };
  }

  destroy(): void {
    for (const owned of [this.#clustered, this.#params, this.#scratch, this.#readBack]) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
