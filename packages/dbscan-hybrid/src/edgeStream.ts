import {throwIfAborted} from '@epsball/clustering';
import {copyBytes, Scratch, type Gpu} from '@epsball/gpu';
import type {EdgeChunk} from '@epsball/neighbor-graph';
import {bytesFor, SharedArena} from '@epsball/workers';

/** Two of everything: while the threads work on one chunk, the next one is on its way. */
const LANES = 2;

export interface EdgeFlow {
  readonly phase: string;
  /** In the order in which they travel. Only the single chunk of a graph without edges is empty. */
  readonly chunks: readonly EdgeChunk[];
  readonly write: (chunk: EdgeChunk, edges: GPUBuffer) => Promise<void>;
  /** Takes a chunk's edges in shared memory, which are valid until it settles. Two chunks are consumed at a time. */
  readonly consume: (chunk: EdgeChunk, edges: Int32Array) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

export interface FlowTimes {
  /** For the device: edges were not there yet. */
  readonly deviceWaitMs: number;
  /** Copying from mapped staging to shared memory. */
  readonly transferMs: number;
  /** For consumers: both lanes were full. */
  readonly consumerWaitMs: number;
}

/** A chunk's way: device memory, mapped staging, shared memory. */
export interface Lane {
  readonly edges: GPUBuffer;
  readonly staging: GPUBuffer;
  readonly arena: SharedArena;
}

/** Brings chunks of edges from device to shared memory, one while earlier ones are consumed. Keeps all buffers. */
export class EdgeStream {
  readonly #gpu: Gpu;
  readonly #edges: Scratch;
  readonly #arenas = Array.from({length: LANES}, () => new SharedArena());
  readonly #stagings: Scratch;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#stagings = new Scratch(gpu, label, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
    this.#edges = new Scratch(gpu, label);
  }

  /** Lanes for chunks of `edgeCount` edges, until the next call; undefined if the device lacks memory. */
  async reserve(edgeCount: number): Promise<readonly Lane[] | undefined> {
    const bytes = 4 * edgeCount;
    const lanes: Lane[] = [];
    for (const [k, arena] of this.#arenas.entries()) {
      const staging = this.#stagings.take(`staging${k}`, bytes);
      const edges = await this.#edges.takeIfFree(`edges${k}`, bytes);
      if (edges === undefined) {
        this.#edges.clear();
        this.#stagings.clear();
        return undefined;
      }
      lanes.push({edges, staging, arena});
    }
    return lanes;
  }

  /** Sends all chunks of a flow. When it settles, also with an error, no part of the flow still runs. */
  async run(flow: EdgeFlow, lanes: readonly Lane[]): Promise<FlowTimes> {
    const {chunks, phase, signal} = flow;
    const times = {deviceWaitMs: 0, transferMs: 0, consumerWaitMs: 0};
    const mapped: Promise<void>[] = [];
    const consumed: Promise<void>[] = [];
    let written = Promise.resolve();
    const request = (k: number): void => {
      if (k >= chunks.length) return;
      const lane = lanes[k % LANES];
      // One at a time: `write` waits on resources that allow one request.
      written = quiet(written.then(() => this.#write(flow, chunks[k], lane)));
      const size = 4 * chunks[k].edgeCount;
      mapped.push(quiet(written.then(() => lane.staging.mapAsync(GPUMapMode.READ, 0, size))));
    };
    try {
      for (let k = 0; k < LANES; k++) request(k);
      for (const [k, chunk] of chunks.entries()) {
        throwIfAborted(signal, phase);
        const {arena, staging} = lanes[k % LANES];
        const {edgeCount} = chunk;
        const askedAt = performance.now();
        await mapped[k];
        const mappedAt = performance.now();
        await consumed[k - LANES];
        const freeAt = performance.now();
        arena.reserve(bytesFor(4 * edgeCount));
        const edges = arena.int32(edgeCount);
        copyBytes(edges, new Int32Array(staging.getMappedRange(0, 4 * edgeCount)));
        staging.unmap();
        times.deviceWaitMs += mappedAt - askedAt;
        times.consumerWaitMs += freeAt - mappedAt;
        times.transferMs += performance.now() - freeAt;
        request(k + LANES);
        consumed.push(quiet(flow.consume(chunk, edges)));
      }
      const doneAt = performance.now();
      await Promise.all(consumed);
      times.consumerWaitMs += performance.now() - doneAt;
      return times;
    } finally {
      await Promise.allSettled([...mapped, ...consumed]);
      for (const {staging} of lanes) if (staging.mapState !== 'unmapped') staging.unmap();
    }
  }

  destroy(): void {
    this.#edges.destroy();
    this.#stagings.destroy();
    for (const arena of this.#arenas) arena.clear();
  }

  async #write({write}: EdgeFlow, chunk: EdgeChunk, {edges, staging}: Lane): Promise<void> {
    await write(chunk, edges);
    const encoder = this.#gpu.device.createCommandEncoder();
    encoder.copyBufferToBuffer(edges, 0, staging, 0, 4 * chunk.edgeCount);
    this.#gpu.device.queue.submit([encoder.finish()]);
  }
}

/** The same promise: a rejection before the first `await` is not reported as unhandled. */
function quiet(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}
