import {throwIfAborted} from '@epsball/clustering';
import {Scratch, type Gpu, type GpuBuffer} from '@epsball/gpu';
import type {EdgeChunk} from '@epsball/neighbor-graph';
import {SharedArena} from '@epsball/workers';

/** Two of everything: while the threads work on one chunk, the next one is on its way. */
const LANES = 2;

/** How a stream comes by its chunks, and where they go. */
export interface EdgeFlow {
  /** Where the run is, for errors. */
  readonly phase: string;
  /** In the order in which they travel; none of them without edges. */
  readonly chunks: readonly EdgeChunk[];
  /** Awaited before the device is asked for another chunk. */
  readonly prepare: () => Promise<void>;
  /** Records a chunk's edges on the device. */
  readonly record: (encoder: GPUCommandEncoder, chunk: EdgeChunk, edges: GPUBuffer) => void;
  /**
   * Takes a chunk's edges in shared memory, which stay until it resolves; two chunks may be consumed at a time.
   */
  readonly consume: (chunk: EdgeChunk, edges: Int32Array) => Promise<void>;
  /** Looked at before each chunk. */
  readonly signal?: AbortSignal | undefined;
}

/** How long the calling thread was busy with a stream, and for whom it waited, in milliseconds. */
export interface FlowTimes {
  /** For the device: edges were not there yet. */
  readonly deviceWaitMs: number;
  /** Copying from mapped staging to shared memory. */
  readonly transferMs: number;
  /** For consumers: both lanes were full. */
  readonly consumerWaitMs: number;
}

/** A chunk's way: device memory, mapped staging, shared memory. */
interface Lane {
  readonly edges: GPUBuffer;
  readonly staging: GpuBuffer;
  readonly host: Int32Array;
}

/**
 * Brings chunks of edges from the device to shared memory: the device writes one chunk while another one is copied and
 * the ones before it are consumed. All buffers are kept for the next run: memory whose pages are there already is copied to several
 * times as fast.
 */
export class EdgeStream {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #hosts = Array.from({length: LANES}, () => new SharedArena());
  #stagings: GpuBuffer[] = [];
  #generation = 0;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#scratch = new Scratch(gpu, label);
  }

  /**
   * Sends all chunks of a flow. When it settles, be it with an error, nothing of the flow is under way any more.
   *
   * @throws RunAbortedError  if the signal has fired; whatever `consume` rejects with
   */
  async run(flow: EdgeFlow): Promise<FlowTimes> {
    const {chunks, phase, signal} = flow;
    const times = {deviceWaitMs: 0, transferMs: 0, consumerWaitMs: 0};
    if (chunks.length === 0) return times;
    const lanes = this.#open(chunks.reduce((most, {edgeCount}) => Math.max(most, edgeCount), 0));
    /** By lane, of its last chunk. */
    const mapped: Promise<void>[] = [];
    const consumed: Promise<void>[] = [];
    const request = (k: number): void => {
      mapped[k % LANES] = quiet(this.#request(flow, chunks[k], lanes[k % LANES]));
    };
    try {
      for (let k = 0; k < Math.min(LANES, chunks.length); k++) request(k);
      for (let k = 0; k < chunks.length; k++) {
        throwIfAborted(signal, phase);
        const at = k % LANES;
        const {host, staging} = lanes[at];
        const askedAt = performance.now();
        await mapped[at];
        const mappedAt = performance.now();
        await consumed[at];
        const freeAt = performance.now();
        host.set(new Int32Array(staging.buffer.getMappedRange(0, 4 * chunks[k].edgeCount)));
        staging.buffer.unmap();
        times.deviceWaitMs += mappedAt - askedAt;
        times.consumerWaitMs += freeAt - mappedAt;
        times.transferMs += performance.now() - freeAt;
        consumed[at] = quiet(flow.consume(chunks[k], host));
        if (k + LANES < chunks.length) {
          await flow.prepare();
          request(k + LANES);
        }
      }
      const doneAt = performance.now();
      await Promise.all(consumed);
      times.consumerWaitMs += performance.now() - doneAt;
      return times;
    } finally {
      await Promise.allSettled([...mapped, ...consumed]);
      for (const {staging} of lanes) if (staging.buffer.mapState !== 'unmapped') staging.buffer.unmap();
    }
  }

  /** Frees all buffers; safe to call twice. */
  destroy(): void {
    this.#scratch.destroy();
    this.#forgetStagings();
    for (const host of this.#hosts) host.clear();
  }

  /** Has the device write a chunk and copy it to staging; resolves when that is mapped. */
  async #request({record}: EdgeFlow, chunk: EdgeChunk, {edges, staging}: Lane): Promise<void> {
    const bytes = 4 * chunk.edgeCount;
    const encoder = this.#gpu.device.createCommandEncoder();
    record(encoder, chunk, edges);
    encoder.copyBufferToBuffer(edges, 0, staging.buffer, 0, bytes);
    this.#gpu.device.queue.submit([encoder.finish()]);
    await staging.buffer.mapAsync(GPUMapMode.READ, 0, bytes);
  }

  /** Lanes with room for `edgeCount` edges. */
  #open(edgeCount: number): Lane[] {
    const bytes = 4 * edgeCount;
    // After a failed run a buffer may be invalid.
    if (this.#generation !== this.#gpu.generation) this.#forgetStagings();
    this.#generation = this.#gpu.generation;
    if (this.#stagings.some(({size}) => size < bytes)) this.#forgetStagings();
    if (this.#stagings.length === 0) {
      const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
      this.#stagings = this.#hosts.map((_, k) => this.#gpu.createBuffer(`dbscan-hybrid/staging${k}`, bytes, usage));
    }
    return this.#hosts.map((arena, k) => {
      arena.reserve(bytes);
      return {
        edges: this.#scratch.take(`edges${k}`, bytes),
        staging: this.#stagings[k],
        host: arena.int32(edgeCount),
      };
    });
  }

  #forgetStagings(): void {
    for (const staging of this.#stagings) staging.destroy();
    this.#stagings = [];
  }
}

/** The same promise: one that fails before anybody waits for it does not go unhandled. */
function quiet(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}
