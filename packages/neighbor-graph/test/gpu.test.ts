import {expect, it} from 'vitest';
import {GpuLimitError, InvalidParameterError} from '@epsball/clustering';
import {ReadBack, Scratch} from '@epsball/gpu';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import {
  NeighborGraphBuilder,
  type EdgeFilter,
  type GraphIndex,
  type GraphOptions,
  type NeighborGraph,
} from '@epsball/neighbor-graph';
import {uniform} from '@epsball/conformance';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {isStored, neighborLists, shapes, joinedComponents, type Shape} from './graphs.ts';

describeLongGpu('the neighbour graph', () => {
  const rig = withGpu(async (gpu) => ({
    builder: await NeighborGraphBuilder.create(gpu),
    uploader: new PointUploader(gpu, 'test'),
    reader: new ReadBack(gpu, 'test'),
  }));

  async function readWords(buffer: GPUBuffer, length: number): Promise<Uint32Array> {
    const words = new Uint32Array(length);
    await rig.reader.read(buffer, words);
    return words;
  }

  /** Rows of the last plan by point index, columns ascending, read in chunks of at most `maxEdges`. */
  async function readRows(pointOrder: Uint32Array, rowStart: Uint32Array, maxEdges: number): Promise<number[][]> {
    const rows: number[][] = [];
    using edges = rig.gpu.createBuffer('test/edges', 4 * maxEdges, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    let nextRow = 0;
    for (const chunk of await rig.builder.chunks(maxEdges)) {
      expect(chunk.firstRow).toBe(nextRow);
      expect(chunk.edgeCount).toBeLessThanOrEqual(maxEdges);
      nextRow += chunk.rowCount;
      await rig.builder.writeEdges(chunk, edges.buffer);
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
    const graph = await rig.builder.build(await rig.uploader.upload(points), {eps, minPts}, {index, ...options});
    const {n} = graph;
    const positions = await readWords(graph.positions, n);
    const degrees = await readWords(graph.degrees, n);
    expect(graph.index).toBe(index);
    expect(Array.from(positions, (position) => degrees[position])).toEqual(expected.map((row) => row.length));
    expect(graph.edgeCount).toBe(expected.reduce((sum, row) => sum + row.length, 0));
    expect(graph.maxDegree).toBe(Math.max(...expected.map((row) => row.length)));
    await expectEdges({points, eps, minPts}, graph, maxEdges, filters);
  }

  /** Checks the edges of each filter of the last graph. */
  async function expectEdges(
    {points, eps, minPts}: Omit<Shape, 'what'>,
    graph: NeighborGraph,
    maxEdges: number,
    filters: readonly EdgeFilter[] = ['all', 'core', 'borderToCore', 'coreToCore', 'all'],
    isKept = false,
  ): Promise<void> {
    const {n} = graph;
    const expected = neighborLists(points, eps);
    const pointOrder = await readWords(graph.pointOrder, n);
    const positions = await readWords(graph.positions, n);
    const vertices = expected.map((row, i) => ({isCore: row.length + 1 >= minPts, position: positions[i]}));
    for (const filter of filters) {
      const stored = expected.map((row, i) => row.filter((j) => isStored(filter, vertices[i], vertices[j])));
      const plan = await rig.builder.plan(filter);
      const rows = await readRows(pointOrder, await readWords(plan.rowStart, n + 1), maxEdges);
      // Over a grid a filter stores a subset that joins the same points.
      const isThin = graph.index === 'grid' && filter !== 'all' && !isKept;
      if (isThin) {
        for (const [i, row] of rows.entries()) expect(stored[i], filter).toEqual(expect.arrayContaining(row));
        expect(joinedComponents(rows, vertices, expected), filter).toEqual(
          joinedComponents(stored, vertices, expected),
        );
      } else expect(rows, filter).toEqual(stored);
      expect(plan.edgeCount, filter).toBe(rows.reduce((sum, row) => sum + row.length, 0));
      expect(plan.maxRowLength, filter).toBe(Math.max(...rows.map((row) => row.length)));
    }
  }

  it.for(shapes)('without an index: $what', (shape) => rig.gpu.guard('test', () => expectGraph(shape, 'none')));

  // Software adapters compile software float64 for seconds per dimension; the conformance suite covers the other
  // shapes.
  it.for([0, 2, 4, 5].map((k) => shapes[k]))('over a grid: $what', (shape) =>
    rig.gpu.guard('test', () => expectGraph(shape, 'grid')),
  );

  it.for(['none', 'grid'] as const)('can be written in chunks of rows, index %s', async (index) => {
    // Chunks smaller than one block of rows, and over several blocks.
    await expectGraph(shapes[0], index, 200, ['core']);
    await expectGraph(shapes[0], index, 2000, ['all']);
  });

  it.for(['none', 'grid'] as const)('is the same in steps of few pairs, index %s', async (index) => {
    for (const shape of [shapes[0], shapes[4]]) {
      let between = 0;
      const options = {pairsPerStep: index === 'grid' ? 500 : 5000, betweenSteps: async () => void between++};
      await expectGraph(shape, index, 1e5, ['all', 'core'], options);
      expect(between).toBeGreaterThan(1);
    }
  });

  it('lays out a filter with the degrees, and calls beforeWait after the submit', async () => {
    const waits: string[] = [];
    const beforeWait = ({n, index}: {n: number; index: string}): void => void waits.push(`${index} ${n}`);
    await expectGraph(shapes[0], 'grid', 1e5, ['core', 'all', 'core'], {filter: 'core', beforeWait});
    expect(waits).toEqual(['grid 300']);
  });

  it('omits edges over a grid that join nothing new', async () => {
    // A point needs one edge to another point of its place; a blob's core point needs few of dozens.
    await rig.builder.build(await rig.uploader.upload(shapes[3].points), {eps: 1, minPts: 70});
    expect((await rig.builder.plan('core')).edgeCount).toBe(69);
    const {points, eps, minPts} = shapes[0];
    await rig.builder.build(await rig.uploader.upload(points), {eps, minPts}, {index: 'none'});
    const whole = await rig.builder.plan('core');
    await rig.builder.build(await rig.uploader.upload(points), {eps, minPts}, {index: 'grid'});
    const some = await rig.builder.plan('core');
    expect(some.edgeCount).toBeLessThan(whole.edgeCount / 3);
  });

  // Rows of the second shape have more columns than the count keeps.
  it.for([
    {name: 'short rows', ...shapes[0], rows: [1, 7]},
    {name: 'long rows', points: uniform('float32', 3, 3000, 7), eps: 0.2, minPts: 30, rows: [8, 100]},
  ])('writes edges together with the degrees if the caller passes a buffer: $name', async (shape) => {
    const {points, eps, minPts, rows} = shape;
    const devicePoints = await rig.uploader.upload(points);
    for (const index of ['grid', 'none'] as const) {
      for (const room of [500_000, 5]) {
        using edges = rig.gpu.createBuffer('test/edges', 4 * room, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
        let isWritten = false;
        const beforeWait = (graph: {edges?: GPUBuffer | undefined}): void =>
          void (isWritten = graph.edges === edges.buffer);
        const options = {index, filter: 'core', edges: edges.buffer, beforeWait} as const;
        const graph = await rig.builder.build(devicePoints, {eps, minPts}, options);
        expect(isWritten).toBe(true);
        await expectEdges({points, eps, minPts}, graph, 1e5, ['core']);
        if (room === 5) continue;
        const {edgeCount, rowStart, maxRowLength} = await rig.builder.plan('core');
        if (index === 'grid') expect([maxRowLength >= rows[0], maxRowLength <= rows[1]]).toEqual([true, true]);
        const starts = await readWords(rowStart, graph.n + 1);
        const early = await readWords(edges.buffer, edgeCount);
        using late = rig.gpu.createBuffer('test/late', 4 * edgeCount, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
        await rig.builder.writeEdges({firstRow: 0, rowCount: graph.n, edgeCount}, late.buffer);
        const rowsOf = (words: Uint32Array): number[][] =>
          Array.from({length: graph.n}, (_, i) =>
            Array.from(words.subarray(starts[i], starts[i + 1])).toSorted((a, b) => a - b),
          );
        expect(rowsOf(early)).toEqual(rowsOf(await readWords(late.buffer, edgeCount)));
      }
    }
    let hasEdges = true;
    const beforeWait = (graph: {edges?: GPUBuffer | undefined}): void => void (hasEdges = graph.edges !== undefined);
    using unused = rig.gpu.createBuffer('test/edges', 4000, GPUBufferUsage.STORAGE);
    const long = {filter: 'core', edges: unused.buffer, pairsPerStep: 5000, beforeWait} as const;
    await rig.builder.build(devicePoints, {eps, minPts}, long);
    expect(hasEdges).toBe(false);
  });

  it.for(['none', 'grid'] as const)('selects the edges of all filters from kept edges, index %s', async (index) => {
    for (const shape of [shapes[0], shapes[4]]) {
      const {points, eps, minPts} = shape;
      const graph = await rig.builder.build(await rig.uploader.upload(points), {eps, minPts}, {index});
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      using kept = rig.gpu.createBuffer('test/kept', 4 * graph.edgeCount, usage);
      await rig.builder.plan('core');
      expect(() => rig.builder.keepEdges(kept.buffer)).toThrow('filter = "core"');
      await rig.builder.plan('all');
      await rig.builder.writeEdges({firstRow: 0, rowCount: graph.n, edgeCount: graph.edgeCount}, kept.buffer);
      rig.builder.keepEdges(kept.buffer);
      await expectEdges(shape, graph, 200, undefined, true);
    }
  });

  it('can end between two steps, and afterwards has no plan', async () => {
    const {points, eps, minPts} = shapes[0];
    let mayGoOn = true;
    const betweenSteps = async (): Promise<void> => {
      if (!mayGoOn) throw new Error('enough');
    };
    const options = {index: 'none', pairsPerStep: 5000, betweenSteps} as const;
    const devicePoints = await rig.uploader.upload(points);
    const graph = await rig.builder.build(devicePoints, {eps, minPts}, options);
    mayGoOn = false;
    await expect(rig.builder.plan('coreToCore')).rejects.toThrow('enough');
    mayGoOn = true;
    const {rowStart, edgeCount} = await rig.builder.plan('all');
    expect(edgeCount).toBe(graph.edgeCount);
    expect((await readWords(rowStart, graph.n + 1)).at(-1)).toBe(edgeCount);
    mayGoOn = false;
    await expect(rig.builder.build(devicePoints, {eps, minPts}, options)).rejects.toThrow('enough');
    await expect(rig.builder.plan('all')).rejects.toThrow('a successful build() first');
    await expectGraph(shapes[0], 'none');
  });

  it('returns undefined if the device has no memory for edges, and works with a smaller size', async () => {
    await rig.gpu.guard('test', async () => {
      using memory = new Scratch(rig.gpu, 'test');
      const {device} = rig.gpu;
      const before = rig.gpu.allocatedBytes;
      // A buffer too large for any device, refused like one that exceeds the free memory.
      device.createBuffer = (descriptor) =>
        Object.getPrototypeOf(device).createBuffer.call(device, {
          ...descriptor,
          size: descriptor.size > 4096 ? 2 ** 50 : descriptor.size,
        });
      try {
        expect(await memory.takeIfFree('edges', 8192)).toBeUndefined();
        expect(rig.gpu.allocatedBytes).toBe(before);
        const taken = await memory.takeIfFree('edges', 4096);
        expect(taken?.size).toBe(4096);
        expect(await memory.takeIfFree('edges', 1000)).toBe(taken);
      } finally {
        Reflect.deleteProperty(device, 'createBuffer');
      }
      expect((await memory.takeIfFree('edges', 8192))?.size).toBe(8192);
    });
  });

  it('refuses chunks smaller than one row, and reports the bytes needed', async () => {
    const graph = await rig.builder.build(await rig.uploader.upload(shapes[3].points), {eps: 1, minPts: 2});
    await rig.builder.plan('all');
    expect(graph.maxDegree).toBe(69);
    const chunks = rig.builder.chunks(68);
    await expect(chunks).rejects.toBeInstanceOf(GpuLimitError);
    await expect(chunks).rejects.toMatchObject({asked: 276, allowed: 272});
    expect(await rig.builder.chunks(69)).toHaveLength(70);
  });

  it('counts the points that float32 could not decide', async () => {
    const sure = await rig.builder.build(await rig.uploader.upload(shapes[0].points), {eps: 0.04, minPts: 7});
    expect(sure.undecidedCount).toBeLessThan(10);
    const {points, eps} = shapes[4];
    const undecided = await rig.builder.build(await rig.uploader.upload(points), {eps, minPts: 5});
    expect(undecided.undecidedCount).toBe(81);
  });

  it('refuses a grid in more than 4 dimensions, and uses none there by default', async () => {
    const devicePoints = await rig.uploader.upload(shapes[8].points);
    const params = {eps: 0.1, minPts: 7};
    await expect(rig.builder.build(devicePoints, params, {index: 'grid'})).rejects.toBeInstanceOf(
      InvalidParameterError,
    );
    await expect(rig.builder.plan('all')).rejects.toThrow('a successful build() first');
    expect((await rig.builder.build(devicePoints, params)).index).toBe('none');
  });

  it('frees all memory', async () => {
    const before = rig.gpu.allocatedBytes;
    const own = await NeighborGraphBuilder.create(rig.gpu);
    await own.build(await rig.uploader.upload(shapes[0].points), {eps: 0.04, minPts: 7});
    await own.plan('core');
    own.destroy();
    own.destroy();
    expect(rig.gpu.allocatedBytes).toBe(before);
  });
});
