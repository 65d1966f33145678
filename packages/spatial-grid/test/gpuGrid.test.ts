import {describe, expect, it} from 'vitest';
import {shareOf} from '@epsball/conformance/share';
import {Kernel, ReadBack} from '@epsball/gpu';
import {keepPoints, pointCount, type PointSet} from '@epsball/clustering';
import {buildUniformGrid, cellOnAxis, gridGeometry, pointBounds} from '@epsball/spatial-grid';
import {
  BoundsReduction,
  GpuGridBuilder,
  PointUploader,
  type GpuGrid,
  type GpuGridOptions,
} from '@epsball/spatial-grid/gpu';
import {bruteForce, gridCases} from './gpuPointSets.ts';
import {gridProbeWgsl} from './gridProbe.wgsl.ts';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';

/** Maximum cells of a dense grid in these tests. */
const MAX_DENSE_CELLS = 2 ** 20;

const KINDS = (['float32', 'float64'] as const).flatMap((type) => [1, 2, 3, 4].map((dim) => ({type, dim})));

const beginPass = (encoder: GPUCommandEncoder): GPUComputePassEncoder => encoder.beginComputePass();

describeLongGpu('the grid on a device', () => {
  const rig = withGpu(async (gpu) => ({
    builder: await GpuGridBuilder.create(gpu),
    uploader: new PointUploader(gpu, 'test'),
    reader: new ReadBack(gpu, 'test'),
  }));

  async function build(points: PointSet, eps: number, options: GpuGridOptions): Promise<GpuGrid> {
    return rig.gpu.guard('test', async () =>
      rig.builder.build(await rig.uploader.upload(points), eps, beginPass, options),
    );
  }

  it('does not send points again that are kept and on the device still', async () => {
    for (const coords of [Float32Array.of(1, 2, 3, 4), Float64Array.of(1, 2, 3, 4)]) {
      const kept = keepPoints({coords, dim: 2});
      const first = await rig.uploader.upload(kept, beginPass);
      await first.comingBounds;
      expect(await rig.uploader.upload(kept, beginPass)).toBe(first);
      await rig.uploader.upload({coords: coords.slice(2), dim: 2});
      expect(await rig.uploader.upload(kept, beginPass)).not.toBe(first);
    }
  });

  async function words(buffer: GPUBuffer, length: number): Promise<Uint32Array> {
    const into = new Uint32Array(length);
    await rig.reader.read(buffer, into);
    return into;
  }

  /** Neighbours of every point, through the grid: counts, sums of indices, number of undecided pairs. */
  async function countNeighbors(grid: GpuGrid): Promise<{counts: Uint32Array; sums: Uint32Array; undecided: number}> {
    const {n, bindings, positions, pointOrder, overrides} = grid;
    using found = rig.gpu.createBuffer('test/found', 12 * n, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    const kernel = await Kernel.create(rig.gpu, gridProbeWgsl, 'countNeighbors', overrides);
    await rig.gpu.guard('test', async () => {
      const encoder = rig.gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      const group = kernel.bind({...bindings, positions, pointOrder, found: found.buffer});
      kernel.dispatchOver(pass, group, n);
      pass.end();
      rig.gpu.device.queue.submit([encoder.finish()]);
    });
    const triples = await words(found.buffer, 3 * n);
    const column = (k: number): Uint32Array => Uint32Array.from({length: n}, (_, i) => triples[3 * i + k]);
    return {counts: column(0), sums: column(1), undecided: column(2).reduce((sum, count) => sum + count, 0)};
  }

  /** Cell of every position, axis by axis, starting at 0, decoded from the grid's words. */
  async function cellsOf(grid: GpuGrid): Promise<number[][]> {
    const {n, geometry, overrides, bindings} = grid;
    const ids = await words(bindings.cellIds, n);
    const axes = overrides.IS_SPARSE ? await words(bindings.cellAxes, 1 + overrides.DIM * n) : undefined;
    const ranked = overrides.IS_RANKED === true ? await words(bindings.cellAxes, n) : undefined;
    return Array.from(ids, (id) => {
      let rest = ranked?.[id] ?? id;
      return Array.from(geometry.cellCounts, (count, d) => {
        if (axes) return axes[1 + d * n + id] - 1;
        const cell = rest % (count + 2);
        rest = Math.floor(rest / (count + 2));
        return cell - 1;
      });
    });
  }

  it.for([1, 2, 3, 4])(
    'detects every non-finite coordinate, and no other, with the box of %i-D points',
    async (dim) => {
      using bounds = new BoundsReduction(rig.gpu);
      const n = 3000;
      const points = {coords: Float32Array.from({length: n * dim}, (_, k) => ((k * 37) % 101) - 50), dim};
      points.coords.set([3.4028234663852886e38, -3.4028234663852886e38, 1e-45, -0], 5);
      await expect(bounds.of(await rig.uploader.upload(points), beginPass)).resolves.toEqual(pointBounds(points));
      const bringing = await rig.uploader.upload(points, beginPass);
      await expect(bringing.comingBounds).resolves.toEqual(pointBounds(points));
      await expect(bounds.of(bringing, beginPass)).resolves.toEqual(pointBounds(points));
      const bits = new Uint32Array(points.coords.buffer);
      // Infinities, and NaN of either sign, quiet and signalling.
      for (const bad of [0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001]) {
        for (const at of [0, dim - 1, 1234 * dim, n * dim - 1]) {
          const good = bits[at];
          bits[at] = bad;
          const uploaded = await rig.uploader.upload(points);
          await expect(bounds.of(uploaded, beginPass)).rejects.toMatchObject({index: Math.floor(at / dim)});
          const bringingBad = await rig.uploader.upload(points, beginPass);
          await expect(bounds.of(bringingBad, beginPass)).rejects.toMatchObject({index: Math.floor(at / dim)});
          const onDevice = {...uploaded, unchecked: undefined};
          await expect(bounds.of(onDevice, beginPass)).rejects.toThrow('expected finite coordinates');
          bits[at] = good;
        }
      }
    },
  );

  describe.for(KINDS)('of $type points in $dim dimensions', ({type, dim}) => {
    const all = gridCases(type, dim).flatMap((one) => {
      const {min, max} = pointBounds(one.points);
      const total = gridGeometry(min, max, one.eps).cellCounts.reduce((product, count) => product * (count + 2), 1);
      const sparse = {...one, kind: 'sparse', options: {layout: 'sparse' as const, anyOrder: true}};
      if (total > MAX_DENSE_CELLS) return [sparse];
      const layout = 'dense' as const;
      return [
        sparse,
        {...one, kind: 'dense', options: {layout}},
        {...one, kind: 'counted', options: {layout, anyOrder: true}},
        {...one, kind: 'ranked', options: {layout: 'ranked' as const}},
      ];
    });

    const cases = shareOf(all, {
      of: `the grid of ${type} points in ${dim} dimensions`,
      nameOf: ({name, kind}) => `${kind}: ${name}`,
      familyOf: ({kind}) => kind,
    });

    it.for(cases)('$kind: finds the neighbours of $name', async ({points, eps, options}) => {
      const {counts, sums} = await countNeighbors(await build(points, eps, options));
      const expected = bruteForce(points, eps);
      expect(counts).toEqual(expected.counts);
      expect(sums).toEqual(expected.sums);
    });

    it.for(cases)('$kind: puts $name into the cells of the CPU, in its order', async ({points, eps, kind, options}) => {
      const grid = await build(points, eps, options);
      const n = pointCount(points);
      const pointOrder = await words(grid.pointOrder, n);
      const cells = await cellsOf(grid);
      const expected = Array.from(pointOrder, (i) =>
        Array.from({length: dim}, (_, d) => cellOnAxis(grid.geometry, d, points.coords[i * dim + d])),
      );
      expect(cells).toEqual(expected);
      const ids = await words(grid.bindings.cellIds, n);
      // The points of a counted or ranked cell come in any order.
      if (kind === 'counted' || kind === 'ranked') sortCells(pointOrder, ids);
      expect([...pointOrder]).toEqual([...buildUniformGrid(points, eps).pointOrder]);
      const positions = await words(grid.positions, n);
      const placed = await words(grid.pointOrder, n);
      expect(Array.from(placed, (i) => positions[i])).toEqual([...placed.keys()]);
    });

    it('finds the bounding box', async () => {
      using bounds = new BoundsReduction(rig.gpu);
      for (const {points, name} of gridCases(type, dim)) {
        const {bounds: known, ...uploaded} = await rig.uploader.upload(points);
        const box = known ?? (await bounds.of(uploaded, beginPass));
        const expected = pointBounds(points);
        // Zeros may differ in sign.
        expect(
          [...box.min].map((x) => x + 0),
          name,
        ).toEqual([...expected.min].map((x) => x + 0));
        expect(
          [...box.max].map((x) => x + 0),
          name,
        ).toEqual([...expected.max].map((x) => x + 0));
      }
    });

    it('needs software float64 for few pairs of ordinary points', async () => {
      const [{points, eps}] = gridCases(type, dim);
      const {counts, undecided} = await countNeighbors(await build(points, eps, {layout: 'dense'}));
      expect(undecided).toBeLessThan(counts.reduce((sum, count) => sum + count, 0) / 100);
    });
  });

  it('chooses dense if there are few cells per point, else sparse', async () => {
    const choose = async (points: PointSet, eps: number): Promise<boolean> => {
      const grid = await rig.builder.build(await rig.uploader.upload(points), eps, beginPass);
      return grid.overrides.IS_SPARSE;
    };
    const line = {coords: Float32Array.from({length: 100}, (_, k) => k), dim: 1};
    expect(await choose(line, 1)).toBe(false);
    expect(await choose(line, 1e-6)).toBe(true);
  });

  it('chooses dense up to six cells per point if cells may be counted, and up to 2^20 on a GPU', async () => {
    const isSparse = async (n: number, cells: number, options: GpuGridOptions): Promise<boolean> => {
      const coords = Float32Array.from({length: n}, (_, k) => (k * (cells - 2.5)) / (n - 1));
      return (await build({coords, dim: 1}, 0.999, options)).overrides.IS_SPARSE;
    };
    expect(await isSparse(200_000, 1_190_000, {})).toBe(true);
    expect(await isSparse(200_000, 1_190_000, {anyOrder: true})).toBe(false);
    expect(await isSparse(200_000, 1_210_000, {anyOrder: true})).toBe(true);
    expect(await isSparse(1000, 1_000_000, {anyOrder: true})).toBe(rig.gpu.info.kind !== 'hardware');
    expect(await isSparse(1000, 4000, {anyOrder: true})).toBe(false);
  });

  it('ranks cells up to 128 per point, and sorts them in larger boxes', async () => {
    const isRanked = async (n: number, cells: number): Promise<boolean> => {
      const coords = Float32Array.from({length: n}, (_, k) => (k * (cells - 2.5)) / (n - 1));
      const {overrides} = await build({coords, dim: 1}, 0.999, {layout: 'ranked'});
      expect(overrides.IS_SPARSE).toBe(overrides.IS_RANKED !== true);
      return overrides.IS_RANKED === true;
    };
    expect(await isRanked(1000, 2 ** 24)).toBe(true);
    expect(await isRanked(1000, 2 ** 25 + 2 ** 20)).toBe(false);
    expect(await isRanked(300_000, 38_000_000)).toBe(true);
  });

  it('holds the cells of one layout at a time', async () => {
    const points = {coords: Float32Array.from({length: 10_000}, (_, k) => k % 997), dim: 2};
    const devicePoints = await rig.uploader.upload(points);
    const before = rig.gpu.allocatedBytes;
    /** Bytes held after one builder has built these layouts. */
    const held = async (...builds: readonly GpuGridOptions[]): Promise<number> => {
      using own = await GpuGridBuilder.create(rig.gpu);
      for (const options of builds) await own.build(devicePoints, 10, beginPass, options);
      return rig.gpu.allocatedBytes - before;
    };
    const [dense, sparse] = [{layout: 'dense' as const}, {layout: 'sparse' as const}];
    const counted = {...dense, anyOrder: true};
    const ranked = {layout: 'ranked' as const};
    const [ofDense, ofSparse, ofRanked] = [await held(dense), await held(sparse), await held(ranked)];
    expect(await held(counted)).toBeLessThan(ofDense);
    // Small buffers remain: sums of the scans' tiles, and counts of the sort.
    expect(await held(dense, sparse)).toBeLessThan(1.01 * ofSparse);
    expect(await held(sparse, dense, counted, sparse, dense)).toBeLessThan(1.01 * ofDense);
    expect(await held(dense, sparse, counted)).toBeLessThan(1.01 * ofDense);
    expect(await held(dense, counted, sparse, ranked)).toBeLessThan(1.01 * Math.max(ofRanked, ofDense));
  });

  it('uses memory by number of points, not by size of the box', async () => {
    // Enough points that buffers of fixed size hardly matter: on software adapters the sort's take about 250 KB.
    const n = 100_000;
    using small = await GpuGridBuilder.create(rig.gpu);
    const points = {coords: Float32Array.from({length: 2 * n}, (_, k) => Math.imul(k, 2_654_435_761) % 1e9), dim: 2};
    const devicePoints = await rig.uploader.upload(points);
    const before = rig.gpu.allocatedBytes;
    rig.gpu.resetPeak();
    await small.build(devicePoints, 1, beginPass);
    expect((rig.gpu.peakBytes - before) / n).toBeLessThanOrEqual(60);
  });
});

/** Sorts the words of each cell; the words of a cell are consecutive. */
function sortCells(words: Uint32Array, cellIds: Uint32Array): void {
  for (let start = 0; start < words.length;) {
    let end = start + 1;
    while (end < words.length && cellIds[end] === cellIds[start]) end++;
    words.subarray(start, end).sort();
    start = end;
  }
}
