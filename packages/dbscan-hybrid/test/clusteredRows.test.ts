import {pointCount, type DbscanParams, type PointSet} from '@epsball/clustering';
import {blobs, toPoints} from '@epsball/conformance';
import {ReadBack} from '@epsball/gpu';
import {describeGpu, withGpu} from '@epsball/gpu/testing';
import {NeighborGraphBuilder} from '@epsball/neighbor-graph';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {DisjointSets} from '@epsball/union-find';
import {expect, it} from 'vitest';
import {ClusteredRows} from '../src/clusteredRows.ts';

interface Rows {
  readonly isCore: readonly boolean[];
  readonly starts: Uint32Array;
  readonly parents: Uint32Array;
  readonly edges: Uint32Array;
}

describeGpu('the rows of core and border points', () => {
  const rig = withGpu(async (gpu) => ({
    uploader: new PointUploader(gpu, 'test'),
    builder: await NeighborGraphBuilder.create(gpu),
    clustered: await ClusteredRows.create(gpu),
    reader: new ReadBack(gpu, 'test'),
  }));

  async function rowsOf(points: PointSet, params: DbscanParams): Promise<Rows> {
    const n = pointCount(points);
    const room = 2 * n;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const edges = rig.gpu.createBuffer('test/edges', 4 * room, usage);
    return rig.gpu.guard('test', async () => {
      await rig.builder.build(await rig.uploader.upload(points), params, {
        filter: 'core',
        edges: edges.buffer,
        beforeWait: (uncounted) => {
          const encoder = rig.gpu.device.createCommandEncoder();
          const pass = encoder.beginComputePass();
          rig.clustered.encode(pass, uncounted, edges.buffer, room);
          pass.end();
          rig.gpu.device.queue.submit([encoder.finish()]);
        },
      });
      const {edgeCount} = await rig.builder.plan('core');
      expect(edgeCount).toBeLessThanOrEqual(room);
      const words = async (part: number, counts: {rows: number; edges: number}): Promise<Uint32Array> => {
        const {source, offset = 0, bytes} = rig.clustered.parts(n, edges.buffer, counts)[part];
        const read = new Uint32Array(bytes / 4);
        await rig.reader.read(source, read, offset);
        return read;
      };
      const [rows] = await words(0, {rows: 0, edges: 0});
      const counts = {rows, edges: edgeCount};
      const packed = await words(1, counts);
      const isCore = Array.from(packed, (word) => word >>> 31 === 1);
      const [starts, parents] = [await words(2, counts), await words(3, counts)];
      const read = {isCore, starts, parents, edges: await words(4, counts)};
      edges.destroy();
      return read;
    });
  }

  /** Clusters by edges between core points. */
  function setsOf({isCore, starts, edges}: Rows): DisjointSets {
    const sets = new DisjointSets(isCore.length);
    isCore.forEach((core, row) => {
      if (core) for (let k = starts[row]; k < starts[row + 1]; k++) sets.unite(row, edges[k]);
    });
    return sets;
  }

  function expectForest(rows: Rows): void {
    const sets = setsOf(rows);
    rows.parents.forEach((parent, row) => {
      expect(parent).toBeLessThanOrEqual(row);
      if (!rows.isCore[row]) expect(parent).toBe(row);
      expect(rows.isCore[parent]).toBe(rows.isCore[row]);
      expect(sets.findRoot(parent)).toBe(sets.findRoot(row));
    });
  }

  it('bring a parent each, of the same cluster, and most the same as others', async () => {
    const rows = await rowsOf(blobs('float32', 2, 2000, {seed: 3, clusters: 5}), {eps: 0.03, minPts: 5});
    expectForest(rows);
    const cores = rows.isCore.filter(Boolean).length;
    const trees = rows.parents.filter((parent, row) => rows.isCore[row] && parent === row).length;
    expect(cores).toBeGreaterThan(500);
    expect(trees).toBeLessThan(cores / 10);
    expect(rows.isCore.length).toBeGreaterThan(cores);
  });

  it('bring one that is 64 steps away where the root is further', async () => {
    // Every core point has one lower neighbour.
    const line = toPoints(
      'float32',
      1,
      Array.from({length: 300}, (_, i) => i),
    );
    const rows = await rowsOf(line, {eps: 1, minPts: 3});
    expectForest(rows);
    // The two ends are border points.
    expect([...rows.parents]).toEqual(rows.isCore.map((core, row) => (core ? Math.max(1, row - 64) : row)));
  });
});
