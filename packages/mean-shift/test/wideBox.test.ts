import type {PointSet} from '@epsball/clustering';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import {expect, it} from 'vitest';
import {createMeanShiftGpu} from '../src/gpu/meanShiftGpu.ts';
import {createShiftGpu} from '../src/gpu/shiftGpu.ts';
import {createMeanShiftSequential, createShiftSequential} from '../src/sequential.ts';
import {cloud} from './clusteredPoints.ts';

/**
 * Clouds of one bandwidth's spread around centres all over a box, `reach` bandwidths to either side and off its middle.
 */
function wide(reach: number, dim: number, make: typeof Float32Array | typeof Float64Array): PointSet {
  const {coords} = cloud(360, dim, Float64Array, dim);
  const places = cloud(12, dim, Float64Array, 11).coords.map((x) => (x - 3) / 3);
  const offset = make === Float64Array ? 7 * reach : 0;
  const spread = coords.map((x, k) => x + offset + reach * places[(Math.floor(k / dim) % 12) * dim + (k % dim)]);
  return {coords: make.from(spread), dim};
}

function farthestApart(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, x, k) => (Math.abs(x - b[k]) <= most ? most : Math.abs(x - b[k])), 0);
}

describeLongGpu('boxes many bandwidths wide', () => {
  const rig = withGpu(async (gpu) => ({meanShift: await createMeanShiftGpu(gpu)}));

  it.each<[number, number, number]>([
    [200, 2, 4],
    [3000, 2, 4],
    [3000, 6, 0],
    [1e5, 3, 4],
    [1e7, 1, 0],
  ])(
    'ends ten iterations within 10⁻⁴ bandwidths of float64, %f of them to either side, in %i dimensions',
    async (reach, dim, cut) => {
      using serial = createMeanShiftSequential();
      for (const make of [Float64Array, Float32Array]) {
        const points = wide(reach, dim, make);
        const params = {bandwidth: 1, cut, maxIterations: 10, tolerance: 0};
        const {shifted} = await rig.meanShift.run(points, params);
        const expected = await serial.run(points, params);
        expect(farthestApart(shifted, expected.shifted)).toBeLessThan(1e-4);
      }
    },
  );

  it.each([
    ['tiled', 5000, 2],
    ['naive', 1e6, 5],
    ['tiled', 1e6, 1],
  ] as const)(
    'shifts them by %s sums, too: %f bandwidths to either side, %i dimensions',
    async (method, reach, dim) => {
      using algorithm = await createShiftGpu(rig.gpu, {method});
      using serial = createShiftSequential();
      const points = wide(reach, dim, Float64Array);
      for (const tolerance of [0, 1e-7]) {
        const {shifted} = await algorithm.shift(points, {bandwidth: 1, tolerance});
        const expected = await serial.shift(points, {bandwidth: 1, tolerance});
        expect(farthestApart(shifted, expected.shifted)).toBeLessThan(1e-4);
      }
      const seeds = {coords: points.coords.slice(0, 20 * dim), dim};
      const {shifted} = await algorithm.shift(points, {bandwidth: 1}, {seeds});
      const expected = await serial.shift(points, {bandwidth: 1}, {seeds});
      expect(farthestApart(shifted, expected.shifted)).toBeLessThan(1e-4);
    },
  );

  it('gives the host’s labels, from points and from seeds', async () => {
    using serial = createMeanShiftSequential();
    const points = wide(20_000, 2, Float64Array);
    for (const params of [{cut: 4}, {cut: 4, binSeeding: true}, {kernel: 'flat'}] as const) {
      const {labels, clusterCenters} = await rig.meanShift.label(points, {bandwidth: 1.5, ...params});
      const expected = await serial.run(points, {bandwidth: 1.5, ...params});
      expect(labels).toEqual(expected.labels);
      expect(farthestApart(clusterCenters, expected.clusterCenters)).toBeLessThan(5e-3);
    }
  });
});
