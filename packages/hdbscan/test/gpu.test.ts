import {expect, it} from 'vitest';
import type {Progress} from '@epsball/clustering';
import {seededRandom} from '@epsball/conformance';
import {findAdapter, openGpu} from '@epsball/gpu';
import {describeGpu, HAS_SLOW_COMPILER, withGpu} from '@epsball/gpu/testing';
import {createHdbscanSequential, hdbscan} from '@epsball/hdbscan';
import {createHdbscanGpu} from '@epsball/hdbscan/gpu';
import {casesFor, differences, randomSetsFor, weightedSetsFor} from './hdbscanSets.ts';
import {differencesOfSettings} from './settings.ts';

describeGpu('hdbscan on a GPU', () => {
  const rig = withGpu(async (gpu) => ({algorithm: await createHdbscanGpu(gpu)}));

  it('returns the bytes of the oracle, in every order of the rows', async () => {
    expect(await differences((...input) => rig.algorithm.run(...input), casesFor('gpu'))).toEqual([]);
  });

  it('returns the bytes of the oracle on random sets', async () => {
    expect(await differences((...input) => rig.algorithm.run(...input), randomSetsFor('gpu', 0.5))).toEqual([]);
  });

  it('returns the bytes of the oracle on random sets with weights', async () => {
    expect(await differences((...input) => rig.algorithm.run(...input), weightedSetsFor('gpu', 0.3))).toEqual([]);
  });

  it.skipIf(HAS_SLOW_COMPILER)('returns them with kernels for the dimensions, too', async () => {
    using specialized = await createHdbscanGpu(rig.gpu, {isSpecialized: true});
    const planar = casesFor('gpu for dimensions').filter(({points}) => points().dim === 2);
    expect(await differences((...input) => specialized.run(...input), planar)).toEqual([]);
  });

  it.skipIf(HAS_SLOW_COMPILER)('returns them on a device with default limits', async () => {
    const {adapter} = await findAdapter();
    const device = await adapter.requestDevice();
    const small = await openGpu({device});
    try {
      using own = await createHdbscanGpu(small);
      expect(small.limits.maxStorageBuffersPerShaderStage).toBe(8);
      const cases = casesFor('gpu with default limits');
      expect(await differences((...input) => own.run(...input), cases)).toEqual([]);
    } finally {
      small.destroy();
      device.destroy();
    }
  });

  it('finds core distances of any rank', async () => {
    const random = seededRandom(9);
    const points = {coords: Float32Array.from({length: 2000}, random), dim: 2};
    using sequential = createHdbscanSequential();
    for (const minSamples of [1, 2, 3, 4, 65, 600, 2000]) {
      const params = {minClusterSize: 5, minSamples};
      const [expected, actual] = [await sequential.run(points, params), await rig.algorithm.run(points, params)];
      expect(actual.hierarchy.coreSquared).toEqual(expected.hierarchy.coreSquared);
      expect(actual.hierarchy.treeSquared).toEqual(expected.hierarchy.treeSquared);
      expect(actual.condensedTree).toEqual(expected.condensedTree);
    }
  });

  it('condenses for clusters of any size, on lattices too, with both passes of core distances', async () => {
    using sequential = createHdbscanSequential();
    using specialized = await createHdbscanGpu(rig.gpu, {isSpecialized: !HAS_SLOW_COMPILER});
    const random = seededRandom(10);
    const smooth = Float32Array.from({length: 3000}, random);
    for (const coords of [smooth, smooth.map((x) => Math.round(40 * x))]) {
      for (const minClusterSize of [2, 3, 31, 32, 33, 1500]) {
        const run = [
          {coords, dim: 2},
          {minClusterSize, minSamples: 4},
        ] as const;
        const {labels, probabilities, outlierScores, condensedTree} = await sequential.run(...run);
        const expected = {labels, probabilities, outlierScores, condensedTree};
        expect(await specialized.run(...run)).toMatchObject(expected);
      }
    }
  });

  it('selects, for every setting, the bytes of a fresh run', async () => {
    using sequential = createHdbscanSequential();
    const sets = randomSetsFor('settings on a GPU', 0.2);
    expect(await differencesOfSettings(rig.algorithm, sets, sequential)).toEqual([]);
    expect(await differencesOfSettings(sequential, sets.slice(0, 2), rig.algorithm)).toEqual([]);
  });

  it('reports core distances and tree from 0 to the whole, and on software the index', async () => {
    const coords = Float32Array.from({length: 6000}, seededRandom(11));
    for (const dim of [2, 20]) {
      const parts: Record<string, number[]> = {};
      const onProgress = ({phase, done, total}: Progress): void => void (parts[phase] ??= []).push(done / total);
      await rig.algorithm.run({coords, dim}, {minClusterSize: 5}, {onProgress});
      const isIndexed = dim === 2 && rig.gpu.speed === 'software';
      expect(Object.keys(parts)).toEqual([...(isIndexed ? ['index'] : []), 'core', 'tree']);
      for (const [phase, ofPhase] of Object.entries(parts)) {
        expect(ofPhase, phase).toEqual(ofPhase.toSorted((a, b) => a - b));
        expect([ofPhase[0], ofPhase.at(-1)], `${phase} ${dim}`).toEqual([0, 1]);
      }
    }
  });

  it('rejects more than 1536 dimensions, and ends when the signal fires', async () => {
    const wide = {coords: new Float32Array(1537), dim: 1537};
    await expect(rig.algorithm.run(wide)).rejects.toThrow('dim = 1537; expected 1 to 1536 for hdbscan');
    const points = {coords: Float32Array.from({length: 2000}, seededRandom(1)), dim: 2};
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('enough'));
    const aborted = rig.algorithm.run(points, {}, {signal: controller.signal, onProgress});
    await expect(aborted).rejects.toThrow('run aborted in');
    const {backend, stats} = await hdbscan(points, {gpu: rig.gpu, minClusterSize: 10});
    expect(backend).toBe('gpu');
    expect(stats.counters['rounds']).toBeGreaterThan(1);
  });

  it('names the first coordinate that is not finite, of any type, and runs again', async () => {
    const coords = Array.from({length: 100}, seededRandom(4));
    for (const make of [Float32Array, Float64Array]) {
      for (const [bad, duplicates] of [
        [Number.NaN, 'count'],
        [-Infinity, 'once'],
      ] as const) {
        const points = {coords: make.from(coords), dim: 2};
        points.coords[37] = bad;
        const refused = expect(rig.algorithm.run(points, {duplicates})).rejects;
        await refused.toThrow(`point 18, axis 1 = ${bad}; expected a finite coordinate`);
        await expect(rig.algorithm.run(points, {minSamples: 51})).rejects.toThrow('point 18');
      }
    }
    const {labels} = await rig.algorithm.run({coords: Float32Array.from(coords), dim: 2});
    expect(labels).toHaveLength(50);
  });

  it('is destroyed once, and then rejects runs', async () => {
    const own = await createHdbscanGpu(rig.gpu);
    own.destroy();
    own.destroy();
    await expect(own.run({coords: new Float32Array(20), dim: 2})).rejects.toThrow('hdbscan was destroyed');
  });
});
