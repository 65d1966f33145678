import {InvalidPointsError, RunAbortedError, UnsupportedDimensionError, type PointSet} from '@epsball/clustering';
import {SEED, sizeOfShare} from '@epsball/conformance/share';
import {WorkerPool} from '@epsball/workers';
import * as fc from 'fast-check';
import {afterAll, describe, expect, it, vi} from 'vitest';
import {buildUniformGrid, openSharedGrid, RANGES_LENGTH, type CellIndex} from '../src/index.ts';
import {SharedGridBuilder, type SharedGridBuild} from '../src/workers/index.ts';

const LAYOUTS = ['dense', 'sparse'] as const;

type Layout = (typeof LAYOUTS)[number];

function shared(values: Float32Array | Float64Array, dim: number): PointSet {
  const memory = new SharedArrayBuffer(values.byteLength);
  const coords = values instanceof Float32Array ? new Float32Array(memory) : new Float64Array(memory);
  coords.set(values);
  return {coords, dim};
}

/** Seeded numbers in [0, 1); `power` crowds them towards 0. */
function numbers(count: number, seed: number, power = 1): Float64Array {
  let state = seed;
  return Float64Array.from({length: count}, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 32) ** power;
  });
}

/** The ranges around each stored cell. */
function allRanges(index: CellIndex, cells: readonly number[]): number[][] {
  const ranges = new Int32Array(RANGES_LENGTH);
  return cells.map((cell) => [...ranges.subarray(0, 2 * index.neighborRanges(cell, ranges))]);
}

function expectSame(
  {grid, cellBounds, positionBounds}: SharedGridBuild,
  points: PointSet,
  eps: number,
  layout: Layout,
  cells: 'eps' | 'diagonal' = 'eps',
): void {
  const serial = buildUniformGrid(points, eps, {layout, cells});
  expect(grid.layout).toBe(layout);
  expect(grid.cellCount).toBe(serial.cellCount);
  expect(grid.geometry).toEqual(serial.geometry);
  for (const name of ['cellStart', 'cellCoords', 'rowStart', 'pointOrder', 'sortedCoords'] as const) {
    expect(Buffer.compare(bytesOf(grid[name]), bytesOf(serial[name])), name).toBe(0);
  }
  expect(cellBounds.at(-1)).toBe(grid.cellCount);
  expect(positionBounds).toEqual(cellBounds.map((cell) => grid.cellStart[cell]));
  const ascending = Array.from({length: grid.cellCount}, (_, c) => c);
  const scattered = ascending.map((c) => (c * 7919) % Math.max(1, grid.cellCount));
  for (const order of [ascending, ascending.toReversed(), scattered]) {
    const expected = allRanges(serial, order);
    expect(allRanges(openSharedGrid(grid), order)).toEqual(expected);
    expect(allRanges(openSharedGrid(serial), order)).toEqual(expected);
  }
}

function bytesOf({buffer, byteOffset, byteLength}: ArrayBufferView): Buffer {
  return Buffer.from(new Uint8Array(buffer, byteOffset, byteLength));
}

describe.for([1, 2, 3])('a grid built by %i threads', (threads) => {
  const pool = new WorkerPool({threads});
  const builder = new SharedGridBuilder(pool);
  afterAll(() => {
    builder.destroy();
    pool.destroy();
  });

  describe.for(LAYOUTS)('%s', (layout) => {
    it.for([
      ['no point', shared(new Float32Array(0), 2), 1],
      ['one point', shared(Float32Array.of(3, -4, 5), 3), 1],
      ['points on a line', shared(numbers(900, 1), 1), 0.01],
      ['float32 points in a plane', shared(Float32Array.from(numbers(6000, 2)), 2), 0.04],
      ['points crowded in a corner', shared(numbers(6000, 3, 4), 2), 0.02],
      ['points in space', shared(numbers(4500, 4), 3), 0.13],
      ['points in four dimensions', shared(Float32Array.from(numbers(2000, 5)), 4), 0.4],
      ['identical points', shared(new Float64Array(600).fill(2.5), 2), 0.1],
      ['a negative zero after a positive one', shared(Float64Array.of(0, 0, 1, 1, -0, -0, 1, 1), 2), 1],
      ['zeros of both signs', shared(Float64Array.of(0, -0, -0, 0, 1, -0, -1, 0), 2), 1],
    ] as const)('equals the serial one for %s', async ([, points, eps]) => {
      for (const cells of ['eps', 'diagonal'] as const) {
        expectSame(
          await builder.build(points, eps, {layout, cells, tableBytesMax: Infinity, pointsPerChunk: 1}),
          points,
          eps,
          layout,
          cells,
        );
      }
    });
  });

  it('equals the serial one in boxes of any size', async () => {
    for (const dim of [1, 2, 3, 4]) {
      const corners = numbers(40 * dim, dim).map((x) => Math.round(x * 3) * 1e9);
      const coords = Float64Array.from({length: 400 * dim}, (_, k) => corners[k % corners.length] + (k % 7) / 4);
      const points = shared(coords, dim);
      expectSame(
        await builder.build(points, 0.25, {tableBytesMax: Infinity, pointsPerChunk: 1}),
        points,
        0.25,
        'sparse',
      );
    }
  });

  it.for([2, 3, 4])('equals the serial one without a table, %i-D', async (dim) => {
    const points = shared(Float32Array.from(numbers(3000 * dim, dim)), dim);
    const build = await builder.build(points, 0.1, {layout: 'sparse', pointsPerChunk: 1});
    expect(build.grid.cellRows).toBeUndefined();
    expectSame(build, points, 0.1, 'sparse');
  });

  it('has a table if that may be so large', async () => {
    const points = shared(numbers(300, 1), 3);
    const tableOf = async (tableBytesMax: number): Promise<unknown> =>
      (await builder.build(points, 0.1, {layout: 'sparse', tableBytesMax})).grid.cellRows;
    // 9 rows around each of at most 100 cells, 5 bytes each, on cache lines.
    expect(await tableOf(9 * 100 * 5 + 128)).toBeDefined();
    expect(await tableOf(500)).toBeUndefined();
  });

  it('has no table where the engine has no memory for it', async () => {
    const points = shared(numbers(3000, 1), 3);
    using own = new SharedGridBuilder(pool);
    // Its other memory is kept.
    await own.build(points, 0.1, {layout: 'sparse'});
    class Scarce extends SharedArrayBuffer {
      constructor(bytes: number) {
        if (bytes > 20_000) throw new RangeError('Array buffer allocation failed');
        super(bytes);
      }
    }
    vi.stubGlobal('SharedArrayBuffer', Scarce);
    const building = own.build(points, 0.1, {layout: 'sparse', tableBytesMax: Infinity});
    const {grid} = await building.finally(() => vi.unstubAllGlobals());
    expect(grid.cellRows).toBeUndefined();
  });

  it('equals the serial one for any points', async () => {
    const anyPoints = fc
      .integer({min: 1, max: 4})
      .chain((dim) =>
        fc.tuple(
          fc.constant(dim),
          fc.array(fc.array(fc.integer({min: -9, max: 9}), {minLength: dim, maxLength: dim}), {maxLength: 200}),
        ),
      );
    await fc.assert(
      fc.asyncProperty(
        anyPoints,
        fc.constantFrom(0.5, 1, 3.7),
        fc.constantFrom(...LAYOUTS),
        async ([dim, rows], eps, layout) => {
          const points = shared(Float64Array.from(rows.flat()), dim);
          expectSame(
            await builder.build(points, eps, {layout, tableBytesMax: Infinity, pointsPerChunk: 1}),
            points,
            eps,
            layout,
          );
        },
      ),
      {numRuns: sizeOfShare(100), seed: SEED},
    );
  });

  it('refuses bad points and five dimensions, and works afterwards', async () => {
    const values = numbers(2000, 6);
    values[1203] = NaN;
    values[1777] = Infinity;
    await expect(builder.build(shared(values, 2), 0.1)).rejects.toThrow(InvalidPointsError);
    await expect(builder.build(shared(values, 2), 0.1)).rejects.toMatchObject({index: 601});
    await expect(builder.build(shared(numbers(10, 7), 5), 0.1)).rejects.toThrow(UnsupportedDimensionError);
    const signal = AbortSignal.abort();
    await expect(builder.build(shared(numbers(10, 7), 2), 0.1, {signal})).rejects.toThrow(RunAbortedError);
    const points = shared(numbers(2000, 6), 2);
    expectSame(await builder.build(points, 0.1, {layout: 'dense', pointsPerChunk: 1}), points, 0.1, 'dense');
  });

  it('balances the load although a few points are distant', async () => {
    const values = numbers(40_000, 9);
    for (const far of [3, 14_001, 39_998]) values[far] = 1e6;
    const points = shared(values, 2);
    const build = await builder.build(points, 0.01, {pointsPerChunk: 500});
    expectSame(build, points, 0.01, 'sparse');
    const {positionBounds} = build;
    const longest = Math.max(...positionBounds.slice(1).map((end, k) => end - positionBounds[k]));
    expect(longest).toBeLessThanOrEqual(threads === 1 ? 20_000 : (2 * 20_000) / (positionBounds.length - 1));
    if (threads > 1) expect(positionBounds.length - 1).toBeGreaterThan(6 * threads);
  });

  it('does not modify the points', async () => {
    const points = shared(numbers(2000, 8), 2);
    const before = points.coords.slice();
    await builder.build(points, 0.03);
    expect(points.coords.slice()).toEqual(before);
  });
});
