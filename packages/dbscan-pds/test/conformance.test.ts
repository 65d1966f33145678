import {describeDbscan, describeDbscanProperties} from '@epsball/conformance/suite';
import {SHARE} from '@epsball/conformance/share';
import {WorkerPool} from '@epsball/workers';
import {afterAll} from 'vitest';
import {createPdsWorkers, type PdsWorkersOptions} from '../src/workers/index.ts';

interface Setting extends PdsWorkersOptions {
  readonly threads: number;
  /** In a run of all tests only. */
  readonly isExtra?: boolean;
}

// The catalogue's conformance test takes the defaults. These are the other numbers of threads, unions and partitions.
// One thread has no pairs to unite under a lock.
const SETTINGS: readonly Setting[] = [
  {threads: 1, union: 'lock-free'},
  {threads: 2, union: 'lock-free', isExtra: true},
  {threads: 2, union: 'lock'},
  {threads: 3, union: 'lock-free'},
  {threads: 3, union: 'lock', isExtra: true},
  {threads: 3, union: 'lock-free', partition: 'index', isExtra: true},
  {threads: 3, union: 'lock', partition: 'index'},
  {threads: 7, union: 'lock-free'},
  {threads: 7, union: 'lock', isExtra: true},
];

for (const {threads, isExtra, ...options} of SETTINGS) {
  if (isExtra === true && SHARE < 1) continue;
  const pool = new WorkerPool({threads});
  afterAll(() => pool.destroy());
  const isFirst = threads === 3 && options.union === 'lock-free' && options.partition === undefined;
  const subject = {
    id: `pds/workers, ${threads} threads, ${options.union}, partition ${options.partition ?? 'cells'}`,
    maxDim: Infinity,
    // One setting takes cases of all families; the others a sample.
    share: SHARE >= 1 || isFirst ? SHARE : SHARE / 4,
    // Chunks of single points make threads meet in small cases too.
    create: async () => createPdsWorkers({...options, pool, pointsPerChunk: 1}),
  };
  describeDbscan(subject);
  if (threads > 2) describeDbscanProperties(subject);
}
