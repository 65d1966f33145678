import {DestroyedError, InvalidPointsError, RunAbortedError, UnsupportedDimensionError} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import {describeGpu, withGpu} from '@epsball/gpu/testing';
import {pointBounds} from '@epsball/spatial-grid';
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {MeanShiftParams} from '../src/algorithm.ts';
import {meanShiftCatalogue} from '../src/catalogue.ts';
import type {DevicePoints} from '../src/gpu/points/devicePoints.ts';
import {createMeanShift, meanShift, type CreateMeanShiftOptions} from '../src/meanShift.ts';
import {createMeanShiftSequential} from '../src/sequential.ts';
import {cloud, clusteredPoints, labelsOf} from './clusteredPoints.ts';

const PARAMS = {bandwidth: 1.2, cut: 4};
const DATA = clusteredPoints(120, 3, 4, Float32Array);

describe('meanShift', () => {
  it('clusters on the calling thread where points are few', async () => {
    const {labels, shifted, algorithm, backend, options, adapter} = await meanShift(DATA.points, PARAMS);
    expect(labels).toEqual(labelsOf(DATA));
    expect(shifted.length).toBe(360);
    expect({algorithm, backend, options, adapter}).toEqual({
      algorithm: 'points',
      backend: 'sequential',
      options: {},
      adapter: undefined,
    });
  });

  it.each(['sequential', 'workers'] as const)('gives the result of the variant itself on %s', async (backend) => {
    const points = cloud(200, 2, Float64Array, 3);
    const params: MeanShiftParams = {bandwidth: 0.8, kernel: 'flat', binSeeding: true, clusterAll: false};
    using serial = createMeanShiftSequential();
    const expected = await serial.run(points, params);
    const result = await meanShift(points, {...params, backend, threads: 2});
    expect(result.backend).toBe(backend);
    expect(result.labels).toEqual(expected.labels);
    expect(result.clusterCenters).toEqual(expected.clusterCenters);
    expect(result.iterations).toBe(expected.iterations);
  });

  it('moves seeds, reports progress and stops when the signal fires', async () => {
    const seeds = {coords: DATA.points.coords.slice(0, 9), dim: 3};
    const {shifted} = await meanShift(DATA.points, {...PARAMS, seeds});
    expect(shifted.length).toBe(9);
    const phases = new Set<string>();
    await meanShift(DATA.points, {
      ...PARAMS,
      backend: 'workers',
      threads: 2,
      onProgress: ({phase}) => phases.add(phase),
    });
    expect(phases).toContain('shift');
    await expect(meanShift(DATA.points, {...PARAMS, signal: AbortSignal.abort()})).rejects.toBeInstanceOf(
      RunAbortedError,
    );
  });

  it.each([
    [{algorithm: 'mode'}, 'algorithm = "mode"; expected one of auto, points, lattice'],
    [{backend: 'cuda' as never}, 'backend = "cuda"; expected one of auto, sequential, workers, gpu'],
    [{algorithm: 'lattice', backend: 'workers'}, 'backend = "workers"; expected one of auto, gpu for lattice'],
    [{options: {nodes: 3}}, 'algorithm = "auto"; expected the name of an algorithm with the options nodes'],
    [{algorithm: 'lattice', options: {nodes: 1}}, 'nodes = 1; expected an integer from 2 to 32'],
    [{algorithm: 'points', options: {nodes: 3}}, 'option = "nodes"; expected no options for points'],
    [{threads: 0}, 'threads = 0; expected an integer ≥ 1'],
  ] as [CreateMeanShiftOptions, string][])('refuses %o', async (options, message) => {
    await expect(createMeanShift(options)).rejects.toThrow(message);
  });

  it('names a bad point before a bad parameter, and both before dimensions', async () => {
    const bad = {coords: Float32Array.of(0, 1, NaN, 0), dim: 2};
    await expect(meanShift(bad, {bandwidth: -1})).rejects.toBeInstanceOf(InvalidPointsError);
    await expect(meanShift(DATA.points, {bandwidth: 0})).rejects.toThrow('bandwidth = 0; expected a finite number > 0');
    const wide = {coords: new Float64Array(2 * 17), dim: 17};
    const onGpu = {...PARAMS, adapter: 'hardware'} as const;
    await expect(meanShift(wide, onGpu)).rejects.toBeInstanceOf(UnsupportedDimensionError);
    await expect(meanShift(wide, onGpu)).rejects.toThrow('dim = 17; expected 1 to 16 for the backend gpu (points can)');
  });

  it('names what callers without types got wrong', async () => {
    const none = null as never;
    await expect(meanShift(DATA.points, none)).rejects.toThrow('options = null; expected an object with bandwidth');
    await expect(meanShift(none, PARAMS)).rejects.toThrow('points = null; expected an object with coords and dim');
    await expect(meanShift(DATA.points, {...PARAMS, signal: {} as never})).rejects.toThrow('expected an AbortSignal');
    const coords = new Float32Array(4);
    structuredClone(coords, {transfer: [coords.buffer]});
    await expect(meanShift({coords, dim: 2}, PARAMS)).rejects.toThrow('coords is detached');
  });

  it('refuses runs after destroy()', async () => {
    const reusable = await createMeanShift();
    reusable.destroy();
    reusable.destroy();
    await expect(reusable.run(DATA.points, PARAMS)).rejects.toBeInstanceOf(DestroyedError);
    await expect(reusable.label(DATA.points, PARAMS)).rejects.toBeInstanceOf(DestroyedError);
  });

  it('labels without final positions', async () => {
    using reusable = await createMeanShift({backend: 'sequential'});
    const result = await reusable.label(DATA.points, PARAMS);
    expect(result.labels).toEqual(labelsOf(DATA));
    expect(result).not.toHaveProperty('shifted');
    await expect(reusable.label(onDevice(), {...PARAMS, assignment: 'mode'})).rejects.toThrow(
      'expected gpu for points on the device',
    );
  });

  it('loads neither threads nor a GPU when it is imported', () => {
    const program = `import '@epsball/mean-shift';
      const loaded = process.moduleLoadList.filter((name) => name === 'NativeModule worker_threads');
      process.stdout.write(String(loaded.length));`;
    const flags = ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning', '--input-type=module'];
    const {stdout} = spawnSync(process.execPath, [...flags, '--eval', program], {
      cwd: join(import.meta.dirname, '..'),
      encoding: 'utf8',
    });
    expect(stdout).toBe('0');
  });
});

describe('the catalogue of mean shift', () => {
  it('has ids of its own, and never two rows equally preferred on a backend', () => {
    expect(meanShiftCatalogue.map(({id}) => id)).toEqual(['points', 'lattice']);
    const preferences = meanShiftCatalogue.map((row) => row.on.gpu?.preference);
    expect(new Set(preferences).size).toBe(preferences.length);
  });
});

describeGpu('meanShift on a GPU', () => {
  const rig = withGpu();

  it.each(meanShiftCatalogue.flatMap((row) => row.backends.map((backend) => ({row, backend, id: row.id}))))(
    '$id on $backend names what callers without types got wrong, and runs again',
    async ({row, backend}) => {
      using variant = await row.create({backend, gpu: backend === 'gpu' ? rig.gpu : undefined, threads: 1});
      const none = null as never;
      await expect(variant.run(none, PARAMS)).rejects.toThrow('points = null; expected an object with coords and dim');
      await expect(variant.run(DATA.points, none)).rejects.toThrow('params = null; expected an object with bandwidth');
      await expect(variant.run(DATA.points, PARAMS, {signal: {} as never})).rejects.toThrow('expected an AbortSignal');
      expect((await variant.run(DATA.points, PARAMS)).labels).toEqual(labelsOf(DATA));
    },
  );

  it.each([
    {algorithm: 'points', options: {}},
    {algorithm: 'lattice', options: {nodes: 4}},
  ])('runs $algorithm on a borrowed Gpu', async ({algorithm, options}) => {
    const result = await meanShift(DATA.points, {...PARAMS, algorithm, options, gpu: rig.gpu});
    expect(result.labels).toEqual(labelsOf(DATA));
    expect(result).toMatchObject({algorithm, backend: 'gpu', options, adapter: rig.gpu.info});
    expect(result.stats.counters['nodes'] ?? 0).toBeGreaterThan(algorithm === 'lattice' ? 0 : -1);
  });

  it('opens a device of its own and closes it', async () => {
    using reusable = await createMeanShift({backend: 'gpu'});
    const {labels, backend} = await reusable.label(DATA.points, PARAMS);
    expect(backend).toBe('gpu');
    expect(labels).toEqual(labelsOf(DATA));
  });

  it('labels points that a kernel of the caller writes', async () => {
    using reusable = await createMeanShift({gpu: rig.gpu});
    const {labels, backend} = await reusable.label(onDevice(rig.gpu), {...PARAMS, assignment: 'mode'});
    expect(backend).toBe('gpu');
    expect(labels).toEqual(labelsOf(DATA));
  });
});

/** The points, as a kernel of the caller would write them. Without a Gpu they must not be written. */
function onDevice(gpu?: Gpu): DevicePoints {
  const {coords} = DATA.points;
  return {
    n: 120,
    dim: 3,
    bounds: pointBounds(DATA.points),
    write(target, {center, factor, blocks}) {
      const words = new Float32Array(4 * blocks * 120);
      coords.forEach((x, k) => (words[Math.floor(k / 3) * 4 * blocks + (k % 3)] = (x - center[k % 3]) * factor));
      gpu?.device.queue.writeBuffer(target, 0, words);
    },
  };
}
