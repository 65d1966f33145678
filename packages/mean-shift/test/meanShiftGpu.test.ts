import type {ProgressListener} from '@epsball/clustering';
import {AlgorithmFrame} from '@epsball/gpu';
import {describeGpu, withGpu} from '@epsball/gpu/testing';
import {pointBounds} from '@epsball/spatial-grid';
import {expect, it} from 'vitest';
import type {MeanShiftPhase} from '../src/algorithm.ts';
import {Device} from '../src/gpu/device.ts';
import {DeviceGroups} from '../src/gpu/modes/deviceGroups.ts';
import {mergeOnDevice} from '../src/gpu/modes/deviceMerge.ts';
import type {DevicePointScale} from '../src/gpu/points/devicePoints.ts';
import {VectorIndex} from '../src/gpu/points/vectorIndex.ts';
import {createMeanShiftGpu, createTunedMeanShift} from '../src/gpu/meanShiftGpu.ts';
import {createMeanShiftSequential} from '../src/sequential.ts';
import {mergeGroups, numberClusters} from '../src/modes/mergeModes.ts';
import {predictLabels} from '../src/modes/predict.ts';
import {finish} from '../src/resumable.ts';
import {cloud, clusteredPoints, labelsOf} from './clusteredPoints.ts';
import {testMeanShift} from './meanShiftContract.ts';

const BASINS = {kernel: 'flat', assignment: 'basin'} as const;

describeGpu('mean shift on a GPU', () => {
  const rig = withGpu(async (gpu) => ({meanShift: await createMeanShiftGpu(gpu)}));

  testMeanShift({get: () => rig.meanShift, tolerance: 1e-4, dims: [2, 7]});

  it('labels and merges on the device as on the host', async () => {
    for (const dim of [2, 5]) {
      const data = clusteredPoints(700, dim, 5, Float32Array);
      const params = {bandwidth: 1.2, cut: 3};
      const {labels, clusterCenters, stats} = await rig.meanShift.label(data.points, params);
      using serial = createMeanShiftSequential();
      const expected = await serial.run(data.points, params);
      expect(labels).toEqual(labelsOf(data));
      expect(clusterCenters.length).toBe(expected.clusterCenters.length);
      expected.clusterCenters.forEach((x, k) => expect(Math.abs(clusterCenters[k] - x)).toBeLessThan(1e-3));
      expect(stats.counters.arrived).toBe(700);
    }
  });

  it('reports the parts of its phases, of basins, too', async () => {
    const shares = new Map<string, number[]>();
    const onProgress: ProgressListener = ({phase, done, total}) => {
      shares.set(phase, [...(shares.get(phase) ?? []), done / total]);
    };
    // Groups of one mode each: more than a submission has on a software adapter.
    const place = (i: number): number[] => [3 * (i % 70), 3 * Math.floor(i / 70)];
    const points = {coords: Float32Array.from(Array.from({length: 4900}, (_, i) => place(i)).flat()), dim: 2};
    const {clusterCenters} = await rig.meanShift.label(points, {...BASINS, bandwidth: 1}, {onProgress});
    expect(clusterCenters.length).toBe(2 * 4900);
    expect([...shares.keys()]).toEqual(['index', 'shift', 'labels']);
    for (const all of shares.values()) {
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      expect(all.at(-1)).toBeLessThanOrEqual(1);
    }
    expect(shares.get('labels')?.[0]).toBe(0);
    if (rig.gpu.speed === 'hardware') return;
    // A slow phase repeats what is done.
    expect([...new Set(shares.get('index'))]).toEqual([0, 0.3, 0.4, 0.85, 1]);
    expect([...new Set(shares.get('labels'))]).toEqual([0, 4096 / 4900, 1]);
  });

  it('labels points of equal coordinates at bandwidth 0, too', async () => {
    const points = {coords: Float32Array.of(3, 1, 3, 2, 3), dim: 1};
    const result = await rig.meanShift.label(points, {kernel: 'flat', bandwidth: 0});
    expect([...result.labels]).toEqual([0, 2, 0, 1, 0]);
    expect([...result.clusterCenters]).toEqual([3, 2, 1]);
  });

  it('labels points that the caller writes to the device', async () => {
    const {points} = clusteredPoints(300, 5, 4, Float32Array);
    const {coords, dim} = points;
    const params = {bandwidth: 1.2, kernel: 'flat', assignment: 'mode'} as const;
    const onDevice = {
      n: 300,
      dim,
      bounds: pointBounds(points),
      write(places: GPUBuffer, {center, factor, blocks}: DevicePointScale): void {
        const words = new Float32Array(4 * blocks * 300);
        coords.forEach((x, k) => {
          words[4 * blocks * Math.floor(k / dim) + (k % dim)] = (x - center[k % dim]) * factor;
        });
        rig.gpu.device.queue.writeBuffer(places, 0, words);
      },
    };
    const expected = await rig.meanShift.label(points, params);
    const {labels, clusterCenters} = await rig.meanShift.label(onDevice, params);
    expect(labels).toEqual(expected.labels);
    expect(clusterCenters).toEqual(expected.clusterCenters);
    expect((await rig.meanShift.label({...onDevice, n: 0}, params)).labels.length).toBe(0);
    await expect(rig.meanShift.label(onDevice, {...params, assignment: 'nearest'})).rejects.toThrow(
      "expected 'mode' or 'basin' for points on the device",
    );
    await expect(rig.meanShift.label(onDevice, {...params, bandwidth: 0})).rejects.toThrow(
      'bandwidth = 0; expected a finite number > 0 for points on the device',
    );
  });

  it('gives the same result with a workgroup for each trajectory', async () => {
    using teams = await createTunedMeanShift(rig.gpu, {}, {workgroupsBelow: 2 ** 20});
    const points = cloud(90, 3, Float32Array, 6);
    // Barriers are slow on software adapters: few trajectories, few steps.
    for (const kernel of [{cut: 2}, {kernel: 'flat'}] as const) {
      const params = {bandwidth: 1, maxIterations: 4, ...kernel};
      const alone = await rig.meanShift.run(points, params);
      const together = await teams.run(points, params);
      let most = 0;
      for (let k = 0; k < 270; k++) most = Math.max(most, Math.abs(together.shifted[k] - alone.shifted[k]));
      // Both stop within a step of the tolerance.
      expect(most / params.bandwidth).toBeLessThan(0.005);
      expect(together.labels).toEqual(alone.labels);
      expect(Math.abs(together.stats.counters.shifts / alone.stats.counters.shifts - 1)).toBeLessThan(0.01);
    }
  });

  it('gives the same result in many dispatches as in one', async () => {
    using cautious = await createTunedMeanShift(rig.gpu, {}, {firstPairs: 1});
    const points = cloud(600, 2, Float32Array, 5);
    for (const kernel of [{cut: 2}, {kernel: 'flat'}] as const) {
      const params = {bandwidth: 0.3, maxIterations: 5, ...kernel};
      const {shifted, labels, stats} = await cautious.run(points, params);
      const expected = await rig.meanShift.run(points, params);
      expect(shifted).toEqual(expected.shifted);
      expect(labels).toEqual(expected.labels);
      expect(stats.counters).toEqual(expected.stats.counters);
    }
  });

  it('averages a group of many modes as float64 does', async () => {
    const m = 2 ** 17;
    const device = new Device(rig.gpu);
    const {uploader, scratch} = device;
    const [positions, pointOrder] = [scratch.take('positions', 16 * m), scratch.take('pointOrder', 4 * m)];
    // The first mode is at 0; differences from it are summed.
    await uploader.upload(
      Float32Array.from({length: 4 * m}, (_, k) => (k % 4 === 0 && k > 0 ? 0.1 : 0)),
      positions,
    );
    await uploader.upload(
      Uint32Array.from({length: m}, (_, k) => k),
      pointOrder,
    );
    const [min, max] = [Float64Array.of(0), Float64Array.of(1)];
    const scale = {isSingle: false, center: Float64Array.of(0), factor: 1, blocks: 1, quads: 1, quantum: 0, min, max};
    const groups = await DeviceGroups.create(device);
    using frame = new AlgorithmFrame<MeanShiftPhase>(rig.gpu, {name: 'merge', label: 'test', owned: []});
    const merged = await frame.run(m, {}, (run) =>
      groups.merge({positions, pointOrder, m, dim: 1, scale, bandwidth: 1}, run),
    );
    const {clusterCenters = new Float64Array(0)} = merged ?? {};
    groups.destroy();
    device.destroy();
    expect(clusterCenters.length).toBe(1);
    expect(Math.abs(clusterCenters[0] / (Math.fround(0.1) * (1 - 1 / m)) - 1)).toBeLessThan(1e-5);
  });

  it.each([2, 5])('merges many groups of modes on the device as on the host, in %i dimensions', async (dim) => {
    const count = 3000;
    // Modes form long chains within reach of each other.
    const bandwidth = dim === 2 ? 0.15 : 1;
    const {coords} = cloud(count, dim, Float32Array, 8);
    const sizes = Int32Array.from({length: count}, (_, g) => 1 + ((g * 7919) % 5));
    const first = Int32Array.from({length: count}, (_, g) => (g * 1009) % count);
    const sums = Float64Array.from(coords, (x, k) => x * sizes[Math.floor(k / dim)]);
    const expected = finish(mergeGroups({dim, sums, sizes, first}, bandwidth));
    expect(expected.support.length).toBeGreaterThan(50);

    const blocks = Math.ceil(dim / 4);
    const words = new Float32Array(4 * blocks * count);
    for (let k = 0; k < coords.length; k++) words[4 * blocks * Math.floor(k / dim) + (k % dim)] = coords[k];
    const device = new Device(rig.gpu);
    const {uploader, scratch} = device;
    const [means, sizesOnDevice, firsts] = ['means', 'sizes', 'firsts'].map((what) =>
      scratch.take(what, words.byteLength),
    );
    await uploader.upload(words, means);
    await uploader.upload(sizes, sizesOnDevice);
    await uploader.upload(first, firsts);
    const box = pointBounds({coords, dim});
    const scale = {
      isSingle: false,
      center: new Float64Array(dim),
      factor: 1,
      blocks,
      quads: blocks,
      quantum: 0,
      ...box,
    };
    const index = await VectorIndex.create(device);
    using frame = new AlgorithmFrame<MeanShiftPhase>(rig.gpu, {name: 'merge', label: 'test', owned: []});
    const owner = await frame.run(count, {}, (run) =>
      mergeOnDevice(device, index, {means, sizes: sizesOnDevice, firsts, count, dim, scale, radius: bandwidth}, run),
    );
    index.destroy();
    device.destroy();
    expect(numberClusters({dim, sizes, first, sums}, owner)).toEqual(expected);
  });

  it.each([2, 6])('labels by the nearest centre on the device as on the host, in %i dimensions', async (dim) => {
    const points = cloud(700, dim, Float32Array, 3);
    const seeds = {coords: cloud(90, dim, Float32Array, 4).coords.map((x) => Math.round(2 * x) / 2), dim};
    for (const clusterAll of [true, false]) {
      // Seeds hardly move: one step, of the few points around.
      const bandwidth = dim === 2 ? 0.3 : 1.2;
      const params = {bandwidth, kernel: 'flat', maxIterations: 1, clusterAll} as const;
      const {labels, clusterCenters} = await rig.meanShift.label(points, params, {seeds});
      expect(clusterCenters.length).toBeGreaterThan(10 * dim);
      expect(labels).toEqual(predictLabels(points, clusterCenters, {bandwidth, clusterAll}));
    }
  });

  it('labels thousands of different modes', async () => {
    const points = cloud(6000, 2, Float32Array, 8);
    const {labels, clusterCenters} = await rig.meanShift.label(points, {bandwidth: 0.03, cut: 1, maxIterations: 1});
    expect(new Set(labels).size).toBe(clusterCenters.length / 2);
    expect(new Set(labels).size).toBeGreaterThan(2000);
  });

  it('accepts bandwidths out of the range of float32, and points near its ends', async () => {
    const points = cloud(40, 2, Float32Array, 9);
    const huge = {coords: points.coords.map((x) => (x - 3) * 1e37), dim: 2};
    for (const [set, bandwidth, clusters] of [
      [points, 1e-36, 40],
      [points, 1e38, 1],
      [huge, 1e38, 1],
      [huge, 1e30, 40],
    ] as const) {
      const {labels, clusterCenters} = await rig.meanShift.run(set, {bandwidth, maxIterations: 30});
      expect(new Set(labels).size).toBe(clusters);
      expect(clusterCenters.every((x) => Number.isFinite(x))).toBe(true);
    }
  });

  it('accepts 16 dimensions, and boxes too wide for keys of 64 bits', async () => {
    const data = clusteredPoints(90, 16, 3, Float32Array);
    const {labels} = await rig.meanShift.run(data.points, {bandwidth: 3, cut: 4});
    expect(labels).toEqual(labelsOf(data));
    await expect(rig.meanShift.run(cloud(5, 17, Float32Array), {bandwidth: 1})).rejects.toThrow(
      'dim = 17; expected 1 to 16',
    );
  });

  it('refuses runs after destroy()', async () => {
    const gone = await createMeanShiftGpu(rig.gpu);
    gone.destroy();
    gone.destroy();
    await expect(gone.run(cloud(5, 2, Float32Array), {bandwidth: 1})).rejects.toThrow('destroyed');
  });
});
