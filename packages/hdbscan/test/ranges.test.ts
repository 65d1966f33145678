import {seededRandom} from '@epsball/conformance';
import {createHdbscanSequential} from '@epsball/hdbscan';
import {evenBounds} from '@epsball/workers';
import {expect, it} from 'vitest';
import {leavePart} from '../src/hierarchy/condenseGrown.ts';
import {describeRange} from '../src/hierarchy/describePoints.ts';
import {growRange, placeRange} from '../src/hierarchy/growBasins.ts';
import {HdbscanOnHost} from '../src/onHost.ts';
import {uniteRange} from '../src/tree/boruvka.ts';
import {stepsOnThread} from '../src/tree/stepsOnThread.ts';
import {differences, randomSetsFor} from './hdbscanSets.ts';

/** The steps of threads, whose ranges are larger than sets of a test. */
function inRanges(count: number): HdbscanOnHost {
  return new HdbscanOnHost({
    counters: {},
    destroy: () => {},
    stepsOf: (state, options) => {
      const bounds = evenBounds(state.tree.n, count);
      const over = <Result>(step: (start: number, end: number) => Result): Result[] =>
        bounds.slice(1).map((end, k) => step(bounds[k], end));
      return {
        ...stepsOnThread(state, options),
        unite: async () => over((start, end) => uniteRange(state, start, end)),
        ranges: {
          integers: (length) => new Int32Array(length).fill(7),
          numbers: (length) => new Float64Array(length).fill(7),
          growRange: async (growing) => void over((start, end) => growRange(growing, start, end)),
          placeRange: async (placing) => void over((start, end) => placeRange(placing, start, end)),
          parts: 4,
          leavePart: async (leaving) => [2, 0, 3, 1].forEach((part) => leavePart(leaving, part)),
          describeRange: async (describing) => void over((start, end) => describeRange(describing, start, end)),
        },
      };
    },
  });
}

it.each([1, 2, 3, 7, 50])(
  'HDBSCAN* in ranges of positions, %i of them, has the bytes of the definition',
  async (count) => {
    using algorithm = inRanges(count);
    const run = algorithm.run.bind(algorithm);
    expect(await differences(run, randomSetsFor(`${count} ranges`))).toEqual([]);
  },
);

it('hundreds of clusters in parts have the bytes of one thread', async () => {
  const random = seededRandom(5);
  const points = {coords: Float64Array.from({length: 10_000}, random), dim: 2};
  const params = {minClusterSize: 2, minSamples: 2};
  using algorithm = inRanges(4);
  using sequential = createHdbscanSequential();
  const [{condensedTree}, expected] = [await algorithm.run(points, params), await sequential.run(points, params)];
  expect(condensedTree.size.length).toBeGreaterThan(500);
  expect(condensedTree).toEqual(expected.condensedTree);
});
