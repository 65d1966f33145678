import {afterAll, beforeAll, expect, it} from 'vitest';
import {GpuLimitError, InvalidParameterError} from '@epsball/clustering';
import {findAdapter, openGpu, Reader, type Gpu} from '@epsball/gpu';
import {Scan} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {
  EdgeMemory,
  NeighborGraphBuilder,
  type EdgeFilter,
  type GraphIndex,
  type GraphOptions,
  type NeighborGraph,
} from '@epsball/neighbor-graph';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {RowSurveyor} from '../src/rowSurvey.ts';
import {isStored, neighborLists, shapes, type Shape} from './graphs.ts';

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
      await builder.writeEdges(chunk, edges.buffer);
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
    filters?: readonly EdgeFilter[],
    options: GraphOptions = {},
  ): Promise<void> {
    const expected = neighborLists(points, eps);
    const graph = await builder.build(await uploader.upload(points), {eps, minPts}, {index, ...options});
    const {n} = graph;
    const positions = await readWords(graph.positions, n);
    const degrees = await readWords(graph.degrees, n);
    expect(graph.index).toBe(index);
    expect(Array.from(positions, (position) => degrees[position])).toEqual(expected.map((row) => row.length));
    expect(graph.edgeCount).toBe(expected.reduce((sum, row) => sum + row.length, 0));
    expect(graph.maxDegree).toBe(Math.max(...expected.map((row) => row.length)));
    await expectEdges({points, eps, minPts}, graph, maxEdges, filters);
  }

  /** The edges of each filter of the graph that was built last. */
  async function expectEdges(
    {points, eps, minPts}: Omit<Shape, 'what'>,
    graph: NeighborGraph,
    maxEdges: number,
    filters: readonly EdgeFilter[] = ['all', 'core', 'borderToCore', 'coreToCore', 'all'],
  ): Promise<void> {
    const {n} = graph;
    const expected = neighborLists(points, eps);
    const pointOrder = await readWords(graph.pointOrder, n);
    const positions = await readWords(graph.positions, n);
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

  it.for(['none', 'grid'] as const)('is the same in steps of few pairs, index %s', async (index) => {
    for (const shape of [shapes[0], shapes[4]]) {
      let between = 0;
      const options = {pairsPerStep: 5000, betweenSteps: async () => void between++};
      await expectGraph(shape, index, 1e5, ['all', 'core'], options);
      expect(between).toBeGreaterThan(1);
    }
  });

  it('lays out a filter with the degrees, and tells the caller when all is on its way', async () => {
    const waits: string[] = [];
    const beforeWait = ({n, index}: {n: number; index: string}): void => void waits.push(`${index} ${n}`);
    await expectGraph(shapes[0], 'grid', 1e5, ['core', 'all', 'core'], {filter: 'core', beforeWait});
    expect(waits).toEqual(['grid 300']);
  });

  it.for(['none', 'grid'] as const)(
    'takes the edges of all filters out of a graph that is kept, index %s',
    async (index) => {
      for (const shape of [shapes[0], shapes[4]]) {
        const {points, eps, minPts} = shape;
        const graph = await builder.build(await uploader.upload(points), {eps, minPts}, {index});
        const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
        using kept = gpu.createBuffer('test/kept', 4 * graph.edgeCount, usage);
        await builder.plan('core');
        expect(() => builder.keepEdges(kept.buffer)).toThrow('filter = "core"');
        await builder.plan('all');
        await builder.writeEdges({firstRow: 0, rowCount: graph.n, edgeCount: graph.edgeCount}, kept.buffer);
        builder.keepEdges(kept.buffer);
        await expectEdges(shape, graph, 200);
      }
    },
  );

  it('ends between two steps, and knows afterwards that nothing is laid out', async () => {
    const {points, eps, minPts} = shapes[0];
    let mayGoOn = true;
    const betweenSteps = async (): Promise<void> => {
      if (!mayGoOn) throw new Error('enough');
    };
    const options = {index: 'none', pairsPerStep: 5000, betweenSteps} as const;
    const devicePoints = await uploader.upload(points);
    const graph = await builder.build(devicePoints, {eps, minPts}, options);
    mayGoOn = false;
    await expect(builder.plan('coreToCore')).rejects.toThrow('enough');
    mayGoOn = true;
    const {rowStart, edgeCount} = await builder.plan('all');
    expect(edgeCount).toBe(graph.edgeCount);
    expect((await readWords(rowStart, graph.n + 1)).at(-1)).toBe(edgeCount);
    mayGoOn = false;
    await expect(builder.build(devicePoints, {eps, minPts}, options)).rejects.toThrow('enough');
    await expect(builder.plan('all')).rejects.toThrow('a graph that was built');
    await expectGraph(shapes[0], 'none');
  });

  it('says where the device has no memory for edges, and takes what there is', async () => {
    await gpu.guard('test', async () => {
      using memory = new EdgeMemory(gpu, 'test/edges');
      const {device} = gpu;
      const before = gpu.allocatedBytes;
      // A buffer that no device has, which is refused as one beyond the free memory is.
      device.createBuffer = (descriptor) =>
        Object.getPrototypeOf(device).createBuffer.call(device, {
          ...descriptor,
          size: descriptor.size > 4096 ? 2 ** 50 : descriptor.size,
        });
      try {
        expect(await memory.take(8192)).toBeUndefined();
        expect(gpu.allocatedBytes).toBe(before);
        const taken = await memory.take(4096);
        expect(taken?.size).toBe(4096);
        expect(await memory.take(1000)).toBe(taken);
      } finally {
        Reflect.deleteProperty(device, 'createBuffer');
      }
      expect((await memory.take(8192))?.size).toBe(8192);
    });
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
    using surveyor = await RowSurveyor.create(gpu);
    const encoder = gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const buffers = {rowLengths: [rowLength.buffer], undecidedRows: undecidedRows.buffer};
    const [survey] = await surveyor.look({n, ...buffers}, pass, () => {
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
