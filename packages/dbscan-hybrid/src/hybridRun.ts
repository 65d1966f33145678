import type {DbscanParams, DbscanPhase, DbscanResult} from '@epsball/clustering';
import {type EdgeChunk, type EdgePlan, type GraphIndex, type NeighborGraph} from '@epsball/neighbor-graph';
import type {DevicePoints} from '@epsball/spatial-grid/gpu';
import {numberClusters} from '@epsball/union-find/workers';
import {chunksFor, evenBounds, type Wave} from '@epsball/workers';
import type {FlowTimes, Lane} from './edgeStream.ts';
import {EdgeWaves, tasks} from './edgeWaves.ts';
import type {ComingArrays, ComingRows} from './graphArrays.ts';
import {buildGraph, roomAhead} from './hybridGraph.ts';
import {RowSteps} from './rowSteps.ts';
import {CHUNK_EDGES_MAX, CHUNK_EDGES_MIN, CHUNKS_WANTED, enterPhase, type RunParts} from './runParts.ts';

interface Sent {
  readonly coreEdges: number;
  readonly borderEdges: number;
  readonly chunks: number;
  readonly times: readonly FlowTimes[];
}

interface Cut {
  readonly chunks: readonly EdgeChunk[];
  readonly lanes: readonly Lane[];
}

/** Fewer points take a thread less time than it takes to wake it. */
const POINTS_PER_PART = 2 ** 13;

export class HybridRun {
  readonly #parts: RunParts;
  readonly #waves: EdgeWaves;
  readonly #n: number;
  #travelledBytes = 0;

  constructor(parts: RunParts) {
    const {pool, prepared, run} = parts;
    this.#parts = parts;
    this.#n = prepared.pointOrder.length;
    this.#waves = new EdgeWaves(pool, prepared, run.signal);
  }

  /** @param points  on their way to the device */
  async cluster(points: DevicePoints, params: DbscanParams, index: GraphIndex): Promise<DbscanResult> {
    const {prepared, pool, memory, run} = this.#parts;
    const room = roomAhead(this.#parts, points, index);
    const steps = new RowSteps(pool, prepared, memory.edges(room ?? 0), run.signal);
    // Not before the device has all its work, for which it would wait.
    const whenSubmitted = (): void => (room === undefined ? void steps.readyOnly() : steps.begin());
    try {
      const {graph, coming} = await buildGraph(this.#parts, points, params, {index, room, whenSubmitted});
      if (run.clock.phase !== 'clusters') enterPhase(this.#parts, 'clusters');
      const {labels, coreMask} = prepared;
      const {clusterCount, ...sent} = await ('rows' in coming
        ? this.#uniteRows(coming.plan, coming.rows, steps)
        : this.#uniteChunks(coming.plan, coming.arrays, steps));
      run.report('borders', this.#n);
      return {labels, coreMask, clusterCount, stats: await run.stats(this.#counters(graph, sent))};
    } finally {
      // No part of a run may outlive it.
      await steps.end();
    }
  }

  /** Unites core points, numbers the clusters and labels all points, with rows and edges that come together. */
  async #uniteRows({edgeCount}: EdgePlan, coming: ComingRows, steps: RowSteps): Promise<Sent & {clusterCount: number}> {
    const {prepared, memory, run} = this.#parts;
    const askedAt = performance.now();
    const {rowCount, arrivedAt, bytes} = await coming.take(prepared, steps.edges.subarray(0, edgeCount));
    this.#travelledBytes += bytes;
    const takenAt = performance.now();
    const {threadMs, labelMs} = await steps.run(rowCount, edgeCount, () => {
      run.askForTimes();
      // Now the threads are busy; earlier, the calling thread hardly waits.
      memory.readyNext(this.#n);
    });
    run.report('clusters', this.#n);
    const consumerWaitMs = performance.now() - takenAt;
    enterPhase(this.#parts, 'borders', labelMs);
    this.#waves.add(consumerWaitMs, threadMs);
    const times = {deviceWaitMs: arrivedAt - askedAt, transferMs: takenAt - arrivedAt, consumerWaitMs};
    const clusterCount = prepared.clusterCount[0];
    const borderEdges = prepared.borderEdges[0] >>> 0;
    const coreEdges = edgeCount - borderEdges;
    return {coreEdges, borderEdges, chunks: Math.min(1, edgeCount), times: [times], clusterCount};
  }

  async #uniteChunks(
    corePlan: EdgePlan,
    coming: ComingArrays,
    steps: RowSteps,
  ): Promise<Sent & {clusterCount: number}> {
    const {pool, prepared} = this.#parts;
    await steps.readyOnly();
    await pool.wave(tasks, 'makeRowSets', {...this.#wave('clusters'), input: prepared.forest});
    const cores = await this.#cut(corePlan);
    await coming.take(prepared);
    this.#travelledBytes += coming.bytes;
    const unite = (chunk: EdgeChunk, edges: Int32Array): Promise<void> =>
      this.#waves.over('uniteRows', 'clusters', chunk, edges);
    const united = await this.#send('clusters', corePlan, cores, unite);
    const {forest, firsts, pointOrder} = prepared;
    const numbering = {...this.#wave('clusters'), input: {forest, firsts, pointOrder}};
    const clusterCount = await numberClusters(pool, numbering);
    enterPhase(this.#parts, 'borders');
    const borders = await this.#label();
    return {
      coreEdges: corePlan.edgeCount,
      borderEdges: borders.edgeCount,
      chunks: cores.chunks.length + borders.chunks,
      times: [united, ...borders.times],
      clusterCount,
    };
  }

  async #label(): Promise<Pick<Sent, 'chunks' | 'times'> & {readonly edgeCount: number}> {
    const {builder, prepared, reader, run} = this.#parts;
    await run.makeRoom();
    const plan = await builder.plan('borderToCore');
    const {edgeCount, rowStart} = plan;
    const label = (chunk: EdgeChunk, edges: Int32Array): Promise<void> =>
      this.#waves.over('labelRows', 'borders', chunk, edges);
    if (edgeCount === 0) {
      prepared.rowStart.fill(0);
      await label({firstRow: 0, rowCount: this.#n, edgeCount}, new Int32Array(0));
      return {edgeCount, chunks: 0, times: []};
    }
    const cut = await this.#cut(plan);
    await reader.read(rowStart, prepared.rowStart);
    this.#travelledBytes += 4 * (this.#n + 1);
    return {edgeCount, chunks: cut.chunks.length, times: [await this.#send('borders', plan, cut, label)]};
  }

  async #cut(plan: EdgePlan): Promise<Cut> {
    const {builder, stream, maxEdges = edgesPerChunk(plan)} = this.#parts;
    const {chunks, memory: lanes} = await builder.chunksThatFit(maxEdges, (edgeCount) => stream.reserve(edgeCount));
    return {chunks, lanes};
  }

  async #send(
    phase: 'clusters' | 'borders',
    {edgeCount}: EdgePlan,
    {chunks, lanes}: Cut,
    consume: (chunk: EdgeChunk, edges: Int32Array) => Promise<void>,
  ): Promise<FlowTimes> {
    const {builder, stream, run} = this.#parts;
    this.#travelledBytes += 4 * edgeCount;
    const flow = {
      phase,
      chunks,
      signal: run.signal,
      write: async (chunk: EdgeChunk, edges: GPUBuffer) => {
        await run.makeRoom();
        await builder.writeEdges(chunk, edges);
      },
      consume: async (chunk: EdgeChunk, edges: Int32Array) => {
        await consume(chunk, edges);
        // Behind the half of the counts.
        run.reportPart(phase, (1 + (chunk.firstRow + chunk.rowCount) / this.#n) / 2);
      },
    };
    return stream.run(flow, lanes);
  }

  #wave(phase: DbscanPhase): Omit<Wave<never>, 'input'> {
    const {pool, run} = this.#parts;
    return {phase, bounds: evenBounds(this.#n, chunksFor(this.#n, pool.threads, POINTS_PER_PART)), signal: run.signal};
  }

  #counters(graph: NeighborGraph, {coreEdges, borderEdges, chunks, times: flows}: Sent): Record<string, number> {
    const {pool} = this.#parts;
    const sum = (read: (flow: FlowTimes) => number): number => flows.reduce((ms, flow) => ms + read(flow), 0);
    return {
      threads: pool.threads,
      chunks,
      coreEdges,
      borderEdges,
      travelledBytes: this.#travelledBytes,
      maxDegree: graph.maxDegree,
      deviceWaitMs: sum(({deviceWaitMs}) => deviceWaitMs),
      transferMs: sum(({transferMs}) => transferMs),
      threadWaitMs: sum(({consumerWaitMs}) => consumerWaitMs),
      uniteMs: this.#waves.busyMs,
      ...Object.fromEntries(this.#waves.threadMs.map((ms, thread) => [`uniteMsOfThread${thread + 1}`, ms])),
    };
  }
}

/** Default number of edges in a chunk: an eighth of all, within bounds, but a whole row at least. */
function edgesPerChunk({edgeCount, maxRowLength}: EdgePlan): number {
  const share = Math.ceil(edgeCount / CHUNKS_WANTED);
  return Math.max(maxRowLength, Math.min(CHUNK_EDGES_MAX, Math.max(CHUNK_EDGES_MIN, share)));
}
