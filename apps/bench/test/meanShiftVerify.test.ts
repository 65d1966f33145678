import {generateDataset} from '@epsball/datasets';
import {createMeanShiftSequential, createShiftSequential} from '@epsball/mean-shift';
import {describe, expect, it} from 'vitest';
import {verifyEnds, verifyShifted} from '../src/meanShift/verify.ts';

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

  it('within the bound that the run reports', async () => {
    const ours = {bandwidth: 0.8, cut: 4};
    using meanShift = createMeanShiftSequential();
    const {shifted, stats} = await meanShift.run(POINTS, ours);
    const {endBound} = stats.counters;
    const {error, verified} = verifyEnds(POINTS, {shifted, endBound}, ours);
    expect(error).toBeLessThan(0.02);
    expect(verified).toMatch(/leaves 40 ends within \d+\.?\d* bandwidths/);
    expect(() => verifyEnds(POINTS, {shifted, endBound: error / 2}, ours)).toThrow(
      'the whole Gaussian moves an end by',
    );
    for (const nothing of [NaN, Infinity]) {
      expect(() => verifyEnds(POINTS, {shifted, endBound: nothing}, ours)).toThrow(`endBound = ${nothing}; expected`);
    }
  });
});
