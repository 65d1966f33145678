import {RunAbortedError, UnsupportedDimensionError, type DbscanParams, type PointSet} from '@epsball/clustering';
import {blobs, dbscanOracle, integerLattice, toPoints, uniform} from '@epsball/conformance';
import {createDenseGridGpu} from '@epsball/dbscan-dense-grid/gpu';
import {createMappedPoints, ReadBack, Uploader} from '@epsball/gpu';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import {describe, expect, it} from 'vitest';

/** Points with their coordinates moved by `offset`. */
function moved(points: PointSet, offset: number): PointSet {
  return {coords: points.coords.map((x) => x + offset), dim: points.dim};
}

describeLongGpu('dense-grid on a device', () => {
  const rig = withGpu(async (gpu) => ({dbscan: await createDenseGridGpu(gpu)}));

  async function expectOracle(points: PointSet, params: DbscanParams): Promise<void> {
    const actual = await rig.dbscan.run(points, params);
    const expected = dbscanOracle(points, params);
    expect(actual.labels).toEqual(expected.labels);
    expect(actual.coreMask).toEqual(expected.coreMask);
    expect(actual.clusterCount).toBe(expected.clusterCount);
  }

  describe.for([1, 2, 3, 4] as const)('in %i dimensions', (dim) => {
    it('finds clusters, borders and noise, near the origin and far from it', async () => {
      for (const precision of ['float32', 'float64'] as const) {
        const points = blobs(precision, dim, 700, {seed: 3, clusters: 9});
        for (const minPts of [1, 4, 30, 1000]) await expectOracle(points, {eps: 0.03, minPts});
        await expectOracle(moved(points, 1e6), {eps: 0.13, minPts: 5});
      }
    });

    it('decides lattices whose neighbours are exactly eps apart', async () => {
      const side = [0, 120, 13, 6, 4][dim];
      const lattice = toPoints('float32', dim, integerLattice(dim, side));
      for (const minPts of [2 * dim, 2 * dim + 1, 2 * dim + 2]) await expectOracle(lattice, {eps: 1, minPts});
      await expectOracle(lattice, {eps: Math.sqrt(dim), minPts: 3});
      await expectOracle(moved(lattice, 2 ** 20), {eps: 1, minPts: 3});
    });

    it('takes duplicates as neighbours', async () => {
      const coords = Float32Array.from({length: 900 * dim}, (_, k) => Math.floor(k / dim) % 3);
      for (const eps of [0.5, 1, 4]) await expectOracle({coords, dim}, {eps, minPts: 250});
    });
  });

  it('does without whole cells where an axis has too many of them, or eps is tiny', async () => {
    const wide = uniform('float64', 2, 300, 4);
    // One point far away, so that an axis would have 10^13 cells.
    const coords = Float64Array.from([...wide.coords, 1e12, 1e12]);
    await expectOracle({coords, dim: 2}, {eps: 0.1, minPts: 4});
    const tiny = Float64Array.from({length: 400}, (_, k) => (k % 20) * 1e-160);
    await expectOracle({coords: tiny, dim: 2}, {eps: 3e-160, minPts: 3});
    await expectOracle({coords: tiny, dim: 1}, {eps: 1.6e-162, minPts: 2});
  });

  it('gives the same for a sparse grid', async () => {
    const points = blobs('float32', 3, 800, {seed: 8, clusters: 4});
    const far = Float32Array.from([...points.coords, 4000, 4000, 4000]);
    await expectOracle({coords: far, dim: 3}, {eps: 0.04, minPts: 6});
  });

  it('clusters points on the device and leaves the labels there', async () => {
    const points = blobs('float32', 2, 500, {seed: 6, clusters: 5});
    const params = {eps: 0.03, minPts: 4};
    using uploader = new Uploader(rig.gpu, 'test');
    using coords = rig.gpu.createBuffer(
      'test/coords',
      points.coords.byteLength,
      GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    );
    await uploader.upload(points.coords, coords.buffer);
    const {labels, clusterCount} = await rig.dbscan.runOnDevice({coords: coords.buffer, n: 500, dim: 2}, params);
    using reader = new ReadBack(rig.gpu, 'test');
    const read = new Int32Array(500);
    await reader.read(labels, read);
    const expected = dbscanOracle(points, params);
    expect(read).toEqual(expected.labels);
    expect(clusterCount).toBe(expected.clusterCount);
  });

  it('takes weights with points on the device', async () => {
    using uploader = new Uploader(rig.gpu, 'test');
    using reader = new ReadBack(rig.gpu, 'test');
    // Lattice neighbours are exactly eps apart, so that software float64 sums their weights.
    for (const points of [
      blobs('float32', 2, 500, {seed: 6, clusters: 5}),
      toPoints('float32', 2, integerLattice(2, 20)),
    ]) {
      const n = points.coords.length / 2;
      using coords = rig.gpu.createBuffer('test/coords', 8 * n, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST);
      await uploader.upload(points.coords, coords.buffer);
      const eps = points.coords[2] % 1 === 0 ? 1 : 0.03;
      const sampleWeight = Float64Array.from({length: n}, (_, i) => ((i * 7) % 9) / 2 - 1);
      for (const params of [
        {eps, minPts: 4, sampleWeight},
        {eps, minPts: 4},
      ]) {
        const found = await rig.dbscan.runOnDevice({coords: coords.buffer, n, dim: 2}, params);
        const [labels, coreMask] = [new Int32Array(n), new Uint8Array(n)];
        await reader.read(found.labels, labels);
        await reader.read(found.coreMask, coreMask);
        const expected = dbscanOracle(points, params);
        expect(labels).toEqual(expected.labels);
        expect(coreMask).toEqual(expected.coreMask);
        expect(found.clusterCount).toBe(expected.clusterCount);
      }
    }
  });

  it('fills arrays of the caller, and lends labels until they are released', async () => {
    const points = blobs('float32', 2, 700, {seed: 3, clusters: 9});
    const params = {eps: 0.03, minPts: 4};
    const expected = dbscanOracle(points, params);
    const output = {labels: new Int32Array(700), coreMask: new Uint8Array(700)};
    const filled = await rig.dbscan.run(points, params, output);
    expect(filled.labels).toBe(output.labels);
    expect(filled.coreMask).toBe(output.coreMask);
    expect(output).toEqual({labels: expected.labels, coreMask: expected.coreMask});

    const borrowed = await rig.dbscan.run(points, params, {labels: 'borrowed'});
    expect([...borrowed.labels]).toEqual([...expected.labels]);
    expect(borrowed.coreMask).toEqual(expected.coreMask);
    borrowed.release?.();
    expect(borrowed.labels.length).toBe(0);
    borrowed.release?.();
    const lent = await rig.dbscan.run(points, params, {labels: 'borrowed'});
    const next = await rig.dbscan.run(points, params, {labels: 'borrowed'});
    expect(lent.labels.length).toBe(0);
    // The memory belongs to the next run now.
    lent.release?.();
    expect([...next.labels]).toEqual([...expected.labels]);
    next.release?.();
    await expect(rig.dbscan.run(points, params, {labels: new Int32Array(3)})).rejects.toThrow(
      'an Int32Array of length 700',
    );
    await expectOracle(points, params);
  });

  it('takes points that the caller writes into memory of the device', async () => {
    const source = blobs('float32', 2, 700, {seed: 3, clusters: 9});
    const params = {eps: 0.03, minPts: 4};
    const expected = dbscanOracle(source, params);
    using points = createMappedPoints(rig.gpu, 700, 2);
    points.coords.set(source.coords);
    expect((await rig.dbscan.run(points, params)).labels).toEqual(expected.labels);
    expect(points.coords.length).toBe(0);
    await expect(rig.dbscan.run(points, params)).rejects.toThrow('coords is detached');
    await points.map();
    expect((await rig.dbscan.run(points, {eps: 0.05, minPts: 4})).labels).toEqual(
      dbscanOracle(source, {eps: 0.05, minPts: 4}).labels,
    );
    await points.map();
    points.coords.fill(1);
    expect((await rig.dbscan.run(points, params)).clusterCount).toBe(1);
    expect(() => createMappedPoints(rig.gpu, 0, 2)).toThrow('n = 0; expected an integer ≥ 1');
  });

  it('reports the parts of a run on software, and ends between two of them', async () => {
    const points = uniform('float32', 2, 100, 1);
    const params = {eps: 0.1, minPts: 2};
    const seen: number[] = [];
    await rig.dbscan.run(points, params, {onProgress: ({done}) => seen.push(done)});
    expect(seen).toEqual(rig.gpu.speed === 'software' ? [0, 40, 60, 75, 100] : []);
    for (const last of seen.slice(0, -1)) {
      const controller = new AbortController();
      const onProgress = ({done}: {readonly done: number}): void => {
        if (done === last) controller.abort();
      };
      const run = rig.dbscan.run(points, params, {signal: controller.signal, onProgress});
      await expect(run, `${last} of 100`).rejects.toThrow(RunAbortedError);
      await expectOracle(points, params);
    }
  });

  it('refuses 5 dimensions and ends at a signal', async () => {
    const params = {eps: 1, minPts: 2};
    await expect(rig.dbscan.run({coords: new Float32Array(10), dim: 5}, params)).rejects.toThrow(
      UnsupportedDimensionError,
    );
    const run = rig.dbscan.run(uniform('float32', 2, 100, 1), params, {signal: AbortSignal.abort()});
    await expect(run).rejects.toThrow(RunAbortedError);
    await expectOracle(uniform('float32', 2, 100, 1), params);
  });
});
