import {describeDbscan, describeDbscanProperties} from '@epsball/conformance/suite';
import {WorkerPool} from '@epsball/workers';
import {afterAll} from 'vitest';
import {createDenseGridWorkers} from '../src/workers/index.ts';

// The catalogue's conformance test takes the defaults. Chunks of single points make threads meet in small cases too.
for (const threads of [2, 5]) {
  const pool = new WorkerPool({threads});
  afterAll(() => pool.destroy());
  const subject = {
    id: `dense-grid/workers, ${threads} threads`,
    maxDim: 4,
    create: async () => createDenseGridWorkers({pool, pointsPerChunk: 1}),
  };
  describeDbscan(subject);
  if (threads > 2) describeDbscanProperties(subject);
}
