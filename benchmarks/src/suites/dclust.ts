import {onHardware, REFERENCE} from '../dbscan/plan.ts';
import type {DbscanSuite, SuiteProfile, Workload} from '../dbscan/suite.ts';
import {NOTES, PLAIN_CPU, PLAIN_GPU, SOURCE, STAR_CPU, STAR_GPU, stated, table1, TIMED_GPU} from './dclustPaper.ts';

/** Section 7: “Unless otherwise mentioned, the algorithms are parameterized with ε = 0.05 and MinPts = 4.” */
const PARAMS = {eps: 0.05, minPts: 4} as const;
const DIM = 8;
/** “a fixed number of about 260k 8-dimensional points” */
const MANY = 260_000;
/** The same on two cores without a GPU. */
const FEW = 1000;

/**
 * Seconds of a cell in the suite without an index: short enough for a machine that is available for minutes, and enough
 * for 65,000 points on the processor, so that two sizes show how its time grows.
 */
const NONE_SECONDS = 60;
/** Of the suite by kernel: the reference of its largest workload takes 40 s. */
const KERNEL_SECONDS = 120;
/** Where the version without an index stands beside CUDA-DClust* over minPts and eps. */
const WITH_PLAIN = {minPts: [4, 64, 2048], eps: [0.02, 0.05, 0.1]};

/** The sentence of the two times follows the one that ends at 1m points. */
const POINTS_UNNAMED = 'the sentence names no number of points, the one before it ends at 1m';

/** Narrower clusters. In those of the other figures no point is core from minPts = 512 on. */
const DENSE = 'dense-gaussians';

/**
 * Figure 7(a). A separate suite, so that the limit on a cell stops the CPU's n² and not the reference of the others.
 */
export const dclustNone: DbscanSuite = {
  kind: 'dbscan',
  id: 'dclust-none',
  title: 'CUDA-DClust: points, without an index',
  source: SOURCE,
  reproduces:
    'Reproduces Figure 7(a): 30,000 to 1,000,000 points, eps = 0.05, minPts = 4, no index; the paper does not name the dimensions of this figure, ours are eight',
  subjects: [REFERENCE, PLAIN_CPU, PLAIN_GPU],
  axis: 'n',
  profiles: {
    quick: quick([workload({n: FEW}), ...onHardware([4000, 8000].map((n) => workload({n})))]),
    full: {
      ...full([30_000, 65_000, 130_000, 260_000, 520_000, 1_000_000].map((n) => workload({n}))),
      cellSeconds: NONE_SECONDS,
    },
  },
  published: [
    stated(
      'speedUp',
      PLAIN_GPU,
      {n: 30_000},
      10,
      '10',
      '7.1, Figure 7(a): “from 10 for 30k points up to 15 for 1m points”',
    ),
    stated('speedUp', PLAIN_GPU, {n: 1_000_000}, 15, '15', '7.1, Figure 7(a), the same sentence'),
    stated('time', PLAIN_CPU, {n: 1_000_000}, 9 * 3_600_000, 'nine hours', `7.1, Figure 7(a); ${POINTS_UNNAMED}`),
    stated('time', PLAIN_GPU, {n: 1_000_000}, 40 * 60_000, '40 minutes', `7.1, Figure 7(a); ${POINTS_UNNAMED}`),
  ],
  notes: [
    ...NOTES,
    `Without an index the CPU looks at all pairs, and a cell that would take more than ${NONE_SECONDS} s is left out. The paper’s took up to nine hours.`,
  ],
  credits: [],
  memoryLimits: null,
};

/** Figure 7(b), and Table 1 over n. */
export const dclust: DbscanSuite = {
  kind: 'dbscan',
  id: 'dclust',
  title: 'CUDA-DClust*: points',
  source: SOURCE,
  reproduces:
    'Reproduces Figure 7(b) (with index) and Table 1 (index construction): 30,000 to 2,000,000 points, eps = 0.05, minPts = 4; the paper does not name the dimensions of Figure 7(b), ours are eight, as in most rows of Table 1; and fewer points, where an index hardly pays',
  subjects: [REFERENCE, PLAIN_GPU, STAR_GPU],
  axis: 'n',
  profiles: {
    quick: quick([workload({n: FEW}), ...onHardware([4000, 16_000].map((n) => workload({n})))]),
    full: full(
      [10_000, 20_000, 30_000, 65_000, 130_000, 260_000, 520_000, 1_000_000, 2_000_000].map((n) => workload({n})),
    ),
  },
  published: [
    stated(
      'speedUp',
      STAR_GPU,
      {n: 30_000},
      3.5,
      '3.5',
      '7.2, Figure 7(b): “from 3.5 for 30k points to almost 15 for 2m points”',
    ),
    stated('speedUp', STAR_GPU, {n: 2_000_000}, 15, 'almost 15', '7.2, Figure 7(b), the same sentence'),
    ...table1(({dim}) => dim === DIM),
  ],
  notes: [
    ...NOTES,
    'With an index the paper’s speed-up is at least 10 above 250,000 points (section 7.2).',
    'The tables show CUDA-DClust without an index beside it, on the same points.',
  ],
  credits: [],
  memoryLimits: null,
};

/** Figure 7(c). */
export const dclustMinPts: DbscanSuite = {
  kind: 'dbscan',
  id: 'dclust-minpts',
  title: 'CUDA-DClust*: minPts',
  source: SOURCE,
  reproduces: 'Reproduces Figure 7(c): minPts from 4 to 2048, 260,000 points in eight dimensions, eps = 0.05',
  subjects: [REFERENCE, PLAIN_GPU, STAR_GPU],
  axis: 'minPts',
  profiles: {
    quick: quickStar([4, 32, 128].map((minPts) => workload({dataset: DENSE, n: FEW, minPts}))),
    full: full(
      [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048].map((minPts) => ({
        ...workload({dataset: DENSE, minPts}),
        subjects: WITH_PLAIN.minPts.includes(minPts) ? undefined : [STAR_GPU],
      })),
    ),
  },
  published: [],
  notes: [
    ...NOTES,
    'Clusters are narrower here, with a fifth of their pairs within eps. In the clusters of the other figures no point is core from minPts = 512 on.',
    'For minPts from 4 to 512 the paper’s speed-up is “between 10 and 5”, and “even for large MinPts-values” there is one “by a factor of 2” (section 7.3). It does not say which values are large.',
  ],
  credits: [],
  memoryLimits: null,
};

/** Figure 7(d). */
export const dclustEps: DbscanSuite = {
  kind: 'dbscan',
  id: 'dclust-eps',
  title: 'CUDA-DClust*: eps',
  source: SOURCE,
  reproduces: 'Reproduces Figure 7(d): eps from 0.02 to 0.10, 260,000 points in eight dimensions, minPts = 4',
  subjects: [REFERENCE, PLAIN_GPU, STAR_GPU],
  axis: 'eps',
  profiles: {
    quick: quickStar([0.02, 0.06, 0.1].map((eps) => workload({n: FEW, eps}))),
    full: full(
      [0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1].map((eps) => ({
        ...workload({eps}),
        subjects: WITH_PLAIN.eps.includes(eps) ? undefined : [STAR_GPU],
      })),
    ),
  },
  published: [],
  notes: [...NOTES, 'The paper’s speed-up is “almost stable between 9 and 10” for all eps (section 7.4).'],
  credits: [],
  memoryLimits: null,
};

/** Figure 7(e), and Table 1 over the dimensions. */
export const dclustDim: DbscanSuite = {
  kind: 'dbscan',
  id: 'dclust-dim',
  title: 'CUDA-DClust*: dimensions',
  source: SOURCE,
  reproduces:
    'Reproduces Figure 7(e) and Table 1 (index construction): 4 to 64 dimensions, 260,000 points, eps = 0.05, minPts = 4',
  reference: STAR_CPU,
  subjects: [STAR_CPU, PLAIN_GPU, STAR_GPU],
  axis: 'dim',
  profiles: {
    quick: quickStar([4, 16, 64].map((dim) => workload({n: FEW, dim}))),
    full: full([4, 8, 16, 32, 64].map((dim) => workload({dim}))),
  },
  published: table1(({n}) => n === MANY),
  notes: [...NOTES, 'The paper’s speed-up is “about 7 to 12 depending on the dimensionality” (section 7.5).'],
  credits: [],
  memoryLimits: null,
};

/** Figure 8. */
export const dclustKernels: DbscanSuite = {
  kind: 'dbscan',
  id: 'dclust-kernels',
  title: 'CUDA-DClust*: time by kernel',
  source: SOURCE,
  reproduces:
    'Reproduces Figure 8: the share of cluster expansion, new seeds, collision matrix and seed refill in the time of 520,000 and 4,000,000 points in eight dimensions',
  subjects: [REFERENCE, TIMED_GPU],
  axis: 'n',
  profiles: {
    quick: quick([workload({n: FEW})]),
    full: {
      ...full([workload({n: 520_000}), {...workload({n: 4_000_000}), reference: PLAIN_GPU}]),
      cellSeconds: KERNEL_SECONDS,
    },
  },
  published: [],
  notes: [
    ...NOTES,
    'Every kernel is timed by itself, and the host polls more often than in other runs: compare shares, not sums. The host resolves the collision matrix, as in the paper.',
    'The sequential code would take hours for 4,000,000 points. CUDA-DClust must give the same labels with the directory and without it. Up to 2,000,000 points the suite dclust compares both with the sequential code.',
  ],
  credits: [],
  memoryLimits: null,
};

function quick(workloads: readonly Workload[]): SuiteProfile {
  return {
    workloads,
    warmups: 1,
    repeats: 1,
    settleSeconds: 0.1,
    softwareGpuMaxN: FEW,
    cellSeconds: 8,
    suiteSeconds: 16,
  };
}

/** The first workload has the version without an index, too. */
function quickStar([first, ...others]: readonly Workload[]): SuiteProfile {
  return quick([first, ...onHardware(others).map((one) => ({...one, subjects: [STAR_GPU]}))]);
}

/**
 * A run of more than a second counts once, a shorter one at least three times: the reference takes minutes, and up to
 * an hour, where the GPU takes milliseconds.
 */
function full(workloads: readonly Workload[]): SuiteProfile {
  return {
    workloads,
    warmups: 1,
    repeats: 1,
    settleSeconds: 1,
    warmSeconds: 0.3,
    softwareGpuMaxN: 30_000,
    cellSeconds: 3600,
    repeatSeconds: 6,
    suiteSeconds: 14_400,
  };
}

interface Choice {
  readonly dataset?: string;
  readonly n?: number;
  readonly dim?: number;
  readonly eps?: number;
  readonly minPts?: number;
}

/** The paper's data and default parameters. */
function workload({
  dataset = 'gaussians',
  n = MANY,
  dim = DIM,
  eps = PARAMS.eps,
  minPts = PARAMS.minPts,
}: Choice): Workload {
  return {dataset: `${dataset}:n=${n},dim=${dim},seed=1`, n, dim, params: {eps, minPts}, picture: false};
}
