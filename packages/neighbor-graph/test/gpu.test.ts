import {afterAll, beforeAll, expect, it} from 'vitest';
import {GpuLimitError, InvalidParameterError, pointCount, squaredDistance, type PointSet} from '@epsball/clustering';
import {blobs, integerLattice, toPoints, uniform} from '@epsball/conformance';
import {findAdapter, openGpu, Reader, type Gpu} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {NeighborGraphBuilder, type EdgeFilter, type GraphIndex} from '@epsball/neighbor-graph';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {RowSurveyor} from '../src/rowSurvey.ts';

/** Neighbours of every point besides itself, ascending. */
function neighborLists(points: PointSet, eps: number): number[][] {
  const {coords, dim} = points;
  const n = pointCount(points);
  const others = (i: number): number[] => Array.from({length: n}, (_, j) => j).filter((j) => j !== i);
  return Array.from({length: n}, (_, i) => others(i).filter((j) => squaredDistance(coords, dim, i, j) <= eps * eps));
}

/** Whether the filter stores the edge i → j, as EdgeFilter says it. */
function isStored(filter: EdgeFilter, i: Vertex, j: Vertex): boolean {
  if (filter === 'all') return true;
  if (filter === 'core') return j.isCore && (!i.isCore || j.position < i.position);
  if (filter === 'coreToCore') return i.isCore && j.isCore && j.position < i.position;
  return j.isCore && !i.isCore;
}

interface Vertex {
  readonly isCore: boolean;
  readonly position: number;
}

interface Shape {
  readonly what: string;
  readonly points: PointSet;
  readonly eps: number;
  readonly minPts: number;
}

const lattice = (dim: number, side: number, spacing: number): number[] =>
  integerLattice(dim, side).map((x) => x * spacing);

const shapes: readonly Shape[] = [
  {what: 'blobs in 2-D', points: blobs('float32', 2, 300, {seed: 1}), eps: 0.04, minPts: 7},
  {what: 'float64 blobs in 3-D', points: blobs('float64', 3, 333, {seed: 2}), eps: 0.1, minPts: 5},
  {what: 'one point', points: toPoints('float32', 2, [1, 2]), eps: 1, minPts: 1},
  {what: 'equal points', points: toPoints('float32', 1, Array.from<number>({length: 70}).fill(3)), eps: 1, minPts: 70},
  {what: 'a lattice on eps in 2-D', points: toPoints('float32', 2, lattice(2, 9, 0.1)), eps: 0.1, minPts: 5},
  {
    what: 'a float64 lattice on eps in 4-D',
    points: toPoints('float64', 4, lattice(4, 4, 1 / 3)),
    eps: 1 / 3,
    minPts: 6,
  },
  {what: 'uniform points in 17-D', points: uniform('float32', 17, 200, 3), eps: 1.5, minPts: 40},
  {what: 'float64 blobs in 64-D', points: blobs('float64', 64, 130, {seed: 4, sigma: 0.02}), eps: 0.23, minPts: 8},
  {what: 'a lattice on eps in 5-D', points: toPoints('float32', 5, lattice(5, 3, 0.1)), eps: 0.1, minPts: 7},
  {
    what: 'coordinates too small for float32 squares',
    points: toPoints('float64', 2, lattice(2, 5, 1e-30)),
    eps: 1e-30,
    minPts: 4,
  },
];

describeGpu('the neighbour graph', () => {
  let gpu: Gpu;
  let builder: NeighborGraphBuilder;
  let uploader: PointUploader;
  let reader: Reader;

  beforeAll(async () => {
    gpu = await openGpu();
    builder = await NeighborGraphBuilder.create(gpu);
    uploader = new PointUploader(gpu, 'test');
    reader = new Reader(gpu, 'test');
  });
  afterAll(() => {
    for (const owned of [reader, uploader, builder, gpu]) owned.destroy();
  });

  async function readWords(buffer: GPUBuffer, length: number): Promise<Uint32Array> {
    const words = new Uint32Array(length);
    await reader.read(buffer, words);
    return words;
  }

  /** Rows of the last plan by point index, columns ascending, through chunks of at most `maxEdges`. */
  async function readRows(pointOrder: Uint32Array, rowStart: Uint32Array, maxEdges: number): Promise<number[][]> {
    const rows: number[][] = [];
    using edges = gpu.createBuffer('test/edges', 4 * maxEdges, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    let nextRow = 0;
    for (const chunk of await builder.chunks(maxEdges)) {
      expect(chunk.firstRow).toBe(nextRow);
      expect(chunk.edgeCount).toBeLessThanOrEqual(maxEdges);
      nextRow += chunk.rowCount;
      const encoder = gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      builder.encodeEdges(pass, chunk, edges.buffer);
      pass.end();
      gpu.device.queue.submit([encoder.finish()]);
      const words = await readWords(edges.buffer, chunk.edgeCount);
      for (let i = chunk.firstRow; i < nextRow; i++) {
        const base = rowStart[chunk.firstRow];
        const columns = words.subarray(rowStart[i] - base, rowStart[i + 1] - base);
        rows[pointOrder[i]] = Array.from(columns, (j) => pointOrder[j]).toSorted((a, b) => a - b);
      }
    }
    expect(nextRow).toBe(pointOrder.length);
    return rows;
  }

  async function expectGraph(
    {points, eps, minPts}: Shape,
    index: GraphIndex,
    maxEdges = 1e5,
    filters: readonly EdgeFilter[] = ['all', 'core', 'borderToCore', 'coreToCore', 'all'],
  ): Promise<void> {
    const expected = neighborLists(points, eps);
    const graph = await builder.build(await uploader.upload(points), {eps, minPts}, {index});
    const {n} = graph;
    const pointOrder = await readWords(graph.pointOrder, n);
    const positions = await readWords(graph.positions, n);
    const degrees = await readWords(graph.degrees, n);
    expect(graph.index).toBe(index);
    expect(Array.from(positions, (position) => degrees[position])).toEqual(expected.map((row) => row.length));
    expect(graph.edgeCount).toBe(expected.reduce((sum, row) => sum + row.length, 0));
    expect(graph.maxDegree).toBe(Math.max(...expected.map((row) => row.length)));
    const vertices = expected.map((row, i) => ({isCore: row.length + 1 >= minPts, position: positions[i]}));
    for (const filter of filters) {
      const stored = expected.map((row, i) => row.filter((j) => isStored(filter, vertices[i], vertices[j])));
      const plan = await builder.plan(filter);
      expect(plan.edgeCount, filter).toBe(stored.reduce((sum, row) => sum + row.length, 0));
      expect(plan.maxRowLength, filter).toBe(Math.max(...stored.map((row) => row.length)));
      const rows = await readRows(pointOrder, await readWords(plan.rowStart, n + 1), maxEdges);
      expect(rows, filter).toEqual(stored);
    }
  }

  it.for(shapes)('without an index: $what', (shape) => gpu.guard('test', () => expectGraph(shape, 'none')));

  // Software float64 compiles for seconds on software adapters, for each dimension anew: the conformance suite has the rest.
  it.for([0, 2, 4, 5].map((k) => shapes[k]))('over a grid: $what', (shape) =>
    gpu.guard('test', () => expectGraph(shape, 'grid')),
  );

  it.for(['none', 'grid'] as const)('comes in chunks of rows, index %s', async (index) => {
    // Under one block of rows, and over several.
    await expectGraph(shapes[0], index, 200, ['core']);
    await expectGraph(shapes[0], index, 2000, ['all']);
  });

  it('refuses chunks that hold less than one row, and says what it takes', async () => {
    const graph = await builder.build(await uploader.upload(shapes[3].points), {eps: 1, minPts: 2});
    await builder.plan('all');
    expect(graph.maxDegree).toBe(69);
    const chunks = builder.chunks(68);
    await expect(chunks).rejects.toBeInstanceOf(GpuLimitError);
    await expect(chunks).rejects.toMatchObject({asked: 276, allowed: 272});
    expect(await builder.chunks(69)).toHaveLength(70);
  });

  it('knows the number of edges exactly beyond 2^32, and cuts such rows into chunks', async () => {
    const n = 300;
    const lengths = Uint32Array.from({length: n + 1}, (_, i) => 15_000_000 + i);
    const edgeCount = 300 * 15_000_000 + (299 * 300) / 2;
    using scan = await Scan.create(gpu);
    const starts = await scan.run(lengths);
    expect(starts[n]).toBe(edgeCount - 2 ** 32);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    using rowLength = gpu.createBuffer('test/rowLength', lengths.byteLength, usage);
    using rowStart = gpu.createBuffer('test/rowStart', starts.byteLength, usage);
    gpu.device.queue.writeBuffer(rowLength.buffer, 0, lengths);
    gpu.device.queue.writeBuffer(rowStart.buffer, 0, starts);
    using undecidedRows = gpu.createBuffer('test/undecidedRows', 4, usage);
    using surveyor = new RowSurveyor(gpu);
    const encoder = gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const buffers = {rowLength: rowLength.buffer, rowStart: rowStart.buffer, undecidedRows: undecidedRows.buffer};
    const survey = await surveyor.look({n, ...buffers}, pass, () => {
      pass.end();
      gpu.device.queue.submit([encoder.finish()]);
    });
    expect(survey).toMatchObject({edgeCount, maxRowLength: 15_000_299, undecidedCount: 0});
    const chunks = await surveyor.chunks(survey, rowStart.buffer, 2 ** 30);
    expect(chunks.map(({rowCount}) => rowCount)).toEqual([71, 71, 71, 43, 44]);
    expect(chunks.reduce((sum, chunk) => sum + chunk.edgeCount, 0)).toBe(edgeCount);
  });

  it('counts the points that float32 could not decide', async () => {
    const sure = await builder.build(await uploader.upload(shapes[0].points), {eps: 0.04, minPts: 7});
    expect(sure.undecidedCount).toBeLessThan(10);
    const {points, eps} = shapes[4];
    const undecided = await builder.build(await uploader.upload(points), {eps, minPts: 5});
    expect(undecided.undecidedCount).toBe(81);
  });

  it('refuses a grid in more than 4 dimensions, and takes none there by itself', async () => {
    const devicePoints = await uploader.upload(shapes[8].points);
    const params = {eps: 0.1, minPts: 7};
    await expect(builder.build(devicePoints, params, {index: 'grid'})).rejects.toBeInstanceOf(InvalidParameterError);
    await expect(builder.plan('all')).rejects.toThrow('a graph that was built');
    expect((await builder.build(devicePoints, params)).index).toBe('none');
  });

  it('gives all memory back', async () => {
    const before = gpu.allocatedBytes;
    const own = await NeighborGraphBuilder.create(gpu);
    await own.build(await uploader.upload(shapes[0].points), {eps: 0.04, minPts: 7});
    await own.plan('core');
    own.destroy();
    own.destroy();
    expect(gpu.allocatedBytes).toBe(before);
  });

  it('refuses a caller’s device with too few storage buffers, and says how many it wants', async () => {
    const {adapter} = await findAdapter();
    const device = await adapter.requestDevice({requiredLimits: {maxStorageBuffersPerShaderStage: 8}});
    const made = NeighborGraphBuilder.create(await openGpu({device}));
    await expect(made).rejects.toBeInstanceOf(GpuLimitError);
    await expect(made).rejects.toMatchObject({asked: 10, allowed: 8});
    device.destroy();
  });
});
