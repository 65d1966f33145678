import type {PointSet} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import {afterAll, describe, expect, it} from 'vitest';
import {catalogue} from '../src/catalogue.ts';
import type {Backend} from '@epsball/clustering/catalogue';
import {HAS_SLOW_COMPILER} from '@epsball/gpu/testing';
import {isGpu, openGpuOrExplain} from './testGpu.ts';

const gpu = await openGpuOrExplain();
const canRun = isGpu(gpu) || process.env['REQUIRE_GPU'] === '1';

const POINTS: PointSet = {coords: new Float32Array([0, 0, 1, 0]), dim: 2};
const PARAMS = {eps: 1, minPts: 2};

afterAll(() => {
  if (isGpu(gpu)) gpu.destroy();
});

function gpuFor(backend: Backend): Gpu | undefined {
  if (backend !== 'gpu') return undefined;
  if (!isGpu(gpu)) throw new Error(gpu);
  return gpu;
}

/** Input of other types, and arrays whose buffer was transferred. */
describe.each(catalogue.flatMap((row) => row.backends.map((backend) => ({row, backend, id: row.id}))))(
  '$id on $backend',
  ({row, backend, id}) => {
    // All variants validate in the same frame: with a slow compiler one of them shows it.
    const isSlow = HAS_SLOW_COMPILER && id !== 'dense-grid';
    it.runIf(backend !== 'gpu' || (canRun && !isSlow))('is rejected by name, and the next run works', async () => {
      using algorithm = await row.create({backend, gpu: gpuFor(backend), threads: 1});
      const run = (points: unknown, more: object = {}): Promise<unknown> =>
        algorithm.run(points as PointSet, PARAMS, more);
      await expect(run(null)).rejects.toThrow('points = null; expected an object with coords and dim');
      await expect(run({dim: 2})).rejects.toThrow('coords = undefined; expected a Float32Array or Float64Array');
      await expect(run(POINTS, {signal: {}})).rejects.toThrow('signal = Object; expected an AbortSignal');
      const coords = new Float32Array([0, 0, 1, 0]);
      structuredClone(coords, {transfer: [coords.buffer]});
      await expect(run({coords, dim: 2})).rejects.toThrow('coords is detached');
      await expect(algorithm.run(POINTS, null as never)).rejects.toThrow('params = null; expected an object');
      expect((await algorithm.run(POINTS, PARAMS)).clusterCount).toBe(1);
    });
  },
);
