import {describeDbscan, describeDbscanProperties} from '@epsball/conformance/suite';
import {createPdsWorkers} from '../src/workers/index.ts';

// The catalogue's conformance test takes the defaults; here are the other threads, unions and partitions.
for (const threads of [1, 2, 3, 7]) {
  for (const union of ['lock-free', 'lock'] as const) {
    const subject = {
      id: `pds/workers, ${threads} threads, ${union}`,
      maxDim: Infinity,
      create: async () => createPdsWorkers({threads, union, pointsPerChunk: 1}),
    };
    describeDbscan(subject);
    if (threads > 2) describeDbscanProperties(subject);
  }
}

for (const union of ['lock-free', 'lock'] as const) {
  const subject = {
    id: `pds/workers, 3 threads, ${union}, partition by index`,
    maxDim: Infinity,
    create: async () => createPdsWorkers({threads: 3, union, partition: 'index', pointsPerChunk: 1}),
  };
  describeDbscan(subject);
  describeDbscanProperties(subject);
}
