import {expect, it} from 'vitest';
import {meanShift, type MeanShiftOptions} from '../src/meanShift.ts';

let started = 0;
process.on('worker', () => started++);

/** Points in the unit square, other ones for each seed. */
function pointsOf(seed: number): {coords: Float32Array; dim: number} {
  let state = seed + 1;
  const coords = Float32Array.from({length: 200}, () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647);
  return {coords, dim: 2};
}

async function labelsOf(seed: number, own: Partial<MeanShiftOptions>): Promise<number[]> {
  return [...(await meanShift(pointsOf(seed), {bandwidth: 0.2, ...own})).labels];
}

it('one-shot calls at the same time share one pool and queue on it', async () => {
  const seeds = [1, 2, 3, 4];
  const expected = await Promise.all(seeds.map((seed) => labelsOf(seed, {backend: 'sequential'})));
  expect(started).toBe(0);
  const calls = Array.from({length: 24}, (_, k) => labelsOf(seeds[k % 4], {backend: 'workers', threads: 2}));
  expect(await Promise.all(calls)).toEqual(calls.map((_, k) => expected[k % 4]));
  expect(started).toBeLessThanOrEqual(2);
});
