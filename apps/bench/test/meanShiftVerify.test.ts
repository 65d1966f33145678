import {generateDataset} from '@epsball/datasets';
import {createMeanShiftSequential, createShiftSequential} from '@epsball/mean-shift';
import {describe, expect, it} from 'vitest';
import {verifyEnds, verifyShifted} from '../src/measure/verifyShift.ts';

const POINTS = generateDataset('gaussians3d:seed=2,n=400');

describe('results of mean shift are verified', () => {
  it('against a full run in float64', async () => {
    const suite = {bandwidth: 2, iterations: 10};
    using reference = createShiftSequential();
    const {shifted} = await reference.shift(POINTS, {bandwidth: 2, maxIterations: 10});
    expect(await verifyShifted(POINTS, shifted, suite)).toMatchObject({error: 0});
    const wrong = shifted.map((x) => x + 4e-4);
    await expect(verifyShifted(POINTS, wrong, suite)).rejects.toThrow('bandwidths from the reference');
  });

  it('within half a bandwidth, and most within a hundredth', async () => {
    const ours = {bandwidth: 0.8, cut: 4};
    using meanShift = createMeanShiftSequential();
    const {shifted} = await meanShift.run(POINTS, ours);
    const {error, verified} = verifyEnds(POINTS, shifted, ours);
    expect(error).toBeLessThan(0.02);
    expect(verified).toMatch(/leaves 40 ends within \d+\.?\d* bandwidths/);
    // Of the sample, the first end alone, and a half of the ends.
    const oneOff = shifted.map((x, k) => (k === 0 ? x + 3 : x));
    expect(() => verifyEnds(POINTS, oneOff, ours)).toThrow('the whole Gaussian moves an end by');
    const manyOff = shifted.map((x, k) => (k % 6 === 0 ? x + 0.1 : x));
    expect(() => verifyEnds(POINTS, manyOff, ours)).toThrow('the whole Gaussian moves one end in ten by');
  });
});
