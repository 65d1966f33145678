import {REFERENCE} from '../dbscan/plan.ts';
import type {DbscanSuite, Subject, Workload} from '../dbscan/suite.ts';

/** “According to the paper, we set minPoints as 40, eps: 0.01” */
const PARAMS = {eps: 0.01, minPts: 40} as const;

const SOURCE =
  'A course report on G-DBSCAN, PDSDBSCAN and a hybrid of both, after Patwary et al., “A new scalable parallel DBSCAN algorithm using the disjoint-set data structure”, SC’12';

const SEQUENTIAL_SETS: Subject = {row: 'pds', backend: 'sequential'};

const DATA_NOTES = [
  'The document samples 3,704,351 tweets, which are not ours to publish. The data here comes from a seeded generator of the same kind: cities, roads, venues with many tweets at one place, and countryside.',
  'Threads run before a run is timed. A time is from the caller’s array to the caller’s labels, the grid included. The document mentions no index, and does not say how its CPU codes find neighbours.',
];

/** Speed-up over threads, and time by stage and by thread, on the sample for which the document shows them. */
export const threads: DbscanSuite = {
  kind: 'dbscan',
  id: 'threads',
  title: 'PDSDBSCAN: from one thread to many',
  source: SOURCE,
  reproduces:
    'Reproduces the speed-up over threads and the execution times by stage and by thread of ds-shm on 200,000 tweets, eps = 0.01, minPts = 40',
  subjects: [REFERENCE, SEQUENTIAL_SETS, ...workers([1, 2, 4, 8, 16])],
  axis: 'threads',
  profiles: {
    quick: {
      workloads: tweets([200_000]),
      warmups: 2,
      repeats: 5,
      settleSeconds: 0.2,
      softwareGpuMaxN: 0,
      cellSeconds: 6,
      suiteSeconds: 15,
    },
    full: {
      workloads: tweets([200_000]),
      warmups: 3,
      repeats: 11,
      settleSeconds: 1,
      softwareGpuMaxN: 0,
      cellSeconds: 60,
      suiteSeconds: 600,
    },
  },
  published: [],
  notes: [
    ...DATA_NOTES,
    'The curves of the document are not legible in the available text. Its summary states “x4” with CPU threads, and names neither the sample nor the threads.',
  ],
  credits: [],
  memoryLimits: null,
};

/** The same on all sizes of the document, up to the whole set. */
export const tweetSizes: DbscanSuite = {
  kind: 'dbscan',
  id: 'tweets',
  title: 'PDSDBSCAN: from 20,000 to 3.7 million tweets',
  source: SOURCE,
  reproduces:
    'Reproduces the execution times of ds-seq and ds-shm on samples of 20,000 to 200,000 tweets, eps = 0.01, minPts = 40; the whole set is ours',
  subjects: [REFERENCE, SEQUENTIAL_SETS, ...workers([1, 2, 4, 8, 16])],
  axis: 'n',
  profiles: {
    quick: {
      workloads: tweets([20_000, 100_000]),
      warmups: 2,
      repeats: 3,
      settleSeconds: 0.1,
      softwareGpuMaxN: 0,
      cellSeconds: 4,
      suiteSeconds: 15,
    },
    full: {
      workloads: tweets([20_000, 50_000, 100_000, 200_000, 3_704_351]),
      warmups: 2,
      repeats: 5,
      settleSeconds: 0.3,
      softwareGpuMaxN: 0,
      cellSeconds: 600,
      repeatSeconds: 4,
      suiteSeconds: 3600,
    },
  },
  published: [],
  notes: DATA_NOTES,
  credits: [],
  memoryLimits: null,
};

function workers(counts: readonly number[]): Subject[] {
  return counts.map((count) => ({row: 'pds', backend: 'workers', threads: count}));
}

function tweets(sizes: readonly number[]): Workload[] {
  return sizes.map((n) => ({dataset: `tweets:n=${n},seed=1`, n, dim: 2, params: PARAMS, picture: n === 200_000}));
}
