import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {SHARE} from '@epsball/conformance/share';
import {createHdbscanSequential, type HdbscanAlgorithm} from '@epsball/hdbscan';
import {createHdbscanWorkers} from '@epsball/hdbscan/workers';
import {casesFor, differences, randomSetsFor, weightedSetsFor} from './hdbscanSets.ts';

/** All numbers of threads to 16, or some of them in a short share. */
const THREADS = SHARE >= 1 ? Array.from({length: 16}, (_, k) => k + 1) : [1, 2, 3, 16];

const subjects = [
  {id: 'sequential', create: () => createHdbscanSequential()},
  ...THREADS.map((threads) => ({id: `workers, ${threads} threads`, create: () => createHdbscanWorkers({threads})})),
];

describe.for(subjects)('hdbscan on $id', ({id, create}) => {
  let algorithm: HdbscanAlgorithm;
  beforeAll(() => {
    algorithm = create();
  });
  afterAll(() => algorithm.destroy());

  it('returns the bytes of the oracle, in every order of the rows', async () => {
    expect(await differences((...input) => algorithm.run(...input), casesFor(id))).toEqual([]);
  });

  it('returns the bytes of the oracle on random sets', async () => {
    expect(await differences((...input) => algorithm.run(...input), randomSetsFor(id))).toEqual([]);
  });

  it('returns the bytes of the oracle on random sets with weights', async () => {
    expect(await differences((...input) => algorithm.run(...input), weightedSetsFor(id, 0.5))).toEqual([]);
  });
});
