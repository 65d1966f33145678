import {GpuLimitError} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import type {MeanShiftJob} from '../src/meanShift/job.ts';
import {meanShiftCell} from '../src/meanShift/meanShiftCell.ts';

const KEY = {method: 'tiled', threads: 1, tileWidth: 1024, n: 100} as const;
const JOB: MeanShiftJob = {
  ...KEY,
  kind: 'mean-shift',
  suite: {
    dataset: 'gaussians3d:seed=1',
    dim: 3,
    bandwidth: 2,
    iterations: 10,
    ours: {bandwidth: 0.2, cut: 5, lattice: 3},
  },
  profile: {repeats: 1, deviceRepeats: 1, cellSeconds: 1},
  adapter: 'auto',
};

describe('a cell of mean shift', () => {
  it('is left out where it exceeds a limit of the adapter', async () => {
    const tooWide = (): Promise<never> =>
      Promise.reject(new GpuLimitError('invocations a workgroup', 1024, 256, 'a smaller tileWidth would fit'));
    expect(await meanShiftCell(JOB, tooWide)).toEqual({
      ...KEY,
      status: 'leftOut',
      reason: 'invocations a workgroup = 1,024; the adapter allows 256',
    });
  });

  it('fails for any other reason', async () => {
    const wrong = (): Promise<never> => Promise.reject(new Error('3 bandwidths from the reference'));
    await expect(meanShiftCell(JOB, wrong)).rejects.toThrow('3 bandwidths from the reference');
  });
});
