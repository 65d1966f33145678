import type {Subject} from '../cell.ts';
import {onHardware} from '../plan.ts';
import {profileOf, type Axis, type Profile, type Suite, type Workload} from '../suite.ts';
import {
  DCLUST,
  DCLUST_STAR,
  DCLUST_TIMED,
  DS_SEQ,
  dsShm,
  SEQUENTIAL,
  SEQUENTIAL_ALL_PAIRS,
  SEQUENTIAL_DIRECTORY,
} from './subjects.ts';

/** “a fixed number of about 260k 8-dimensional points” */
const MANY = 260_000;
/** The same on two cores without a GPU. */
const FEW = 1000;
/** Narrower clusters. In those of the other figures no point is core from minPts = 512 on. */
const DENSE = 'dense-gaussians';
/** Our best codes in more than four dimensions, on one thread and on many. */
const BEST = [DS_SEQ, dsShm(16)];
const NOTES = [
  'The paper’s data is not published. Ours has 20 Gaussian clusters too. Their width shrinks with the dimensions, so that eps = 0.05 gives clusters in every dimension.',
  'The reference, sequential, has the quantile directory as its index beyond four dimensions: the paper’s indexed DBSCAN on the CPU. A time is a whole run, the index and all transfers included.',
  'The curves of Figures 7 and 8 are not legible in the available text. The paper’s numbers here are stated in words or in Table 1.',
];
const KERNELS = [
  'Every kernel is timed by itself, and the host polls more often than in other runs: compare shares, not sums. The host resolves the collision matrix, as in the paper.',
  'The sequential code would take hours for 4,000,000 points. CUDA-DClust must give the same labels with the directory and without it. Up to 2,000,000 points the suite dclust compares both with the sequential code.',
];

/** Figure 7(a): a suite of its own, so that the limit on a cell stops the CPU's n² and not the reference of others. */
export const dclustNone: Suite = {
  ...suite('dclust-none', 'CUDA-DClust: points, without an index', 'n', [SEQUENTIAL, SEQUENTIAL_ALL_PAIRS, DCLUST]),
  reproduces:
    'Reproduces Figure 7(a): 30,000 to 1,000,000 points, eps = 0.05, minPts = 4, no index; the paper does not name the dimensions of this figure, ours are eight',
  profiles: {
    quick: quick([workload({n: FEW}), ...onHardware([4000, 8000].map((n) => workload({n})))]),
    // 260,000 points take the processor 13 minutes.
    full: {
      ...full([30_000, 65_000, 130_000, 260_000, 520_000, 1_000_000].map((n) => workload({n}))),
      cellSeconds: 600,
    },
  },
  notes: [
    ...NOTES,
    'Without an index the CPU looks at all pairs, and a cell that would take more than ten minutes is left out.',
  ],
};

/** Figure 7(b), and Table 1 over n. */
export const dclust: Suite = {
  ...suite('dclust', 'CUDA-DClust*: points', 'n', [SEQUENTIAL, DCLUST, DCLUST_STAR, ...BEST]),
  reproduces:
    'Reproduces Figure 7(b) (with index) and Table 1 (index construction): 30,000 to 2,000,000 points, eps = 0.05, minPts = 4; the paper does not name the dimensions of Figure 7(b), ours are eight; and fewer points, where an index hardly pays',
  profiles: {
    quick: quick([workload({n: FEW}), ...onHardware([4000, 16_000].map((n) => workload({n})))]),
    full: full(
      [10_000, 20_000, 30_000, 65_000, 130_000, 260_000, 520_000, 1_000_000, 2_000_000].map((n) => workload({n})),
    ),
  },
};

/** Figure 7(c). */
export const dclustMinPts: Suite = {
  ...suite('dclust-minpts', 'CUDA-DClust*: minPts', 'minPts', [SEQUENTIAL, DCLUST, DCLUST_STAR, ...BEST]),
  reproduces: 'Reproduces Figure 7(c): minPts from 4 to 2048, 260,000 points in eight dimensions, eps = 0.05',
  profiles: {
    quick: quickStar([4, 32, 128].map((minPts) => workload({dataset: DENSE, n: FEW, minPts}))),
    full: full(
      [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048].map((minPts) =>
        starOnly(workload({dataset: DENSE, minPts}), [4, 64, 2048].includes(minPts)),
      ),
    ),
  },
  notes: [
    ...NOTES,
    'Clusters are narrower here, with a fifth of their pairs within eps. In the clusters of the other figures no point is core from minPts = 512 on.',
  ],
};

/** Figure 7(d). */
export const dclustEps: Suite = {
  ...suite('dclust-eps', 'CUDA-DClust*: eps', 'eps', [SEQUENTIAL, DCLUST, DCLUST_STAR, ...BEST]),
  reproduces: 'Reproduces Figure 7(d): eps from 0.02 to 0.10, 260,000 points in eight dimensions, minPts = 4',
  profiles: {
    quick: quickStar([0.02, 0.06, 0.1].map((eps) => workload({n: FEW, eps}))),
    full: full(
      [0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1].map((eps) =>
        starOnly(workload({eps}), [0.02, 0.05, 0.1].includes(eps)),
      ),
    ),
  },
};

/** Figure 7(e), and Table 1 over the dimensions. */
export const dclustDim: Suite = {
  ...suite('dclust-dim', 'CUDA-DClust*: dimensions', 'dim', [SEQUENTIAL_DIRECTORY, DCLUST, DCLUST_STAR, ...BEST]),
  reproduces:
    'Reproduces Figure 7(e) and Table 1 (index construction): 4 to 64 dimensions, 260,000 points, eps = 0.05, minPts = 4',
  reference: SEQUENTIAL_DIRECTORY,
  profiles: {
    quick: quickStar([4, 16, 64].map((dim) => workload({n: FEW, dim}))),
    full: full([4, 8, 16, 32, 64].map((dim) => workload({dim}))),
  },
};

/** Figure 8. */
export const dclustKernels: Suite = {
  ...suite('dclust-kernels', 'CUDA-DClust*: time by kernel', 'n', [SEQUENTIAL, DCLUST_TIMED]),
  reproduces:
    'Reproduces Figure 8: the share of cluster expansion, new seeds, collision matrix and seed refill in the time of 520,000 and 4,000,000 points in eight dimensions',
  profiles: {
    quick: quick([workload({n: FEW})]),
    // The reference of the larger one takes 40 s.
    full: {...full([workload({n: 520_000}), {...workload({n: 4_000_000}), reference: DCLUST}]), cellSeconds: 120},
  },
  notes: [...NOTES, ...KERNELS],
};

function suite(
  id: string,
  title: string,
  axis: Axis,
  subjects: readonly Subject[],
): Omit<Suite, 'reproduces' | 'profiles'> {
  const source =
    'C. Böhm, R. Noll, C. Plant, B. Wackersreuther, “Density-based clustering using graphics processors”, CIKM’09';
  return {kind: 'dbscan', id, title, source, axis, subjects, reference: SEQUENTIAL, notes: NOTES};
}

function quick(workloads: readonly Workload[]): Profile {
  const bounds = {softwareGpuMaxN: FEW, cellSeconds: 8, suiteSeconds: 16};
  return profileOf({workloads}, {warmups: 1, repeats: 1, settleSeconds: 0.1}, bounds);
}

/** The first workload has the version without an index, too. */
function quickStar([first, ...others]: readonly Workload[]): Profile {
  return quick([first, ...onHardware(others).map((one) => ({...one, subjects: [DCLUST_STAR]}))]);
}

function starOnly(one: Workload, withPlain: boolean): Workload {
  return withPlain ? one : {...one, subjects: [DCLUST_STAR, ...BEST]};
}

/** A run of more than a second counts once, a shorter one at least three times: the reference takes up to an hour. */
function full(workloads: readonly Workload[]): Profile {
  const bounds = {softwareGpuMaxN: 30_000, cellSeconds: 3600, repeatSeconds: 6, suiteSeconds: 14_400};
  return profileOf({workloads}, {warmups: 1, repeats: 1, settleSeconds: 1, warmSeconds: 0.3}, bounds);
}

type Choice = Partial<{dataset: string; n: number; dim: number; eps: number; minPts: number}>;

/** Section 7: “Unless otherwise mentioned, the algorithms are parameterized with ε = 0.05 and MinPts = 4.” */
function workload({dataset = 'gaussians', n = MANY, dim = 8, eps = 0.05, minPts = 4}: Choice): Workload {
  return {dataset: `${dataset}:n=${n},dim=${dim},seed=1`, n, dim, params: {eps, minPts}};
}
