import {describeDbscan, describeDbscanProperties} from '@epsball/conformance/suite';
import {SHARE} from '@epsball/conformance/share';
import {WorkerPool} from '@epsball/workers';
import {afterAll} from 'vitest';
import {createPdsWorkers, type PdsWorkersOptions} from '../src/workers/index.ts';

// The catalogue's conformance test takes the defaults. These are the other numbers of threads, unions and partitions.
// Chunks of single points make threads meet in small cases too.
for (const threads of [1, 2, 3, 7]) {
  const pool = new WorkerPool({threads});
  afterAll(() => pool.destroy());
  const subject = (options: PdsWorkersOptions, what: string) => ({
    id: `pds/workers, ${threads} threads, ${what}`,
    maxDim: Infinity,
    // Without locks, cases of all families for each number of threads; with another union or partition, a sample.
    share: SHARE >= 1 || what === 'lock-free' ? SHARE : SHARE / 4,
    create: async () => createPdsWorkers({...options, pool, pointsPerChunk: 1}),
  });
  const subjects = [subject({union: 'lock-free'}, 'lock-free')];
  // One thread has no pairs to unite under a lock.
  if (threads > 1) subjects.push(subject({union: 'lock'}, 'lock'));
  if (threads === 3) {
    subjects.push(subject({union: 'lock-free', partition: 'index'}, 'lock-free, partition by index'));
    subjects.push(subject({union: 'lock', partition: 'index'}, 'lock, partition by index'));
  }
  for (const one of subjects) {
    describeDbscan(one);
    if (threads > 2) describeDbscanProperties(one);
  }
}
