import {afterAll, describe, expect, it} from 'vitest';
import {hdbscanCases, judgeHdbscanCase, randomHdbscanCase} from '@epsball/conformance';
import {shareOf, sizeOfShare} from '@epsball/conformance/share';
import {createHdbscanSequential} from '@epsball/hdbscan';
import {createHdbscanWorkers} from '@epsball/hdbscan/workers';

const THREADS = [1, 2, 3, 16];

const subjects = [
  {id: 'sequential', create: () => createHdbscanSequential()},
  ...THREADS.map((threads) => ({id: `workers, ${threads} threads`, create: () => createHdbscanWorkers({threads})})),
];

describe.for(subjects)('hdbscan on $id', ({id, create}) => {
  const algorithm = create();
  afterAll(() => algorithm.destroy());

  it('returns the bytes of the oracle', async () => {
    // Of the large sets, whose oracle takes seconds, a short share keeps one.
    const isTold = ({name}: {name: string}): boolean => !/^seed|^\d{4} points, [^u]/.test(name);
    for (const one of shareOf(hdbscanCases, {of: id, nameOf: ({name}) => name, isKept: isTold})) {
      const found = await judgeHdbscanCase((points, params) => algorithm.run(points, params), one);
      expect(found, one.name).toBe(null);
    }
  });

  it('returns the bytes of the oracle on random sets', async () => {
    const sets = sizeOfShare(id === 'sequential' ? 2000 : 500);
    for (let seed = 1000; seed < 1000 + sets; seed++) {
      const one = randomHdbscanCase(seed, 300, 5);
      const found = await judgeHdbscanCase((points, params) => algorithm.run(points, params), one);
      expect(found, one.name).toBe(null);
    }
  });
});
