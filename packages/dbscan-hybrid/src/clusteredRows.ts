import {Kernel, ParamRing, Scratch, type Gpu, type ReadBackPart, Owner} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import type {UncountedGraph} from '@epsball/neighbor-graph';
import {clusteredRowsWgsl} from './clusteredRows.wgsl.ts';

export interface RowCounts {
  readonly rows: number;
  readonly edges: number;
}

/** Packs rows: all of a graph, or, with its edges, all but noise; then numbers them, and finds their parents. */
export class ClusteredRows extends Owner {
  readonly #parts: Awaited<ReturnType<typeof compile>>;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, parts: Awaited<ReturnType<typeof compile>>) {
    super();
    this.#parts = parts;
    this.own(parts.scan);
    this.#params = this.own(new ParamRing(gpu, 'dbscan-hybrid/clusteredRows.params', 4));
    this.#scratch = this.own(new Scratch(gpu, 'dbscan-hybrid/clusteredRows'));
  }

  static async create(gpu: Gpu): Promise<ClusteredRows> {
    return new ClusteredRows(gpu, await compile(gpu));
  }

  /** Packs all rows. Returns what travels of them: by row index and core flag, and starts. */
  encodeAll(
    pass: GPUComputePassEncoder,
    {n, minPts, pointOrder, degrees, rowStart}: Omit<UncountedGraph, 'edges'>,
  ): ReadBackPart[] {
    const {packPoints} = this.#parts;
    const params = this.#params.write(clusteredRowsWgsl.structs.ClusteredParams, {n, minPts, room: 0});
    const {packed} = this.#results(n);
    packPoints.encodeOver({params, pointOrder, degrees, packed}, n)(pass);
    return [
      {source: packed, bytes: 4 * n},
      {source: rowStart, bytes: 4 * (n + 1)},
    ];
  }

  /** @param room  edges that the buffer has room for; with more edges the result is undefined */
  encode(
    pass: GPUComputePassEncoder,
    {n, minPts, pointOrder, degrees, rowStart}: UncountedGraph,
    edges: GPUBuffer,
    room: number,
  ): void {
    const {markRows, packRows, renameColumns, scan} = this.#parts;
    const params = this.#params.write(clusteredRowsWgsl.structs.ClusteredParams, {n, minPts, room});
    const {ranks, packed, packedStart, marks, parents} = this.#results(n);
    const lowest = this.#scratch.take('lowest', 4 * n);
    markRows.encodeOver({params, rowStart, degrees, edges, marks, lowest}, n + 1)(pass);
    scan.encode(pass, {input: marks, output: ranks, count: n + 1});
    const rows = {params, pointOrder, rowStart, degrees, ranks, lowest, packed, packedStart, parents};
    packRows.encodeOver(rows, n + 1)(pass);
    renameColumns.encodeOver({params, rowStart, ranks, edges}, room)(pass);
  }

  /** What travels of the last `encode`: number of rows; by row index and core flag, starts, parents; edges. */
  parts(n: number, edges: GPUBuffer, first: RowCounts): ReadBackPart[] {
    const {ranks, packed, packedStart, parents} = this.#results(n);
    return [
      {source: ranks, offset: 4 * n, bytes: 4},
      {source: packed, bytes: 4 * first.rows},
      {source: packedStart, bytes: 4 * (first.rows + 1)},
      {source: parents, bytes: 4 * first.rows},
      {source: edges, bytes: 4 * first.edges},
    ];
  }

  #results(n: number) {
    const marks = this.#scratch.take('marks', 4 * (n + 1));
    return {
      marks,
      // Marks are scanned by then.
      parents: marks,
      ranks: this.#scratch.take('ranks', 4 * (n + 1)),
      packed: this.#scratch.take('packed', 4 * n),
      packedStart: this.#scratch.take('packedStart', 4 * (n + 1)),
    };
  }
}

async function compile(gpu: Gpu) {
  const entryPoints = ['packPoints', 'markRows', 'packRows', 'renameColumns'] as const;
  const kernels = await Kernel.createEach(gpu, clusteredRowsWgsl, entryPoints);
  return {...kernels, scan: await Scan.create(gpu)};
}
