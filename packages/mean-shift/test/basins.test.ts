import type {PointSet} from '@epsball/clustering';
import {sizeOfShare} from '@epsball/conformance/share';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import {WorkerPool} from '@epsball/workers';
import {afterAll, describe, expect, it} from 'vitest';
import type {MeanShiftAlgorithm, MeanShiftParams} from '../src/algorithm.ts';
import {createMeanShiftGpu} from '../src/gpu/meanShiftGpu.ts';
import {createMeanShiftSequential} from '../src/sequential.ts';
import {createMeanShiftWorkers} from '../src/workers/workers.ts';
import {basinsByDefinition} from './basinOracle.ts';
import {cloud} from './clusteredPoints.ts';

const pool = new WorkerPool({threads: 2});
const BACKENDS: readonly [string, MeanShiftAlgorithm][] = [
  ['sequential', createMeanShiftSequential()],
  ['workers', createMeanShiftWorkers({pool})],
];

afterAll(() => {
  for (const [, meanShift] of BACKENDS) meanShift.destroy();
  pool.destroy();
});

/** A picture of one colour as points: x / s, y / s, 0, 0, 0. */
function flatPicture(width: number, height: number, s: number): PointSet {
  const rows = Array.from({length: width * height}, (_, i) => [(i % width) / s, Math.floor(i / width) / s, 0, 0, 0]);
  return {coords: Float32Array.from(rows.flat()), dim: 5};
}

/** Points of integer coordinates over a divisor: distances are often exactly a bandwidth. */
function lattice(n: number, dim: number, divisor: number, seed: number): PointSet {
  const {coords} = cloud(n, dim, Float64Array, seed);
  return {coords: coords.map((x) => Math.round(1.5 * x * divisor) / divisor), dim};
}

describe.each(BACKENDS)('basins of attraction: %s', (_, meanShift) => {
  it.each([1, 1.5, 3, 8, 100])('join to one in a picture of one colour, spatial bandwidth %d', async (s) => {
    const params: MeanShiftParams = {bandwidth: 1, kernel: 'flat', assignment: 'basin', domains: [2, 3]};
    const {labels, clusterCenters} = await meanShift.run(flatPicture(24, 16, s), params);
    expect(new Set(labels)).toEqual(new Set([0]));
    expect(clusterCenters.length).toBe(5);
    expect(clusterCenters[0]).toBeCloseTo(11.5 / s, 1);
  });

  it('join along a chain, in which the greedy centres of assignment mode cut neighbours apart', async () => {
    const points = {coords: Float64Array.from({length: 40}, (__, i) => i / 2), dim: 1};
    const {labels} = await meanShift.run(points, {bandwidth: 1, assignment: 'basin'});
    expect(new Set(labels)).toEqual(new Set([0]));
    const greedy = await meanShift.run(points, {bandwidth: 1});
    expect(greedy.labels[30]).not.toBe(greedy.labels[31]);
    // The ends of the two trajectories are closer than a bandwidth.
    expect(Math.abs(greedy.shifted[30] - greedy.shifted[31])).toBeLessThan(1);
  });

  it.each<[number, readonly number[] | undefined]>([
    [1, undefined],
    [2, undefined],
    [3, [1, 2]],
    [5, [2, 3]],
    [5, undefined],
    [7, [4, 1, 2]],
  ])('are those of the definition in %d dimensions, domains %o', async (dim, domains) => {
    for (let seed = 1; seed <= 1 + sizeOfShare(20); seed++) {
      const points = seed % 2 === 0 ? cloud(80, dim, Float64Array, seed) : lattice(80, dim, 2, seed);
      for (const bandwidth of [0.3, 0.5, 0.8]) {
        // Few steps leave modes anywhere.
        const params: MeanShiftParams = {bandwidth, kernel: 'flat', assignment: 'basin', domains, maxIterations: seed};
        const {labels, shifted} = await meanShift.run(points, params);
        expect([...labels], `seed ${seed}, bandwidth ${bandwidth}`).toEqual(
          basinsByDefinition(shifted, dim, bandwidth, domains),
        );
      }
    }
  });

  it.each([1e-300, 1e-160, 1e-30, 1e150, 1e300])('at the bandwidth %s', async (bandwidth) => {
    const coords = Float64Array.of(0, 0, 3, 0, 1.5, 0, 9, 9, 9, 9, 0, 0.5).map((x) => x * bandwidth);
    const points = {coords, dim: 2};
    const {labels, shifted} = await meanShift.run(points, {bandwidth, kernel: 'flat', assignment: 'basin'});
    expect([...labels]).toEqual(basinsByDefinition(shifted, 2, bandwidth));
  });

  it('are those of equal modes at bandwidth 0', async () => {
    const points = {coords: Float64Array.of(1, 2, 1, 0, -0), dim: 1};
    const {labels} = await meanShift.run(points, {bandwidth: 0, kernel: 'flat', assignment: 'basin'});
    expect([...labels]).toEqual([0, 2, 0, 1, 1]);
  });

  it.each<[MeanShiftParams, string]>([
    [
      {bandwidth: 1, assignment: 'basin', domains: [2, 2]},
      'domains = "[2, 2]"; expected numbers of axes that add up to 5',
    ],
    [
      {bandwidth: 1, assignment: 'basin', domains: [5, 0]},
      'domains = "[5, 0]"; expected numbers of axes that add up to 5',
    ],
    [{bandwidth: 1, assignment: 'basin', domains: 5 as never}, 'domains = 5; expected numbers of axes'],
    [{bandwidth: 1, domains: [2, 3]}, 'domains = "[2, 3]"; expected no value without assignment'],
    [{bandwidth: 1, assignment: 'basin', binSeeding: true}, 'assignment = "basin"; expected \'nearest\' with seeds'],
    [
      {bandwidth: 1, assignment: 'basin', clusterAll: false},
      "clusterAll = false; expected true with assignment 'basin'",
    ],
  ])('refuse %o', async (params, message) => {
    await expect(meanShift.run(flatPicture(2, 2, 1), params)).rejects.toThrow(message);
  });
});

describeLongGpu('basins of attraction on a GPU', () => {
  const rig = withGpu(async (gpu) => ({meanShift: await createMeanShiftGpu(gpu)}));

  it.each([1, 1.5, 3, 8, 100])('join to one in a picture of one colour, spatial bandwidth %d', async (s) => {
    const params: MeanShiftParams = {bandwidth: 1, kernel: 'flat', assignment: 'basin', domains: [2, 3]};
    const {labels, clusterCenters} = await rig.meanShift.label(flatPicture(90, 70, s), params);
    expect(new Set(labels)).toEqual(new Set([0]));
    expect(clusterCenters.length).toBe(5);
    expect(clusterCenters[0]).toBeCloseTo(44.5 / s, 1);
  });

  it.each<[number, readonly number[] | undefined, number]>([
    [1, undefined, 0.05],
    [2, undefined, 0.15],
    [3, [1, 2], 0.3],
    [5, [2, 3], 0.5],
    [5, undefined, 0.8],
    [9, [4, 1, 4], 1],
  ])('are those of the definition in %d dimensions, domains %o', async (dim, domains, bandwidth) => {
    for (let seed = 1; seed <= sizeOfShare(12); seed++) {
      const points = cloud(400, dim, Float32Array, seed);
      const params: MeanShiftParams = {bandwidth, kernel: 'flat', assignment: 'basin', domains, maxIterations: seed};
      const {labels, shifted, clusterCenters} = await rig.meanShift.run(points, params);
      const expected = basinsByDefinition(shifted, dim, bandwidth, domains);
      expect(clusterCenters.length / dim).toBeGreaterThan(1);
      expect([...labels], `seed ${seed}`).toEqual(expected);
    }
  });

  it('are those of the definition in a box so wide that coordinates have two parts', async () => {
    const points = {coords: cloud(200, 2, Float64Array).coords.map((x) => 2000 * x), dim: 2};
    const params: MeanShiftParams = {bandwidth: 500, kernel: 'flat', assignment: 'basin'};
    const narrow = await rig.meanShift.run(points, params);
    expect([...narrow.labels]).toEqual(basinsByDefinition(narrow.shifted, 2, 500));
    const wide = {coords: Float64Array.of(...points.coords, 1e7, 1e7), dim: 2};
    const {labels, shifted} = await rig.meanShift.run(wide, params);
    expect([...labels]).toEqual(basinsByDefinition(shifted, 2, 500));
  });
});
