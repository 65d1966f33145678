import {REFERENCE} from '../dbscan/plan.ts';
import type {DbscanSuite, PublishedFigure, Subject, SuiteProfile, Workload} from '../dbscan/suite.ts';

/** “According to the paper, we set minPoints as 40, eps: 0.01” */
const PARAMS = {eps: 0.01, minPts: 40} as const;

const SOURCE =
  'A course report on G-DBSCAN, PDSDBSCAN and a hybrid of both, after Andrade et al. 2013 and Patwary et al. 2012';

/** The report's only way to find neighbours: it tests every pair. */
const ALL_PAIRS = {index: 'none'} as const;

const SEQ_ALL_PAIRS: Subject = {...REFERENCE, options: ALL_PAIRS};
const GDBSCAN: Subject = {row: 'gdbscan', backend: 'gpu'};
const GDBSCAN_ALL_PAIRS: Subject = {...GDBSCAN, options: ALL_PAIRS};
const DS_SEQ: Subject = {row: 'pds', backend: 'sequential'};
const DS_SEQ_ALL_PAIRS: Subject = {...DS_SEQ, options: ALL_PAIRS};
const DS_SHM: Subject = {row: 'pds', backend: 'workers'};
const HYBRID: Subject = {row: 'hybrid', backend: 'gpu'};

const REPORT_CPU = 'Intel Core i7-7700K';
const REPORT_GPU = 'NVIDIA GeForce GTX 1060 3GB';
const OVER = `over its sequential code on ${REPORT_CPU}`;

/** Speed-ups that the text states; its bar charts are not legible in the text we have. */
const PUBLISHED: readonly PublishedFigure[] = [
  stated(GDBSCAN_ALL_PAIRS, 50_000, 10, `${REPORT_GPU}, ${OVER}`, '“10x speed up on twitter_50000”'),
  stated(
    GDBSCAN_ALL_PAIRS,
    200_000,
    15,
    `${REPORT_GPU}, ${OVER}`,
    '“15x speed up on twitter_200000”; its summary says 16',
  ),
  stated(
    {...DS_SHM, threads: 8, options: ALL_PAIRS},
    200_000,
    4,
    `${REPORT_CPU}, 8 threads, ${OVER}`,
    'summary: “(x4) with CPU thread-parallel”',
  ),
  stated(
    {...HYBRID, threads: 8, options: ALL_PAIRS},
    200_000,
    41,
    `${REPORT_GPU} and 8 threads of ${REPORT_CPU}, ${OVER}`,
    'summary: “(x41) with a hybrid approach”; “more than 40x speed up on twitter_200000”',
  ),
];

const NOTES = [
  'The report samples 3,704,351 tweets, which are not ours to publish. The data here comes from a seeded generator of the same kind: cities, roads, venues with many tweets at one place, and countryside.',
  'The report has no index: each of its codes compares all pairs of points. Our subjects come in both forms: “(index none)” compares all pairs, as the report does; the others have a grid. There are two sequential codes as baselines, and each speed-up names its own.',
  'The smaller samples are of the whole country, as the large one is, so they are sparse: with these parameters 20,000 points have no cluster and 50,000 have two. Most of their time is the search for neighbours.',
  'seq is sequential, ds-seq is pds, ds-shm is pds workers, hybrid is hybrid gpu. ×8 are threads. Times are from the caller’s array to the caller’s labels. Device, pipelines and threads are ready before.',
];

/** Speed-up of all five codes of the report, and where G-DBSCAN and the hybrid spend their time. */
export const gdbscanHybrid: DbscanSuite = {
  kind: 'dbscan',
  id: 'gdbscan-hybrid',
  title: 'G-DBSCAN, disjoint sets and the hybrid of both',
  source: SOURCE,
  reproduces:
    'Reproduces the speed-up of seq, gdbscan, ds-seq, ds-shm and hybrid on samples of 20,000 to 200,000 tweets, eps = 0.01, minPts = 40, and the execution breakdown of gdbscan into graph construction and BFS',
  // Subjects with a grid, then those without: both times of a quotient run within the same minute, because the speed of
  // a machine varies.
  subjects: [
    REFERENCE,
    GDBSCAN,
    DS_SEQ,
    {...DS_SHM, threads: 8},
    {...DS_SHM, threads: 16},
    {...HYBRID, threads: 8},
    // 16 threads leave no processor for the calling thread and the driver.
    {...HYBRID, threads: 12},
    {...HYBRID, threads: 16},
    SEQ_ALL_PAIRS,
    GDBSCAN_ALL_PAIRS,
    DS_SEQ_ALL_PAIRS,
    {...DS_SHM, threads: 8, options: ALL_PAIRS},
    {...HYBRID, threads: 8, options: ALL_PAIRS},
  ],
  baselines: [REFERENCE, SEQ_ALL_PAIRS],
  axis: 'n',
  profiles: {
    quick: {
      ...quick(tweets([5000, 50_000]), 31),
      // What two cores have.
      subjects: [
        REFERENCE,
        GDBSCAN,
        DS_SEQ,
        {...DS_SHM, threads: 2},
        {...HYBRID, threads: 2},
        SEQ_ALL_PAIRS,
        GDBSCAN_ALL_PAIRS,
        {...HYBRID, threads: 2, options: ALL_PAIRS},
      ],
    },
    full: full(tweets([20_000, 50_000, 100_000, 200_000])),
  },
  published: PUBLISHED,
  notes: NOTES,
  credits: [],
  memoryLimits: null,
};

/**
 * The hybrid by threads, with up to four times as many runs a cell: a run takes 2 ms, and the speed of machines varies.
 */
export const hybridThreads: DbscanSuite = {
  kind: 'dbscan',
  id: 'hybrid-threads',
  title: 'The hybrid: from one thread to many',
  source: SOURCE,
  reproduces:
    'No figure of the report: its hybrid on 200,000 tweets, eps = 0.01, minPts = 40, with a grid, over threads, beside the indexed sequential code',
  subjects: [REFERENCE, ...[1, 2, 4, 8, 12, 16].map((threads) => ({...HYBRID, threads}))],
  axis: 'threads',
  profiles: {
    quick: {
      ...quick(tweets([5000]), 8),
      subjects: [REFERENCE, {...HYBRID, threads: 1}, {...HYBRID, threads: 2}],
    },
    full: {...full(tweets([200_000])), repeats: 40, repeatsMax: 200, warmSeconds: 1, cellSeconds: 60},
  },
  published: [],
  notes: [
    'Sequential has a grid as well. Times are from the caller’s array to the caller’s labels. Device, pipelines and threads are ready before.',
    'The calling thread works too, so 16 threads on 16 processors leave it no processor of its own.',
  ],
  credits: [],
  memoryLimits: null,
};

/** Times of other G-DBSCAN codes for CUDA on an H200, measured by this project: notes, not figures of a document. */
const PEERS: readonly PublishedFigure[] = [
  peer(
    {n: 100_000, minPts: 8},
    57,
    'a code for CUDA on the data of the suite `milanesi`; at 1,000,000 points none finishes',
  ),
  peer({n: 1_000_000, minPts: 10}, 3587, 'a code for CUDA on 1,000,000 Gaussian points'),
  peer({n: 1_000_000, minPts: 10}, 5915, 'another one, by Mustafa, on the same'),
];

/** Graphs that G-DBSCAN codes are known to be slow on, or to abort. */
export const gdbscanGraphs: DbscanSuite = {
  kind: 'dbscan',
  id: 'gdbscan-graphs',
  title: 'G-DBSCAN: graphs of millions of edges',
  source: 'G. Andrade et al., “G-DBSCAN: a GPU accelerated algorithm for density-based clustering”, 2013',
  reproduces:
    'Data on which other G-DBSCAN codes were timed: the generator of the suite `milanesi` with 100,000 and 1,000,000 points, eps = 0.03, minPts = 8 (9 and 927 million edges), and 1,000,000 Gaussian points in 2-D, eps = 0.00094, minPts = 10',
  subjects: [REFERENCE, {row: 'grid-bfs', backend: 'gpu'}, GDBSCAN],
  axis: 'dataset',
  profiles: {
    quick: {...quick([crowded(2000), gaussian(3000, 0.01)], 12), subjects: [REFERENCE, GDBSCAN]},
    full: full([crowded(100_000), crowded(1_000_000), gaussian(1_000_000, 0.00094)]),
  },
  published: PEERS,
  notes: [
    'The figures in the columns of the document are measurements of this project: existing CUDA codes on one NVIDIA H200. Each code decides which part of a run it times; our time is from the caller’s array to the caller’s labels.',
    'No device binds 927 million edges at once, so the graph is processed in chunks.',
  ],
  credits: [],
  memoryLimits: null,
};

/** The report's appendix: its codes on the sets of scikit-learn's comparison of clusterings. */
export const gdbscanHybridPictures: DbscanSuite = {
  kind: 'dbscan',
  id: 'gdbscan-hybrid-pictures',
  title: 'G-DBSCAN and the hybrid: six sets of scikit-learn',
  source: SOURCE,
  reproduces:
    'Reproduces the appendix “Validation result with synthetic data”: the six sets of scikit-learn’s comparison of clusterings, 1,500 points each, eps as suggested there, minPts = 5',
  subjects: [REFERENCE, GDBSCAN, {...HYBRID, threads: 2}],
  axis: 'dataset',
  // The suite is for its six pictures; its times say little.
  profiles: {
    quick: {...quick(sklearnSets(), 21), repeats: 1, settleSeconds: 0},
    full: {...full(sklearnSets()), repeatsMax: 5},
  },
  published: [],
  notes: [
    'The report shows a picture for each code. Here the labels of every cell equal the O(n²) definition, byte for byte, so one picture for each set shows all codes.',
    'The sets come from seeded generators of this project after scikit-learn’s, standardized as in its example.',
  ],
  credits: [],
  memoryLimits: null,
};

function stated(subject: Subject, n: number, value: number, machine: string, where: string): PublishedFigure {
  const reading = 'stated in the text';
  return {subject, over: SEQ_ALL_PAIRS, quantity: 'speedUp', n, value, machine, reading, where};
}

function peer(data: {readonly n: number; readonly minPts: number}, value: number, what: string): PublishedFigure {
  const machine = 'NVIDIA H200';
  return {
    subject: GDBSCAN,
    quantity: 'time',
    ...data,
    value,
    machine,
    reading: 'stated in the text',
    where: `this project’s notes: ${what}`,
  };
}

function crowded(n: number): Workload {
  return {dataset: `milanesi:n=${n},seed=0`, n, dim: 2, params: {eps: 0.03, minPts: 8}, picture: false};
}

function gaussian(n: number, eps: number): Workload {
  return {dataset: `gaussians:n=${n},dim=2,seed=1`, n, dim: 2, params: {eps, minPts: 10}, picture: false};
}

function quick(workloads: readonly Workload[], suiteSeconds: number): SuiteProfile {
  return {
    workloads,
    warmups: 1,
    repeats: 3,
    settleSeconds: 0.2,
    softwareGpuMaxN: 5000,
    cellSeconds: 4,
    suiteSeconds,
  };
}

function full(workloads: readonly Workload[]): SuiteProfile {
  return {
    workloads,
    warmups: 1,
    // Runs of the hybrid take 2 ms. Five of them say little on a machine whose speed varies.
    repeats: 1,
    repeatsMax: 50,
    settleSeconds: 1,
    warmSeconds: 0.5,
    softwareGpuMaxN: 20_000,
    // All pairs of 200,000 points on one thread take 85 to 130 s, with disjoint sets twice as long, which is left out.
    cellSeconds: 140,
    suiteSeconds: 900,
  };
}

function tweets(sizes: readonly number[]): Workload[] {
  return sizes.map((n) => ({dataset: `tweets:n=${n},seed=1`, n, dim: 2, params: PARAMS, picture: n >= 50_000}));
}

/** Sizes, eps and minPts of the report's appendix, which has them from scikit-learn. */
function sklearnSets(): Workload[] {
  const sets = {circles: 0.3, moons: 0.3, varied: 0.18, aniso: 0.15, blobs: 0.3, 'no-structure': 0.3};
  return Object.entries(sets).map(([name, eps]) => ({
    dataset: `${name}:n=1500,seed=1`,
    n: 1500,
    dim: 2,
    params: {eps, minPts: 5},
    picture: true,
  }));
}
