import {onHardware, REFERENCE} from '../dbscan/plan.ts';
import type {DbscanSuite, PublishedFigure, Subject, SuiteProfile, Workload} from '../dbscan/suite.ts';

/** “According to the paper, we set minPoints as 40, eps: 0.01” */
const PARAMS = {eps: 0.01, minPts: 40} as const;

const SOURCE =
  'A course report on G-DBSCAN, PDSDBSCAN and a hybrid of both, after Andrade et al. 2013 and Patwary et al. 2012';

/** The report mentions no index, and does not say how its CPU codes find neighbours. */
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
  stated(GDBSCAN_ALL_PAIRS, 50_000, 10, '10x', `${REPORT_GPU}, ${OVER}`),
  stated(GDBSCAN_ALL_PAIRS, 200_000, 15, '15x', `${REPORT_GPU}, ${OVER}`),
  stated(
    {...HYBRID, threads: 8, options: ALL_PAIRS},
    200_000,
    40,
    'more than 40x',
    `${REPORT_GPU} and 8 threads of ${REPORT_CPU}, ${OVER}`,
  ),
];

const NOTES = [
  'The report samples 3,704,351 tweets, which are not ours to publish. The data here comes from a seeded generator of the same kind: cities, roads, venues with many tweets at one place, and countryside.',
  'The summary of the report states “x16” with CUDA, “x4” with CPU threads and “x41” for the hybrid, and names neither the sample nor the threads. So these three stand beside none of our cells.',
  'The report mentions no index, and does not say how its CPU codes find neighbours. Our subjects come in both forms: “(index none)” compares all pairs of points, the others have a grid. The report’s numbers stand beside the former. There are two sequential codes as baselines, and each speed-up names its own.',
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
      ...quick([...tweets([2000]), ...onHardware(tweets([50_000]))], 40),
      // What two cores have.
      subjects: [
        REFERENCE,
        GDBSCAN,
        DS_SEQ,
        {...DS_SHM, threads: 2},
        {...HYBRID, threads: 2},
        SEQ_ALL_PAIRS,
        GDBSCAN_ALL_PAIRS,
        DS_SEQ_ALL_PAIRS,
        {...DS_SHM, threads: 2, options: ALL_PAIRS},
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
      ...quick(tweets([5000]), 15),
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
    quick: quick([crowded(2000), ...onHardware([gaussian(3000, 0.01)])], 15),
    full: full([crowded(100_000), crowded(1_000_000), gaussian(1_000_000, 0.00094)]),
  },
  published: [],
  notes: [
    'No document prints times of these data. This project measured public CUDA codes of G-DBSCAN on one NVIDIA H200: 57 ms for 100,000 points of the suite `milanesi` (at 1,000,000 points none finishes), and 3587 and 5915 ms for two codes on the Gaussian points. Each code decides which part of a run it times; our time is from the caller’s array to the caller’s labels.',
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
    'Reproduces the appendix “Validation result with synthetic data”: the six sets of scikit-learn’s comparison of clusterings, 1,500 points each. The appendix names neither eps nor minPts (“various”): ours are the eps of that comparison and minPts = 5',
  subjects: [REFERENCE, GDBSCAN, {...HYBRID, threads: 2}],
  axis: 'dataset',
  // The suite is for its six pictures; its times say little.
  profiles: {
    quick: {...quick(quickSets(), 25), repeats: 1, settleSeconds: 0},
    full: {...full(sklearnSets()), repeatsMax: 5, settleSeconds: 0.2, warmSeconds: 0.1},
  },
  published: [],
  notes: [
    'The report shows a picture for each code. Here the labels of every cell equal the O(n²) definition, byte for byte, so one picture for each set shows all codes.',
    'The sets come from seeded generators of this project after scikit-learn’s, standardized as in its example.',
  ],
  credits: [],
  memoryLimits: null,
};

function stated(subject: Subject, n: number, value: number, printed: string, machine: string): PublishedFigure {
  const where = `“${printed} speed up on twitter_${n}”`;
  const reading = 'stated in the text';
  return {subject, over: SEQ_ALL_PAIRS, quantity: 'speedUp', n, value, printed, machine, reading, where};
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
    settleSeconds: 0.6,
    warmSeconds: 0.4,
    softwareGpuMaxN: 20_000,
    // All pairs of 200,000 points take one thread 85 to 130 s, eight 30. The former are left out, so that all suites
    // fit the minutes that a machine can be had; their time is in the committed references.
    cellSeconds: 35,
    repeatSeconds: 6,
    suiteSeconds: 900,
  };
}

function tweets(sizes: readonly number[]): Workload[] {
  return sizes.map((n) => ({dataset: `tweets:n=${n},seed=1`, n, dim: 2, params: PARAMS, picture: n >= 50_000}));
}

/** Sizes, eps and minPts of the report's appendix, which has them from scikit-learn. */
/** All codes on one set, the reference on every one. */
function quickSets(): Workload[] {
  return sklearnSets().map((workload, index) => (index === 0 ? workload : {...workload, subjects: []}));
}

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
