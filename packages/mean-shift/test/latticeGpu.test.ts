import {GpuLimitError, type PointSet} from '@epsball/clustering';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import {expect, it} from 'vitest';
import {latticeBound} from './latticeBound.ts';
import {createMeanShiftGpu, createTunedMeanShift} from '../src/gpu/meanShiftGpu.ts';
import {createMeanShiftSequential} from '../src/sequential.ts';
import {cloud, clusteredPoints, labelsOf} from './clusteredPoints.ts';
import {firedAt} from './firedSignal.ts';

/** Distances between the ends of the trajectories, in bandwidths. */
function differences(a: Float64Array, b: Float64Array, dim: number, bandwidth: number): number[] {
  const apart: number[] = [];
  for (let i = 0; i < a.length; i += dim) {
    let d2 = 0;
    for (let d = 0; d < dim; d++) d2 += (a[i + d] - b[i + d]) ** 2;
    apart.push(Math.sqrt(d2) / bandwidth);
  }
  return apart;
}

/** Sums of weights at every point, by the definition. */
function weightsOf({coords, dim}: PointSet, bandwidth: number): number[] {
  const n = coords.length / dim;
  return Array.from({length: n}, (_, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) {
      let d2 = 0;
      for (let d = 0; d < dim; d++) d2 += (coords[i * dim + d] - coords[j * dim + d]) ** 2;
      sum += Math.exp(-d2 / (2 * bandwidth * bandwidth));
    }
    return sum;
  });
}

describeLongGpu('mean shift over a lattice', () => {
  const rig = withGpu(async (gpu) => ({meanShift: await createMeanShiftGpu(gpu, {lattice: 3})}));

  it.each([1, -3, 33, 100, Number.NaN, Infinity])('refuses %f nodes a bandwidth', async (lattice) => {
    await expect(createMeanShiftGpu(rig.gpu, {lattice})).rejects.toThrow('a number from 2 to 32');
  });

  it.each([
    [1, 2, 2e-3],
    [2, 2, 2e-3],
    [3, 2, 2e-3],
    [2, 3, 4e-4],
    [3, 4, 2e-4],
  ])(
    'makes steps within the stated bound of the whole sum: %i dimensions, %i nodes a bandwidth',
    async (dim, lattice, usual) => {
      using own = await createMeanShiftGpu(rig.gpu, {lattice});
      using serial = createMeanShiftSequential();
      const bandwidth = 0.8;
      const points = cloud(250, dim, Float32Array, dim);
      const params = {bandwidth, maxIterations: 1, tolerance: 0};
      const {shifted, stats} = await own.run(points, params);
      const whole = await serial.run(points, params);
      const weights = weightsOf(points, bandwidth);
      differences(shifted, whole.shifted, dim, bandwidth).forEach((moved, i) => {
        expect(moved).toBeLessThan(latticeBound(lattice, dim, 250, weights[i]));
        expect(moved).toBeLessThan(usual);
      });
      expect(stats.counters.nodes).toBeGreaterThan(1);
    },
  );

  it('trajectories where sums over points lead, in about as many steps', async () => {
    using serial = createMeanShiftSequential();
    for (const dim of [2, 3]) {
      const data = clusteredPoints(400, dim, 4, dim === 2 ? Float32Array : Float64Array);
      const params = {bandwidth: 1.2};
      const {shifted, labels, stats, iterations} = await rig.meanShift.run(data.points, params);
      const expected = await serial.run(data.points, params);
      expect(labels).toEqual(labelsOf(data));
      expect(Math.max(...differences(shifted, expected.shifted, dim, 1.2))).toBeLessThan(0.002);
      expect(Math.abs(stats.counters.shifts / expected.stats.counters.shifts - 1)).toBeLessThan(0.01);
      expect(Math.abs(iterations - expected.iterations)).toBeLessThan(3);
      expect(stats.counters.arrived).toBe(400);
    }
  });

  it('takes many points in one place, and points far from all others', async () => {
    const {coords, dim} = cloud(200, 2, Float32Array, 3);
    const points = {coords: Float32Array.of(...coords, ...Array.from({length: 8000}, () => 1), 30, -20), dim};
    const {labels, clusterCenters} = await rig.meanShift.run(points, {bandwidth: 0.5});
    expect(labels[4199]).toBe(0);
    expect([...labels].filter((label) => label === labels[4200])).toHaveLength(1);
    const last = labels[4200] * 2;
    expect(Math.abs(clusterCenters[last] - 30) + Math.abs(clusterCenters[last + 1] + 20)).toBeLessThan(1e-3);
    expect(Math.abs(clusterCenters[0] - 1) + Math.abs(clusterCenters[1] - 1)).toBeLessThan(1e-2);
  });

  it('moves seeds, and labels points by the nearest centre', async () => {
    const data = clusteredPoints(600, 3, 3, Float32Array);
    using serial = createMeanShiftSequential();
    const params = {bandwidth: 1.2, binSeeding: true};
    const {labels, stats} = await rig.meanShift.run(data.points, params);
    expect(labels).toEqual((await serial.run(data.points, params)).labels);
    expect(new Set(labels).size).toBe(3);
    expect(stats.counters.nodes).toBeGreaterThan(1);
    expect(stats.counters.arrived).toBeLessThan(600);
  });

  it('moves seeds from outside the box into it, and leaves those out of reach in place', async () => {
    using serial = createMeanShiftSequential();
    const points = cloud(300, 2, Float32Array, 2);
    const seeds = {coords: Float32Array.of(3, 9, -1.5, 3, 8, 8, 300, 3, 3, -1e4), dim: 2};
    const params = {bandwidth: 1};
    const {shifted, labels} = await rig.meanShift.run(points, params, {seeds});
    const expected = await serial.run(points, params, {seeds});
    const apart = differences(shifted, expected.shifted, 2, 1);
    expect(Math.max(...apart.slice(0, 3))).toBeLessThan(0.002);
    expect(Math.max(...apart.slice(3))).toBeLessThan(1e-3);
    expect(labels).toEqual(expected.labels);
  });

  it('sums over the points within the cut if a lattice does not fit, and reports it', async () => {
    const clustered = clusteredPoints(150, 3, 3, Float64Array);
    const wide = {coords: clustered.points.coords.map((x, k) => x + 1e6 * clustered.blobOf[Math.floor(k / 3)]), dim: 3};
    const sparse = {
      coords: clustered.points.coords.map((x, k) => x + 60 * clustered.blobOf[Math.floor(k / 3)]),
      dim: 3,
    };
    const four = clusteredPoints(150, 4, 3, Float32Array);
    for (const [points, data, params] of [
      [wide, clustered, {bandwidth: 1.2, cut: 3}],
      [sparse, clustered, {bandwidth: 1.2, cut: 3}],
      [four.points, four, {bandwidth: 1.2, cut: 4}],
    ] as const) {
      const {labels, stats} = await rig.meanShift.label(points, params);
      expect(labels).toEqual(labelsOf(data));
      expect(stats.counters.nodes).toBe(0);
    }
  });

  it('refuses runs without a cut that a lattice cannot sum or has no room for', async () => {
    const clustered = clusteredPoints(150, 3, 3, Float64Array);
    const wide = {coords: clustered.points.coords.map((x, k) => x + 1e6 * clustered.blobOf[Math.floor(k / 3)]), dim: 3};
    const four = clusteredPoints(150, 4, 3, Float32Array);
    const bandwidth = 1.2;
    await expect(rig.meanShift.label(wide, {bandwidth})).rejects.toThrow(GpuLimitError);
    await expect(rig.meanShift.label(wide, {bandwidth})).rejects.toThrow('or a cut, with which sums are over points');
    await expect(rig.meanShift.run(four.points, {bandwidth})).rejects.toThrow(
      'expected 1 to 3 for a lattice (runs with a cut can)',
    );
    for (const width of [bandwidth, 0]) {
      await expect(rig.meanShift.run(clustered.points, {bandwidth: width, kernel: 'flat'})).rejects.toThrow(
        'lattice = 3; expected 0 for runs with the flat kernel',
      );
    }
    // The next run works.
    expect((await rig.meanShift.label(clustered.points, {bandwidth})).labels).toEqual(labelsOf(clustered));
  });

  it('gives the same result in many submissions as in one, and checks the signal between them', async () => {
    using cautious = await createTunedMeanShift(rig.gpu, {lattice: 3}, {operations: 2 ** 13});
    const points = cloud(700, 3, Float32Array, 5);
    const params = {bandwidth: 1.5, maxIterations: 20};
    const few = await rig.meanShift.run(points, params);
    const many = await cautious.run(points, params);
    expect(many.shifted).toEqual(few.shifted);
    expect(many.stats.counters).toEqual(few.stats.counters);
    await expect(cautious.run(points, params, {signal: firedAt(4)})).rejects.toThrow('run aborted in index');
  });

  it('ends if the signal fires, and the next run returns the same bytes', async () => {
    const points = cloud(500, 3, Float32Array, 5);
    const params = {bandwidth: 0.6, tolerance: 0, maxIterations: 60};
    const controller = new AbortController();
    // More steps than a fast device makes before its first report.
    const endless = {...params, maxIterations: 1_000_000};
    const running = rig.meanShift.run(points, endless, {
      signal: controller.signal,
      onProgress: ({phase}) => phase === 'shift' && controller.abort(),
    });
    await expect(running).rejects.toThrow('run aborted in shift');
    const first = await rig.meanShift.run(points, params);
    const second = await rig.meanShift.run(points, params);
    expect(first.stats.counters.shifts).toBe(500 * 60);
    expect(first.stats.counters.arrived).toBe(0);
    expect(second.shifted).toEqual(first.shifted);
  });
});
