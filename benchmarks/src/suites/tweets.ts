import type {Subject} from '../cell.ts';
import {onHardware} from '../plan.ts';
import {profileOf, type Profile, type Suite, type Workload} from '../suite.ts';
import {
  DS_SEQ,
  DS_SEQ_ALL_PAIRS,
  dsShm,
  dsShmAllPairs,
  GDBSCAN,
  GDBSCAN_ALL_PAIRS,
  GRID_BFS_GPU,
  hybrid,
  hybridAllPairs,
  SEQUENTIAL,
  SEQUENTIAL_ALL_PAIRS,
} from './subjects.ts';

const SOURCE =
  'A course report on G-DBSCAN, PDSDBSCAN and a hybrid of both, after Andrade et al. 2013 and Patwary et al. 2012';
const TWEETS =
  'The report samples 3,704,351 tweets, which are not ours to publish. The data here comes from a seeded generator of the same kind: cities, roads, venues with many tweets at one place, and countryside.';
const INDEX =
  'The report mentions no index, and does not say how its CPU codes find neighbours. “(index none)” compares all pairs of points, the others have a grid; the report’s numbers stand beside the former.';
const READY =
  'Times are from the caller’s array to the caller’s labels. Device, pipelines and threads are ready before.';

/** Speed-up over threads, and time by stage and by thread, on the sample for which the report shows them. */
export const threads: Suite = {
  kind: 'dbscan',
  id: 'threads',
  title: 'PDSDBSCAN: from one thread to many',
  source: SOURCE,
  reproduces:
    'Reproduces the speed-up over threads and the execution times by stage and by thread of ds-shm on 200,000 tweets, eps = 0.01, minPts = 40',
  isUsual: true,
  subjects: [SEQUENTIAL, DS_SEQ, ...[1, 2, 4, 8, 16].map((count) => dsShm(count))],
  reference: SEQUENTIAL,
  axis: 'threads',
  profiles: {
    quick: {...quick(tweets([200_000]), 10), warmups: 2, settleSeconds: 0.2, cellSeconds: 6},
    full: {...full(tweets([200_000])), warmups: 3, repeats: 11, settleSeconds: 1, cellSeconds: 60, suiteSeconds: 600},
  },
  notes: [
    TWEETS,
    INDEX,
    'The summary of the report states “x4” with CPU threads, and names neither the sample nor the threads. ds-seq is pds on one thread without workers.',
  ],
};

/** The same on all sizes of the report, up to the whole set. */
export const tweetSizes: Suite = {
  kind: 'dbscan',
  id: 'tweets',
  title: 'PDSDBSCAN: from 20,000 to 3.7 million tweets',
  source: SOURCE,
  reproduces:
    'Reproduces the execution times of ds-seq and ds-shm on samples of 20,000 to 200,000 tweets, eps = 0.01, minPts = 40; the whole set is ours',
  subjects: threads.subjects,
  reference: SEQUENTIAL,
  axis: 'n',
  profiles: {
    quick: quick(tweets([20_000, 100_000]), 15),
    full: {...full(tweets([20_000, 50_000, 100_000, 200_000, 3_704_351])), cellSeconds: 600, suiteSeconds: 3600},
  },
  notes: [TWEETS, INDEX],
};

const WITH_GRID = [SEQUENTIAL, GDBSCAN, DS_SEQ];
/** 16 threads leave no processor for the calling thread and the driver, 12 do. */
const HYBRIDS = [8, 12, 16].map((count) => hybrid(count));
function allPairs(count: number): Subject[] {
  return [SEQUENTIAL_ALL_PAIRS, GDBSCAN_ALL_PAIRS, DS_SEQ_ALL_PAIRS, dsShmAllPairs(count), hybridAllPairs(count)];
}

/** Speed-up of all five codes of the report, and where G-DBSCAN and the hybrid spend their time. */
export const gdbscanHybrid: Suite = {
  kind: 'dbscan',
  id: 'gdbscan-hybrid',
  title: 'G-DBSCAN, disjoint sets and the hybrid of both',
  source: SOURCE,
  reproduces:
    'Reproduces the speed-up of seq, gdbscan, ds-seq, ds-shm and hybrid on samples of 20,000 to 200,000 tweets, eps = 0.01, minPts = 40, and the execution breakdown of gdbscan into graph construction and BFS',
  isUsual: true,
  // Subjects with a grid, then those without: both times of a quotient run within the same minutes.
  subjects: [...WITH_GRID, dsShm(8), dsShm(16), ...HYBRIDS, ...allPairs(8)],
  reference: SEQUENTIAL,
  axis: 'n',
  profiles: {
    quick: {
      ...quick([...tweets([2000, 10_000]), ...onHardware(tweets([50_000]))], 30),
      softwareGpuMaxN: 2000,
      // What two cores have.
      subjects: [...WITH_GRID, dsShm(2), hybrid(2), ...allPairs(2)],
    },
    // All pairs of 200,000 points take one thread 85 to 130 s: the chart of all methods divides by it.
    full: {...full(tweets([20_000, 50_000, 100_000, 200_000])), cellSeconds: 600, suiteSeconds: 1800},
  },
  notes: [
    TWEETS,
    INDEX,
    'The smaller samples are of the whole country, as the large one is, so they are sparse: 20,000 points have no cluster and 50,000 have two. Most of their time is the search for neighbours.',
    `seq is sequential, ds-seq is pds, ds-shm is pds/workers, hybrid is hybrid/gpu. ×8 are threads. ${READY}`,
  ],
};

/** The hybrid by threads: a run takes 2 ms, so it has up to four times as many runs a cell. */
export const hybridThreads: Suite = {
  kind: 'dbscan',
  id: 'hybrid-threads',
  title: 'The hybrid: from one thread to many',
  source: SOURCE,
  reproduces:
    'No figure of the report: its hybrid on 200,000 tweets, eps = 0.01, minPts = 40, with a grid, over threads, beside the indexed sequential code',
  subjects: [SEQUENTIAL, ...[1, 2, 4, 8, 12, 16].map((count) => hybrid(count))],
  reference: SEQUENTIAL,
  axis: 'threads',
  profiles: {
    quick: {...quick(tweets([5000]), 15), subjects: [SEQUENTIAL, hybrid(1), hybrid(2)]},
    full: {...full(tweets([200_000])), repeats: 40, repeatsMax: 200, warmSeconds: 1, cellSeconds: 60},
  },
  notes: [READY, 'The calling thread works too, so 16 threads on 16 processors leave it no processor of its own.'],
};

/** Graphs that G-DBSCAN codes are known to be slow on, or to abort. */
export const gdbscanGraphs: Suite = {
  kind: 'dbscan',
  id: 'gdbscan-graphs',
  title: 'G-DBSCAN: graphs of millions of edges',
  source: 'G. Andrade et al., “G-DBSCAN: a GPU accelerated algorithm for density-based clustering”, 2013',
  reproduces:
    'Reproduces no figure: data on which other G-DBSCAN codes were timed, with 9 and 927 million edges, and 1,000,000 Gaussian points in 2-D, eps = 0.00094, minPts = 10',
  subjects: [SEQUENTIAL, GRID_BFS_GPU, GDBSCAN],
  reference: SEQUENTIAL,
  axis: 'dataset',
  profiles: {
    quick: quick([crowded(2000), ...onHardware([gaussian(3000, 0.01)])], 15),
    full: full([crowded(100_000), crowded(1_000_000), gaussian(1_000_000, 0.00094)]),
  },
  notes: ['No device binds 927 million edges at once, so the graph is processed in chunks.'],
};

/** The report's appendix: its codes on the sets of scikit-learn's comparison of clusterings. */
export const gdbscanHybridPictures: Suite = {
  kind: 'dbscan',
  id: 'gdbscan-hybrid-pictures',
  title: 'G-DBSCAN and the hybrid: six sets of scikit-learn',
  source: SOURCE,
  reproduces:
    'Reproduces the appendix “Validation result with synthetic data”: the six sets of scikit-learn’s comparison of clusterings, 1,500 points each. The appendix names neither eps nor minPts (“various”): ours are the eps of that comparison and minPts = 5',
  subjects: [SEQUENTIAL, GDBSCAN, hybrid(2)],
  reference: SEQUENTIAL,
  axis: 'dataset',
  // The suite is for its six pictures; its times say little.
  profiles: {
    quick: {
      ...quick(
        sklearnSets().map((workload, k) => (k === 0 ? workload : {...workload, subjects: []})),
        25,
      ),
      repeats: 1,
      settleSeconds: 0,
    },
    full: {...full(sklearnSets()), repeatsMax: 5, settleSeconds: 0.2, warmSeconds: 0.1},
  },
  notes: [
    'The report shows a picture for each code. Here the labels of every cell equal the O(n²) definition, byte for byte, so one picture for each set shows all codes.',
    'The sets come from seeded generators of this project after scikit-learn’s, standardized as in its example.',
  ],
};

function quick(workloads: readonly Workload[], suiteSeconds: number): Profile {
  const bounds = {softwareGpuMaxN: 5000, cellSeconds: 4, repeatSeconds: 1, suiteSeconds};
  return profileOf({workloads}, {warmups: 1, repeats: 3, settleSeconds: 0.1}, bounds);
}

function full(workloads: readonly Workload[]): Profile {
  // Runs of the hybrid take 2 ms. Five of them say little on a machine whose speed varies.
  const runs = {warmups: 1, repeats: 1, repeatsMax: 50, settleSeconds: 0.6, warmSeconds: 0.4};
  return profileOf({workloads}, runs, {
    softwareGpuMaxN: 20_000,
    cellSeconds: 35,
    repeatSeconds: 6,
    suiteSeconds: 900,
  });
}

function crowded(n: number): Workload {
  return {dataset: `milanesi:n=${n},seed=0`, n, dim: 2, params: {eps: 0.03, minPts: 8}};
}

function gaussian(n: number, eps: number): Workload {
  return {dataset: `gaussians:n=${n},dim=2,seed=1`, n, dim: 2, params: {eps, minPts: 10}};
}

/** “According to the paper, we set minPoints as 40, eps: 0.01” */
function tweets(sizes: readonly number[]): Workload[] {
  const params = {eps: 0.01, minPts: 40};
  return sizes.map((n) => ({dataset: `tweets:n=${n},seed=1`, n, dim: 2, params, picture: n === 200_000}));
}

function sklearnSets(): Workload[] {
  const sets = {circles: 0.3, moons: 0.3, varied: 0.18, aniso: 0.15, blobs: 0.3, 'no-structure': 0.3};
  return Object.entries(sets).map(([name, eps]) => {
    return {dataset: `${name}:n=1500,seed=1`, n: 1500, dim: 2, params: {eps, minPts: 5}, picture: true};
  });
}
