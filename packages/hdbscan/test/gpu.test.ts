import {afterAll, beforeAll, expect, it} from 'vitest';
import {hdbscanCases, judgeHdbscanCase, randomHdbscanCase, seededRandom} from '@epsball/conformance';
import {shareOf, sizeOfShare} from '@epsball/conformance/share';
import {openGpu, type Gpu} from '@epsball/gpu';
import {describeGpu} from '@epsball/gpu/testing';
import {createHdbscanSequential, hdbscan, type HdbscanAlgorithm} from '@epsball/hdbscan';
import {createHdbscanGpu} from '@epsball/hdbscan/gpu';

describeGpu('hdbscan on a GPU', () => {
  let gpu: Gpu;
  let algorithm: HdbscanAlgorithm;
  beforeAll(async () => {
    gpu = await openGpu();
    algorithm = await createHdbscanGpu(gpu);
  });
  afterAll(() => {
    algorithm?.destroy();
    gpu?.destroy();
  });

  it('returns the bytes of the oracle', async () => {
    // Of the large sets, whose oracle takes seconds, a short share keeps one.
    const isTold = ({name}: {name: string}): boolean => !/^seed|^\d{4} points, [^u]/.test(name);
    for (const one of shareOf(hdbscanCases, {of: 'gpu', nameOf: ({name}) => name, isKept: isTold})) {
      const found = await judgeHdbscanCase((points, params) => algorithm.run(points, params), one);
      expect(found, one.name).toBe(null);
    }
  });

  it('returns the bytes of the oracle on random sets', async () => {
    for (let seed = 4000; seed < 4000 + sizeOfShare(2000); seed++) {
      const one = randomHdbscanCase(seed, 300, 5);
      const found = await judgeHdbscanCase((points, params) => algorithm.run(points, params), one);
      expect(found, one.name).toBe(null);
    }
  });

  it('returns them with kernels for the dimensions, too', async () => {
    using specialized = await createHdbscanGpu(gpu, {isSpecialized: true});
    const planar = hdbscanCases.filter(({points}) => points().dim === 2);
    for (const one of shareOf(planar, {of: 'gpu for dimensions', nameOf: ({name}) => name})) {
      const found = await judgeHdbscanCase((points, params) => specialized.run(points, params), one);
      expect(found, one.name).toBe(null);
    }
  });

  it('finds core distances of any rank', async () => {
    const random = seededRandom(9);
    const points = {coords: Float32Array.from({length: 2000}, random), dim: 2};
    using sequential = createHdbscanSequential();
    for (const minSamples of [1, 65, 600]) {
      const params = {minClusterSize: 5, minSamples};
      const [expected, actual] = [await sequential.run(points, params), await algorithm.run(points, params)];
      expect(actual.coreSquared).toEqual(expected.coreSquared);
      expect(actual.treeSquared).toEqual(expected.treeSquared);
      expect(actual.condensedTree).toEqual(expected.condensedTree);
    }
  });

  it('rejects more than 16 dimensions, and ends when the signal fires', async () => {
    const wide = {coords: new Float32Array(17), dim: 17};
    await expect(algorithm.run(wide)).rejects.toThrow('dim = 17; expected 1 to 16 for hdbscan');
    const points = {coords: Float32Array.from({length: 2000}, seededRandom(1)), dim: 2};
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('enough'));
    const aborted = algorithm.run(points, {}, {signal: controller.signal, onProgress});
    await expect(aborted).rejects.toThrow('run aborted in');
    const {backend, stats} = await hdbscan(points, {gpu, minClusterSize: 10});
    expect(backend).toBe('gpu');
    expect(stats.counters['rounds']).toBeGreaterThan(1);
  });

  it('is destroyed once, and then rejects runs', async () => {
    const own = await createHdbscanGpu(gpu);
    own.destroy();
    own.destroy();
    await expect(own.run({coords: new Float32Array(20), dim: 2})).rejects.toThrow('hdbscan was destroyed');
  });
});
