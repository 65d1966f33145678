import type {DbscanPhase} from '@epsball/clustering';
import {copyBytes, Owner, ReadBack, type ComingParts, type Gpu, type GpuRun, type ReadBackPart} from '@epsball/gpu';
import type {UncountedGraph} from '@epsball/neighbor-graph';
import {ClusteredRows, type RowCounts} from './clusteredRows.ts';
import type {PreparedRun} from './runMemory.ts';

/** Data of the rows on its way to the host: a word a row with point index and core flag, and where rows begin. */
export interface ComingArrays {
  readonly bytes: number;
  take(prepared: PreparedRun): Promise<void>;
}

/** The same of core and border points alone, with their edges, whose columns are among these rows. */
export interface ComingRows {
  readonly room: number;
  /** Waits, and copies rows and edges to shared memory. */
  take(prepared: PreparedRun, edges: Int32Array): Promise<ArrivedRows>;
  drop(): Promise<void>;
}

interface ArrivedRows {
  readonly rowCount: number;
  /** When they were there to be copied, in `performance.now()`. */
  readonly arrivedAt: number;
  readonly bytes: number;
}

/** Extra rows and edges beyond the estimate; they cost almost nothing. */
const LIKELY_MORE = 1024;

type Run = GpuRun<DbscanPhase>;

/** Brings data of the rows, and edges that exist already, to the host in one copy. */
export class GraphArrays extends Owner {
  readonly #gpu: Gpu;
  readonly #clustered: ClusteredRows;
  readonly #readBack: ReadBack;
  /** Of the last run that brought its rows together. */
  #lastCounts: RowCounts | undefined;

  private constructor(gpu: Gpu, clustered: ClusteredRows) {
    super();
    this.#gpu = gpu;
    this.#clustered = this.own(clustered);
    this.#readBack = this.own(new ReadBack(gpu, 'dbscan-hybrid/graph'));
  }

  static async create(gpu: Gpu): Promise<GraphArrays> {
    return new GraphArrays(gpu, await ClusteredRows.create(gpu));
  }

  ask(graph: Omit<UncountedGraph, 'edges'>, run: Run): ComingArrays {
    const {n} = graph;
    const coming = this.#send(run, (pass) => this.#clustered.encodeAll(pass, graph));
    return {
      bytes: 4 * n + 4 * (n + 1),
      take: (prepared) =>
        coming.take((memory, [order, starts]) => {
          copyBytes(prepared.pointOrder, new Int32Array(memory, order, n));
          copyBytes(prepared.rowStart, new Uint32Array(memory, starts, n + 1));
        }),
    };
  }

  /** Sends an eighth more than the last run had, which is mostly enough; else sends all of them again. */
  askForRows(graph: UncountedGraph, edges: GPUBuffer, room: number, run: Run): ComingRows {
    const {n} = graph;
    const sent = likelyCounts(this.#lastCounts, {rows: n, edges: room});
    const coming = this.#send(run, (pass) => {
      this.#clustered.encode(pass, graph, edges, room);
      return this.#clustered.parts(n, edges, sent);
    });
    return {
      room,
      take: async (prepared, into) => {
        let arrivedAt = 0;
        const counts = await coming.take((memory, starts) => {
          arrivedAt = performance.now();
          const rows = new Uint32Array(memory, starts[0], 1)[0];
          if (fits({rows, edges: into.length}, sent)) copyRows(prepared, into, rows, {memory, starts});
          return {rows, edges: into.length};
        });
        const isAll = fits(counts, sent);
        this.#lastCounts = counts;
        if (isAll) return {rowCount: counts.rows, arrivedAt, bytes: bytesOf(sent)};
        const again = this.#submit(this.#gpu.device.createCommandEncoder(), this.#clustered.parts(n, edges, counts));
        await again.take((memory, starts) => {
          arrivedAt = performance.now();
          copyRows(prepared, into, counts.rows, {memory, starts});
        });
        return {rowCount: counts.rows, arrivedAt, bytes: bytesOf(sent) + bytesOf(counts)};
      },
      drop: () => coming.drop(),
    };
  }

  #send(run: Run, record: (pass: GPUComputePassEncoder) => readonly ReadBackPart[]): ComingParts {
    const encoder = this.#gpu.device.createCommandEncoder();
    let parts: readonly ReadBackPart[] = [];
    run.record(encoder, 'core', (pass) => {
      parts = record(pass);
    });
    return this.#submit(encoder, parts);
  }

  #submit(encoder: GPUCommandEncoder, parts: readonly ReadBackPart[]): ComingParts {
    const ask = this.#readBack.encode(encoder, parts);
    this.#gpu.device.queue.submit([encoder.finish()]);
    return ask();
  }
}

/** An estimate: an eighth more than in the last run, at most `most`. */
function likelyCounts(last: RowCounts | undefined, most: RowCounts): RowCounts {
  if (!last) return most;
  const likely = (count: number): number => Math.ceil(1.125 * count) + LIKELY_MORE;
  return {rows: Math.min(most.rows, likely(last.rows)), edges: Math.min(most.edges, likely(last.edges))};
}

function fits({rows, edges}: RowCounts, room: RowCounts): boolean {
  return rows <= room.rows && edges <= room.edges;
}

function bytesOf({rows, edges}: RowCounts): number {
  return 4 + 4 * rows + 4 * (rows + 1) + 4 * rows + 4 * edges;
}

/** Copies rows and edges that have come, in parts as `ClusteredRows.parts` has them. */
function copyRows(
  {pointOrder, rowStart, forest: {parent}}: PreparedRun,
  edges: Int32Array,
  rowCount: number,
  {
    memory,
    starts: [, order, starts, parents, columns],
  }: {readonly memory: ArrayBuffer; readonly starts: readonly number[]},
): void {
  copyBytes(pointOrder.subarray(0, rowCount), new Int32Array(memory, order, rowCount));
  copyBytes(rowStart.subarray(0, rowCount + 1), new Uint32Array(memory, starts, rowCount + 1));
  copyBytes(parent.subarray(0, rowCount), new Int32Array(memory, parents, rowCount));
  copyBytes(edges, new Int32Array(memory, columns, edges.length));
}
