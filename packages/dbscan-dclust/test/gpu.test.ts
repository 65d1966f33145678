import {expect, it, vi} from 'vitest';
import {
  GpuLimitError,
  InvalidParameterError,
  RunAbortedError,
  type DbscanParams,
  type DbscanStats,
  type PointSet,
} from '@epsball/clustering';
import {blobs, dbscanOracle, gaussian, integerLattice, seededRandom, toPoints, uniform} from '@epsball/conformance';
import {createDclustGpu} from '@epsball/dbscan-dclust/gpu';
import type {DclustOptions} from '@epsball/dbscan-dclust';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';

describeLongGpu('dclust on a device', () => {
  const rig = withGpu();

  /** Compares a run with the oracle and returns its counters. */
  async function expectRight(
    options: DclustOptions,
    points: PointSet,
    params: DbscanParams,
  ): Promise<Readonly<Record<string, number>>> {
    const dbscan = await createDclustGpu(rig.gpu, options);
    try {
      const {labels, coreMask, clusterCount, stats} = await dbscan.run(points, params);
      expect({labels, coreMask, clusterCount}).toEqual(dbscanOracle(points, params));
      return stats.counters;
    } finally {
      dbscan.destroy();
    }
  }

  it.for([
    {what: 'in device memory', quarantineBytes: 2 ** 20},
    {what: 'without room for them, in a second pass', quarantineBytes: 0},
  ])('keeps all candidates of a large minPts $what', async ({quarantineBytes}) => {
    // Forty core points in the middle of a sphere. In sixteen dimensions points on the sphere are rarely near each
    // other.
    const n = 2080;
    const random = seededRandom(5);
    const onSphere = Array.from({length: n}, (_, i) => {
      const direction = Array.from({length: 16}, () => gaussian(random));
      const length = Math.hypot(...direction);
      return direction.map((x) => ((i % 52 === 0 ? 0.05 : 0.9) * x) / length);
    });
    const points = toPoints('float32', 16, onSphere.flat());
    // With one chain, second passes rarely have another cause.
    const options = {chains: 1, quarantineBytes};
    const {rescans, clusters} = await expectRight(options, points, {eps: 1, minPts: 2048});
    expect(clusters).toBe(1);
    expect(rescans === 40, `${rescans} second passes`).toBe(quarantineBytes === 0);
  });

  it.for([
    {levels: 1, fanout: 40},
    {levels: 2, fanout: 2},
    {levels: 4, fanout: 5},
    {pca: true, fanout: 16},
    {pca: true, levels: 1, fanout: 16},
  ])(
    'gives the same labels with a directory of $levels levels, fan-out $fanout, principal axes $pca',
    async (options) => {
      for (const precision of ['float32', 'float64'] as const) {
        await expectRight(options, blobs(precision, 5, 700, {seed: 3, sigma: 0.03}), {eps: 0.1, minPts: 4});
      }
      await expectRight(options, toPoints('float32', 3, integerLattice(3, 6)), {eps: 1, minPts: 7});
    },
  );

  it.for([{fanout: 4}, {levels: 2}, {pca: true}])(
    'builds no directory for few points, except with %o',
    async (asked) => {
      const points = uniform('float32', 3, 1000, 9);
      const statsWith = async (options: DclustOptions): Promise<DbscanStats> => {
        using dbscan = await createDclustGpu(rig.gpu, {chains: 1, ...options});
        return (await dbscan.run(points, {eps: 0.05, minPts: 3})).stats;
      };
      const [without, built] = [await statsWith({}), await statsWith(asked)];
      // The sorted copy of the points alone takes 12 bytes per point.
      expect(built.deviceBytes).toBeGreaterThan((without.deviceBytes ?? 0) + 12 * 1000);
      expect(built.phaseMs.index).toBeGreaterThan(0);
      expect(without.phaseMs).not.toHaveProperty('index');
    },
  );

  it('reports the counters of the paper', async () => {
    // Every chain starts somewhere on a line, and all chains are one cluster.
    const line = toPoints(
      'float32',
      1,
      Array.from({length: 600}, (_, k) => k),
    );
    const many = await expectRight({chains: 16, index: 'none'}, line, {eps: 1.5, minPts: 2});
    expect(many.chains).toBeGreaterThanOrEqual(16);
    // Uniting c chains takes c − 1 collisions; the matrix may count some twice.
    expect(many.collisions).toBeGreaterThanOrEqual(many.chains - 1);
    const dense = await expectRight({chains: 2, seedLength: 4}, uniform('float32', 2, 400, 1), {eps: 0.3, minPts: 3});
    expect(dense.overflows).toBeGreaterThan(100);
    expect(dense.refills).toBeGreaterThan(10);
    const noise = await expectRight({}, line, {eps: 0.5, minPts: 2});
    expect(noise).toMatchObject({clusters: 0, chains: 0, collisions: 0, overflows: 0, contestedBorders: 0});
  });

  it('splits a chain when no unprocessed points are left', async () => {
    const clump = uniform('float32', 2, 800, 7);
    const {splits} = await expectRight({chains: 5, index: 'none'}, clump, {eps: 2, minPts: 2});
    expect(splits).toBeGreaterThan(0);
  });

  it('does not wait for the host after every point, even with one chain', async () => {
    const {rounds, batches} = await expectRight({chains: 1}, uniform('float32', 2, 2000, 2), {eps: 1e-5, minPts: 2});
    expect(rounds).toBeLessThan(1000);
    expect(batches).toBeLessThan(100);
  });

  it('times kernels separately if the adapter has timestamps', async () => {
    const counters = await expectRight({kernelTimes: true}, uniform('float32', 2, 500, 3), {eps: 0.05, minPts: 3});
    const timed = ['expansionMs', 'newSeedsMs', 'seedRefillMs'].map((name) => counters[name] >= 0);
    expect(timed).toEqual(timed.map(() => rig.gpu.hasTimestamps));
  });

  it('stops at an abort during the search, and the next run is correct', async () => {
    using dbscan = await createDclustGpu(rig.gpu, {chains: 1});
    const points = uniform('float32', 2, 2000, 4);
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('enough'));
    const running = dbscan.run(points, {eps: 0.01, minPts: 2}, {signal: controller.signal, onProgress});
    await expect(running).rejects.toBeInstanceOf(RunAbortedError);
    const params = {eps: 0.01, minPts: 3};
    expect((await dbscan.run(points, params)).labels).toEqual(dbscanOracle(points, params).labels);
  });

  it('labels more contested border points than fit into a dispatch', async () => {
    // Nine points per group: two core points, each with three points beside it, and one that neighbours both.
    const places = [0, 0, 0, 0.9, 1.8, 2.7, 3.6, 3.6, 3.6];
    const line = toPoints(
      'float32',
      1,
      Array.from(
        {length: 600 * places.length},
        (_, k) => 8 * Math.floor(k / places.length) + places[k % places.length],
      ),
    );
    const params = {eps: 1, minPts: 5};
    const {contestedBorders} = await expectRight({}, line, params);
    expect(contestedBorders).toBeGreaterThan(512);
  });

  it('rejects seed lists larger than any buffer at creation, with options and bytes', async () => {
    const creating = createDclustGpu(rig.gpu, {chains: 4096, seedLength: 2 ** 20});
    await expect(creating).rejects.toBeInstanceOf(GpuLimitError);
    await expect(creating).rejects.toThrow(/chains = 4096, seedLength = 1048576: asked \d+, allowed \d+; fewer chains/);
  });

  it('names options when the device is out of memory, and works again', async () => {
    using dbscan = await createDclustGpu(rig.gpu);
    const points = uniform('float32', 2, 100, 1);
    const params = {eps: 0.1, minPts: 3};
    const popped = vi
      .spyOn(rig.gpu.device, 'popErrorScope')
      .mockResolvedValueOnce(new GPUOutOfMemoryError('none left'));
    await expect(dbscan.run(points, params)).rejects.toThrow('seedLength');
    popped.mockRestore();
    expect((await dbscan.run(points, params)).labels).toEqual(dbscanOracle(points, params).labels);
  });

  it('rejects a directory with too many leaves at creation', async () => {
    const creating = createDclustGpu(rig.gpu, {levels: 3, fanout: 102});
    await expect(creating).rejects.toBeInstanceOf(InvalidParameterError);
    await expect(creating).rejects.toThrow('fanout = 102; expected an integer, 2 … 101 with 3 levels');
  });

  it('rejects a run after destroy()', async () => {
    const dbscan = await createDclustGpu(rig.gpu);
    const points = uniform('float32', 3, 10, 1);
    dbscan.destroy();
    await expect(dbscan.run(points, {eps: 1, minPts: 2})).rejects.toThrow('dclust was destroyed');
  });
});
