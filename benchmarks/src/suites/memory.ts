import type {DbscanSuite, Subject, Workload} from '../dbscan/suite.ts';

const MIN_PTS = 5;

/** Rows with a promise, and the default on a GPU. */
const PROMISED: readonly Subject[] = [
  {row: 'sequential', backend: 'sequential'},
  {row: 'grid-bfs', backend: 'sequential'},
  {row: 'grid-bfs', backend: 'gpu'},
  {row: 'dense-grid', backend: 'gpu'},
];

/** The project's limits on memory, host and device, which this suite asserts. */
export const memory: DbscanSuite = {
  kind: 'dbscan',
  id: 'memory',
  title: 'Memory a point',
  source: 'epsball: what the documentation promises',
  reproduces: 'Asserts at most 60 bytes a point on the host beyond input and output, and at most 80 on the device',
  subjects: 'catalogue',
  axis: 'n',
  profiles: {
    quick: {
      workloads: [workload(50_000, 0.008), workload(1_000_000, 0.002)],
      subjects: PROMISED,
      warmups: 0,
      repeats: 1,
      settleSeconds: 0,
      softwareGpuMaxN: 50_000,
      // From 50,000 points the work is expected to grow with n², which it does not.
      cellSeconds: 60,
      suiteSeconds: 20,
    },
    full: {
      // Every variant at a million points, those with a promise on other sizes, too.
      workloads: [
        {...workload(200_000, 0.004), subjects: PROMISED},
        workload(1_000_000, 0.002),
        {...workload(4_000_000, 0.001), subjects: PROMISED},
      ],
      warmups: 0,
      repeats: 3,
      settleSeconds: 0,
      softwareGpuMaxN: 200_000,
      cellSeconds: 60,
      repeatSeconds: 3,
      suiteSeconds: 3600,
    },
  },
  published: [],
  notes: [
    'Host memory is the peak of the resident set during the first run, minus the resident set just before it and minus the arrays of the result. Code, drivers and pipelines are loaded before, by a run of a thousand points.',
    'The host limit is asserted from 1,000,000 points on. With fewer points the compiler and the garbage collector move more memory than the algorithm does.',
    'A software adapter keeps device memory inside the process, so the host figure of a GPU cell is asserted on hardware adapters only.',
  ],
  credits: [],
  memoryLimits: {
    hostBytesPerPoint: 60,
    hostFromPoints: 1_000_000,
    deviceBytesPerPoint: 80,
    rows: ['sequential', 'grid-bfs'],
  },
};

/** Twenty Gaussian clusters in the unit square. */
function workload(n: number, eps: number): Workload {
  return {dataset: `gaussians:n=${n},dim=2,seed=1`, n, dim: 2, params: {eps, minPts: MIN_PTS}, picture: false};
}
