import {WorkerPool} from '@epsball/workers';
import {describe, expect, it} from 'vitest';
import {binSeeds} from '../src/binSeeds.ts';
import {estimateBandwidth} from '../src/estimateBandwidth.ts';
import {createMeanShiftSequential} from '../src/sequential.ts';
import {predictLabels} from '../src/modes/predict.ts';
import {createMeanShiftWorkers} from '../src/workers/workers.ts';
import {centerError, pointSet, pointsOf, repeat, runsOfSklearn, sklearn} from './sklearnAnswers.ts';

describe('the flat kernel has the labels and centres of scikit-learn', () => {
  it.each(runsOfSklearn())('$name', async ({points, seeds, params, answer, rounding}) => {
    using meanShift = createMeanShiftSequential();
    const result = await meanShift.run(points, params, {seeds});
    expect(centerError(result, answer.centers)).toBeLessThan(1e-12 + rounding);
    expect([...result.labels]).toEqual(answer.labels);
    expect(result.iterations).toBe(answer.iterations);
  });

  it.each(sklearn.lattices.map((answer) => repeat(answer)))(
    'also where the order of the terms of a sum decides: $name',
    async ({points, params, answer}) => {
      using pool = new WorkerPool({threads: 2});
      using serial = createMeanShiftSequential();
      using parallel = createMeanShiftWorkers({pool});
      for (const meanShift of [serial, parallel]) {
        const result = await meanShift.run(points, params);
        expect(centerError(result, answer.centers)).toBe(0);
        expect([...result.labels]).toEqual(answer.labels);
        expect(result.iterations).toBe(answer.iterations);
      }
    },
  );

  it('and predicts the labels of the clustered points', () => {
    for (const {points, dtype, bandwidth, centers, labels, cluster_all: clusterAll} of sklearn.runs) {
      const options = {bandwidth, clusterAll};
      const predicted = predictLabels(pointsOf(points, dtype), Float64Array.from(centers.flat()), options);
      expect([...predicted]).toEqual(labels);
    }
  });

  it('but keeps positions that scikit-learn loses, because the mean of equal points is rounded', async () => {
    using meanShift = createMeanShiftSequential();
    const {points, params, answer} = repeat(sklearn.departure);
    const {labels, clusterCenters} = await meanShift.run(points, params);
    expect([...clusterCenters]).toEqual([0.2, 0.1, 0.3]);
    expect([...labels]).toEqual([1, 1, 1, 0, 0, 0, 2, 2]);
    // Fails once scikit-learn no longer departs.
    expect(answer.labels).not.toEqual([...labels]);
  });
});

describe('estimateBandwidth', () => {
  it.each(sklearn.estimates)(
    'is scikit-learn’s for $points in $dtype, quantile $quantile',
    ({points, dtype, quantile, bandwidth}) => {
      // For `solid` scikit-learn compares all pairs, and then rounds squares of float32 coordinates to float32.
      const digits = dtype === 'float32' && points === 'solid' ? 8 : 12;
      expect(estimateBandwidth(pointsOf(points, dtype), {quantile})).toBeCloseTo(bandwidth, digits);
    },
  );

  it('draws the same points for the same seed, others for another, and comes close with half of them', () => {
    const points = pointsOf('blobs');
    const drawn = estimateBandwidth(points, {samples: 150, seed: 7});
    expect(estimateBandwidth(points, {samples: 150, seed: 7})).toBe(drawn);
    expect(estimateBandwidth(points, {samples: 150, seed: 8})).not.toBe(drawn);
    expect(Math.abs(drawn / estimateBandwidth(points) - 1)).toBeLessThan(0.15);
    expect(estimateBandwidth(points, {samples: 1000})).toBeCloseTo(estimateBandwidth(points), 12);
  });

  it.each([
    [{quantile: 1.5}, 'quantile = 1.5; expected a number from 0 to 1'],
    [{samples: 0}, 'samples = 0; expected an integer ≥ 1'],
    [{seed: 0.5}, 'seed = 0.5; expected an integer'],
  ])('refuses %o', (options, message) => {
    expect(() => estimateBandwidth(pointsOf('tie'), options)).toThrow(message);
  });

  it('refuses no points', () => {
    expect(() => estimateBandwidth({coords: new Float32Array(0), dim: 2})).toThrow(
      'points = "none"; expected at least',
    );
  });
});

describe('binSeeds', () => {
  it.each(sklearn.bins)(
    'are scikit-learn’s for $points in $dtype, $binSize, $minFrequency',
    ({points, dtype, binSize, minFrequency, seeds}) => {
      const found = binSeeds(pointsOf(points, dtype), binSize, minFrequency);
      expect([...found.coords]).toEqual([...pointSet(seeds).coords]);
    },
  );

  it('differ for far bins, and in many dimensions', () => {
    const far = {coords: Float64Array.of(0, 0, 1e9, 0, 1e9, 0, 0, 1e9), dim: 2};
    expect([...binSeeds(far, 1).coords]).toEqual([0, 0, 1e9, 0, 0, 1e9]);
    const wide = {coords: Float64Array.of(1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 5), dim: 4};
    expect([...binSeeds(wide, 1).coords]).toEqual([1, 2, 3, 4, 1, 2, 3, 5]);
  });

  it('are the points themselves for bins of size 0', () => {
    const points = pointsOf('copies');
    expect(binSeeds(points, 0)).toBe(points);
    expect(binSeeds(points, 0, 5)).toBe(points);
  });

  it('refuse sizes below 0 and frequencies below 1', () => {
    expect(() => binSeeds(pointsOf('tie'), -1)).toThrow('binSize = -1; expected a finite number ≥ 0');
    expect(() => binSeeds(pointsOf('tie'), Infinity)).toThrow('binSize = Infinity; expected a finite number ≥ 0');
    expect(() => binSeeds(pointsOf('tie'), 1, 0)).toThrow('minFrequency = 0; expected an integer ≥ 1');
  });
});
