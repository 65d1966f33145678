import {describeGpu, withGpu} from '@epsball/gpu/testing';
import {describe, expect, it} from 'vitest';
import {estimateBandwidth} from '../src/estimateBandwidth.ts';
import {createMeanShiftGpu} from '../src/gpu/meanShiftGpu.ts';
import {createShiftGpu} from '../src/gpu/shiftGpu.ts';
import {createMeanShift, meanShift} from '../src/meanShift.ts';
import {predictLabels} from '../src/modes/predict.ts';
import {createMeanShiftSequential, createShiftSequential} from '../src/sequential.ts';
import {createMeanShiftWorkers, createShiftWorkers} from '../src/workers/workers.ts';

const POINTS = {coords: Float64Array.of(0, 0, 1, 0, 9, 9), dim: 2};
const SEEDS = {coords: Float64Array.of(0.5, 0), dim: 2};

/** An object with a name that callers with types could not write. */
function options(given: object): never {
  return given as never;
}

const UNKNOWN = 'option = "foo"; expected one of';

describe('unknown options are refused', () => {
  it.each<[string, () => unknown]>([
    ['meanShift', () => meanShift(POINTS, options({bandwidth: 1, foo: 1}))],
    ['createMeanShift', () => createMeanShift(options({foo: 1}))],
    ['estimateBandwidth', () => estimateBandwidth(POINTS, options({foo: 1}))],
    ['predictLabels', () => predictLabels(POINTS, SEEDS.coords, options({bandwidth: 1, foo: 1}))],
    ['createMeanShiftWorkers', () => createMeanShiftWorkers(options({foo: 1}))],
    ['createShiftWorkers', () => createShiftWorkers(options({foo: 1}))],
  ])('%s', async (_, call) => {
    await expect((async () => call())()).rejects.toThrow(UNKNOWN);
  });

  it.each(['run', 'label'] as const)('by a kept mean shift: %s', async (method) => {
    using kept = await createMeanShift({backend: 'sequential'});
    await expect(kept[method](POINTS, options({bandwidth: 1, foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(kept[method](POINTS, {bandwidth: 1}, options({foo: 1}))).rejects.toThrow(UNKNOWN);
    const binned = kept[method](POINTS, {bandwidth: 1}, options({binSeeding: true}));
    await expect(binned).rejects.toThrow(
      'option = "binSeeding"; expected it among the parameters, the second argument: run(points, {binSeeding})',
    );
    const seeded = kept[method](POINTS, options({bandwidth: 1, seeds: SEEDS}));
    await expect(seeded).rejects.toThrow(
      'option = "seeds"; expected it among the options, the third argument: run(points, params, {seeds})',
    );
    // What the messages say works.
    expect((await kept.run(POINTS, {bandwidth: 4, binSeeding: true})).shifted.length).toBe(4);
    expect((await kept.run(POINTS, {bandwidth: 1}, {seeds: SEEDS})).shifted.length).toBe(2);
  });

  it.each([
    ['sequential', () => createMeanShiftSequential(), () => createShiftSequential()],
    ['workers', () => createMeanShiftWorkers({threads: 1}), () => createShiftWorkers({threads: 1})],
  ] as const)('by the variants themselves: %s', async (_, openMeanShift, openShift) => {
    using variant = openMeanShift();
    await expect(variant.run(POINTS, options({bandwidth: 1, foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(variant.run(POINTS, {bandwidth: 1}, options({foo: 1}))).rejects.toThrow(UNKNOWN);
    using algorithm = openShift();
    await expect(algorithm.shift(POINTS, options({bandwidth: 1, foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(algorithm.shift(POINTS, {bandwidth: 1}, options({foo: 1}))).rejects.toThrow(UNKNOWN);
    const clustering = algorithm.shift(POINTS, options({bandwidth: 1, kernel: 'flat'}));
    await expect(clustering).rejects.toThrow('option = "kernel"; expected one of bandwidth, maxIterations, tolerance');
  });
});

describeGpu('unknown options are refused on a GPU', () => {
  const rig = withGpu();

  it('when it is created, and by its runs', async () => {
    await expect((async () => createMeanShiftGpu(rig.gpu, options({foo: 1})))()).rejects.toThrow(UNKNOWN);
    await expect((async () => createShiftGpu(rig.gpu, options({foo: 1})))()).rejects.toThrow(UNKNOWN);
    using variant = await createMeanShiftGpu(rig.gpu);
    for (const call of [variant.run.bind(variant), variant.label.bind(variant)]) {
      await expect(call(POINTS, options({bandwidth: 1, foo: 1}))).rejects.toThrow(UNKNOWN);
      await expect(call(POINTS, {bandwidth: 1}, options({foo: 1}))).rejects.toThrow(UNKNOWN);
    }
    using algorithm = await createShiftGpu(rig.gpu);
    await expect(algorithm.shift(POINTS, options({bandwidth: 1, foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(algorithm.shift(POINTS, {bandwidth: 1}, options({foo: 1}))).rejects.toThrow(UNKNOWN);
  });
});
