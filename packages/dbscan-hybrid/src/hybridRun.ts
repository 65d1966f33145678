import type {
  DbscanParams,
  DbscanPhase,
  DbscanResult,
  DbscanRunOptions,
  DbscanStats,
  PhaseClock,
} from '@epsball/clustering';
import type {DeviceTimer, Gpu, Reader} from '@epsball/gpu';
import type {EdgeChunk, EdgePlan, GraphIndex, NeighborGraph, NeighborGraphBuilder} from '@epsball/neighbor-graph';
import type {DevicePoints} from '@epsball/spatial-grid/gpu';
import {numberClusters} from '@epsball/union-find/workers';
import {chunksFor, evenBounds, type WorkerPool} from '@epsball/workers';
import type {EdgeStream, FlowTimes} from './edgeStream.ts';
import {EdgeWaves, tasks} from './edgeWaves.ts';
import type {PreparedRun} from './runMemory.ts';

/** What a run works with; all of it borrowed. */
export interface RunParts {
  readonly gpu: Gpu;
  readonly builder: NeighborGraphBuilder;
  readonly reader: Reader;
  readonly timer: DeviceTimer<DbscanPhase>;
  readonly stream: EdgeStream;
  readonly pool: WorkerPool;
  readonly prepared: PreparedRun;
  readonly clock: PhaseClock<DbscanPhase>;
  readonly options: DbscanRunOptions;
  /** Most edges of a chunk, where the caller has said so. */
  readonly maxEdges: number | undefined;
}

type Flow = 'clusters' | 'borders';

/** What a flow sent. */
interface Sent {
  readonly edges: number;
  readonly chunks: number;
  readonly times: FlowTimes;
}

/** So many chunks keep device, bus and threads busy at the same time but for the first and the last one. */
const CHUNKS_WANTED = 8;

/** 1 MiB takes the bus as long as a wave costs; 16 MiB some milliseconds. */
const CHUNK_EDGES_MIN = 2 ** 18;
const CHUNK_EDGES_MAX = 2 ** 22;

/** Progress of a flow is reported this often at most. */
const REPORTS_MAX = 100;

/** One run on points that are on the device. */
export class HybridRun {
  readonly #parts: RunParts;
  readonly #waves: EdgeWaves;
  /** Bounds of the waves over positions. */
  readonly #bounds: readonly number[];
  readonly #n: number;
  #travelledBytes = 0;

  constructor(parts: RunParts) {
    const {pool, prepared, options} = parts;
    this.#parts = parts;
    this.#n = prepared.pointOrder.length;
    this.#waves = new EdgeWaves(pool, prepared.rowStart, options.signal);
    this.#bounds = evenBounds(this.#n, chunksFor(this.#n, pool.threads));
  }

  async cluster(points: DevicePoints, params: DbscanParams, index: GraphIndex): Promise<DbscanResult> {
    const {builder, pool, prepared, options} = this.#parts;
    const {forest, firsts, pointOrder, labels, coreMask} = prepared;
    const {signal} = options;
    const graph = await this.#build(points, params, index);
    const [corePlan, coreCount] = await allOf(builder.plan('coreToCore'), this.#readyForest(graph, params.minPts));
    this.#enter('clusters');
    const united = await this.#send('clusters', corePlan, (chunk, edges) =>
      this.#waves.unite(chunk, edges, forest.parent),
    );
    // The device has written all of these edges, so it may count those of the borders while the threads number clusters.
    const numbering = {phase: 'clusters', bounds: this.#bounds, signal, input: {forest, firsts, pointOrder}};
    const mayHaveBorders = coreCount > 0 && coreCount < this.#n;
    const [borderPlan, clusterCount] = await allOf(
      mayHaveBorders ? builder.plan('borderToCore') : Promise.resolve(null),
      numberClusters(pool, numbering),
    );
    this.#enter('borders');
    const labelling = {forest, firsts, pointOrder, labels, coreMask};
    const labelled = {phase: 'borders', bounds: this.#bounds, signal, input: labelling};
    await pool.wave(tasks, 'labelCores', labelled);
    const bordered =
      borderPlan === null
        ? NOTHING
        : await this.#send('borders', borderPlan, (chunk, edges) => this.#waves.labelBorders(chunk, edges, labelling));
    return {labels, coreMask, clusterCount, stats: await this.#stats(graph, united, bordered)};
  }

  #build(points: DevicePoints, {eps, minPts}: DbscanParams, index: GraphIndex): Promise<NeighborGraph> {
    const {builder, timer, clock} = this.#parts;
    this.#enter('index');
    return builder.build(
      points,
      {eps, minPts},
      {
        index,
        beginIndexPass: (encoder) => timer.beginPass(encoder, 'index'),
        // Degrees, then what plans count; one name on the device, because the two are one kind of work.
        beginGraphPass: (encoder) => {
          if (clock.phase === 'index') this.#enter('core');
          return timer.beginPass(encoder, 'core');
        },
      },
    );
  }

  /** Core flags, and every point a set of its own; returns the number of core points. */
  async #readyForest({index, degrees, pointOrder: order}: NeighborGraph, minPts: number): Promise<number> {
    const {reader, pool, prepared, options} = this.#parts;
    const {forest, firsts, pointOrder} = prepared;
    await reader.read(degrees, firsts.first);
    this.#travelledBytes += 4 * this.#n;
    if (index === 'grid') {
      await reader.read(order, pointOrder);
      this.#travelledBytes += 4 * this.#n;
    } else {
      // Without an index a position is an index.
      for (let i = 0; i < pointOrder.length; i++) pointOrder[i] = i;
    }
    const input = {forest, firsts, minPts};
    const wave = {phase: 'core', bounds: this.#bounds, signal: options.signal, input};
    const {results} = await pool.wave(tasks, 'readyForest', wave);
    return results.reduce((sum, count) => sum + count, 0);
  }

  /** Sends the edges of a plan through `consume`. */
  async #send(
    phase: Flow,
    plan: EdgePlan,
    consume: (chunk: EdgeChunk, edges: Int32Array) => Promise<void>,
  ): Promise<Sent> {
    const {builder, stream, timer, reader, prepared, options} = this.#parts;
    const {maxEdges = edgesPerChunk(plan)} = this.#parts;
    const chunks = (await builder.chunks(maxEdges)).filter(({edgeCount}) => edgeCount > 0);
    if (chunks.length === 0) return NOTHING;
    await reader.read(plan.rowStart, prepared.rowStart);
    this.#travelledBytes += 4 * (this.#n + 1) + 4 * plan.edgeCount;
    const report = this.#reporter(phase, chunks.length);
    const times = await stream.run({
      phase,
      chunks,
      signal: options.signal,
      prepare: () => timer.makeRoom(),
      record: (encoder, chunk, edges) => {
        const pass = timer.beginPass(encoder, phase);
        builder.encodeEdges(pass, chunk, edges);
        pass.end();
      },
      consume: async (chunk, edges) => {
        await consume(chunk, edges);
        report(chunk);
      },
    });
    return {edges: plan.edgeCount, chunks: chunks.length, times};
  }

  /** Reports rows that are done, but not every chunk of many. */
  #reporter(phase: Flow, chunkCount: number): (chunk: EdgeChunk) => void {
    const {onProgress} = this.#parts.options;
    const step = Math.ceil(chunkCount / REPORTS_MAX);
    let done = 0;
    return ({firstRow, rowCount}) => {
      if (++done % step === 0) onProgress?.({phase, done: firstRow + rowCount, total: this.#n});
    };
  }

  #enter(phase: DbscanPhase): void {
    const {clock, options} = this.#parts;
    clock.enter(phase);
    options.onProgress?.({phase, done: 0, total: this.#n});
  }

  async #stats(graph: NeighborGraph, united: Sent, bordered: Sent): Promise<DbscanStats> {
    const {gpu, pool, timer, clock} = this.#parts;
    const times = clock.stop();
    const sum = (read: (flow: FlowTimes) => number): number => read(united.times) + read(bordered.times);
    const counters = {
      threads: pool.threads,
      chunks: united.chunks + bordered.chunks,
      coreEdges: united.edges,
      borderEdges: bordered.edges,
      travelledBytes: this.#travelledBytes,
      maxDegree: graph.maxDegree,
      deviceWaitMs: sum(({deviceWaitMs}) => deviceWaitMs),
      transferMs: sum(({transferMs}) => transferMs),
      threadWaitMs: sum(({consumerWaitMs}) => consumerWaitMs),
      uniteMs: this.#waves.busyMs,
      ...Object.fromEntries(this.#waves.threadMs.map((ms, thread) => [`uniteMsOfThread${thread + 1}`, ms])),
    };
    const stats = {...times, counters, deviceBytes: gpu.peakBytes};
    const devicePhaseMs = await timer.read();
    if (!devicePhaseMs) return stats;
    const deviceMs = Object.values(devicePhaseMs).reduce((total, ms) => total + ms, 0);
    return {...stats, deviceMs, devicePhaseMs};
  }
}

/** Edges of a chunk where nobody has said: an eighth of all, within bounds, but a whole row at least. */
function edgesPerChunk({edgeCount, maxRowLength}: EdgePlan): number {
  const share = Math.ceil(edgeCount / CHUNKS_WANTED);
  return Math.max(maxRowLength, Math.min(CHUNK_EDGES_MAX, Math.max(CHUNK_EDGES_MIN, share)));
}

const NOTHING: Sent = {edges: 0, chunks: 0, times: {deviceWaitMs: 0, transferMs: 0, consumerWaitMs: 0}};

/** Waits for both, also where one fails: nothing of a run may go on when it has ended. */
async function allOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}
