import type {Subject} from '../cell.ts';
import {profileOf, type Profile, type Suite, type Workload} from '../suite.ts';
import {SHIFT, SHIFT_NAIVE, shiftTiled, shiftWorkers} from './subjects.ts';

/** The document's numbers of points, and one for the fit of slow cells. */
const SIZES = [100, 1000, 3000, 10_000, 100_000, 250_000];
const SHIFTS = [SHIFT, shiftTiled(), SHIFT_NAIVE, ...[1, 2, 4, 8, 16].map(shiftWorkers)];
const TILES = [16, 32, 64, 128, 512, 1024].map((width) => shiftTiled(width));

/** Every table and figure of the document on mean shift, and what ours does beyond it. */
export const meanShift: Suite = {
  kind: 'mean-shift',
  id: 'mean-shift',
  title: 'Mean shift: from a thread to a GPU',
  source: 'L. Agnolucci, “Mean Shift clustering algorithm”, Università degli Studi di Firenze, 2020',
  reproduces:
    'Reproduces all tables and figures: OpenMP’s speed-up by threads and size, TILE_WIDTH at 10,000 points, naive against tiling, tiling against sequential, and the global comparison; 100 to 250,000 3-D points, bandwidth 2, 10 iterations',
  isUsual: true,
  subjects: SHIFTS,
  reference: null,
  axis: 'n',
  profiles: {
    quick: profileOf(
      {
        workloads: [
          ...[100, 300, 1000].map((n) => gaussians(n, [SHIFT, shiftTiled(), SHIFT_NAIVE, shiftWorkers(2)])),
          ours(1000, 2),
        ],
      },
      {warmups: 0, repeats: 3, settleSeconds: 0},
      {softwareGpuMaxN: 300, cellSeconds: 1, repeatSeconds: 0.8, suiteSeconds: 20},
    ),
    full: profileOf(
      {
        workloads: [
          ...SIZES.map((n) => gaussians(n, n === 10_000 ? [...SHIFTS, ...TILES] : n === 3000 ? [SHIFT] : SHIFTS)),
          ...[10_000, 100_000, 1_000_000].map((n) => ours(n, 16)),
        ],
      },
      // The document's 5 on the host and 15 on the device.
      {warmups: 0, repeats: 5, repeatsMax: 15, settleSeconds: 1},
      // One run of one thread at 10,000 points takes 17 to 35 s on the machines of the baselines.
      {softwareGpuMaxN: 10_000, cellSeconds: 45, repeatSeconds: 3, suiteSeconds: 600},
    ),
  },
  notes: [
    '† marks estimated times, the document’s and ours. They come from a quadratic regression, because the work grows with the pairs of points. Ours fits t = a · n² + b · n to the medians of the smaller sizes, by least squares of the relative errors.',
    'One table of the document swaps the headings of its naive and tiled columns, by its other tables and its speed-ups. This report follows the latter. Three of its printed speed-ups, 1.11, 1.20 and 3.24, are not the rounded quotients of the printed times; they stand here as printed.',
    'The document’s times are averages of 5 runs, and of 15 with CUDA. Ours are medians of as many runs, or of fewer if the profile’s seconds end. Times are whole runs with transfers. The document’s data are other Gaussians.',
    'mean-shift, ours, cuts the Gaussian at 5 bandwidths, or sums it on a lattice of 3 nodes a bandwidth on a GPU. Points stop at convergence, and modes are merged to labels, which the rows called shift do not do. On the GPU positions stay there. A sample of the ends takes one more step of the whole Gaussian, which must be short. These rows have the same points and a bandwidth of 0.2, because at 2 every point is within reach of all.',
  ],
};

function gaussians(n: number, subjects: readonly Subject[]): Workload {
  return {dataset: `gaussians3d:seed=1,n=${n}`, n, dim: 3, params: {bandwidth: 2, iterations: 10}, subjects};
}

function ours(n: number, threads: number): Workload {
  const subjects = ['gpu', 'workers', 'sequential'].map((backend) => ({
    row: 'mean-shift',
    backend,
    threads: backend === 'workers' ? threads : 1,
  }));
  return {...gaussians(n, subjects), params: {bandwidth: 0.2, cut: 5, lattice: 3}};
}

const HDBSCAN: readonly Subject[] = [
  ...['sequential', 'workers', 'gpu'].map((backend) => ({row: 'hdbscan', backend})),
  {row: 'R', backend: 'sequential'},
];

/** HDBSCAN* on all backends beside R. */
export const hdbscan: Suite = {
  kind: 'hdbscan',
  id: 'hdbscan',
  title: 'HDBSCAN* beside R and ArborX',
  source: 'R’s package dbscan (M. Hahsler, M. Piekenbrock, D. Doran, Journal of Statistical Software 91, 2019)',
  reproduces:
    'Reproduces no figure; it times HDBSCAN* from points to labels, live beside dbscan::hdbscan of R on the same points, and on files that ArborX has read',
  subjects: HDBSCAN,
  reference: null,
  axis: 'n',
  profiles: {
    quick: {...hdbscanProfile([2000], embeddings([500], 64)), softwareGpuMaxN: 2000, cellSeconds: 60, suiteSeconds: 20},
    full: {
      ...hdbscanProfile(
        [10_000, 20_000, 100_000, 1_000_000],
        [...peerFiles(), ...embeddings([2000, 10_000, 100_000], 768)],
      ),
      settleSeconds: 1,
      warmSeconds: 1,
    },
  },
  notes: [
    'R computes all mutual reachability distances, so it takes 20,000 points at most here; 100,000 would need 37 GB. Its time is that of one call on one thread.',
    'Host memory is the peak of the resident set during the first run, the result included, minus that before it; a run of 65,536 coordinates came before, so that threads had started. Limits hold for one to three dimensions, from a million points on.',
    'Before a time counts, all labels, probabilities and outlier scores of a backend are compared with another backend, to the byte; vectors whose pairs take a processor hours, with the same vectors in the opposite order. Core distances and the weights of the spanning tree are compared with R’s, to the bit. Labels of R depend on the order of the rows.',
  ],
  limits: {
    hostBytesPerPoint: 200,
    hostFromPoints: 1_000_000,
    deviceBytesPerPoint: 120,
    deviceFromPoints: 1_000_000,
    maxDim: 3,
    rows: ['hdbscan'],
  },
};

function hdbscanProfile(sizes: readonly number[], files: readonly Workload[] = []): Profile {
  const params = {minClusterSize: 10, minSamples: 10};
  const workloads = ['tweets:seed=1', 'spots:dim=2,seed=1'].flatMap((data) =>
    sizes.map((n) => {
      const subjects = n <= 20_000 ? HDBSCAN : HDBSCAN.slice(0, 3);
      return {dataset: `${data},n=${n}`, n, dim: 2, params, subjects};
    }),
  );
  const bounds = {softwareGpuMaxN: 20_000, cellSeconds: 300, suiteSeconds: 600};
  return profileOf({workloads: [...workloads, ...files]}, {warmups: 1, repeats: 3, settleSeconds: 0}, bounds);
}

/** Vectors with their cosines. For 10,000 × 768 one thread takes minutes, and 16 threads 40 s. */
function embeddings(sizes: readonly number[], dim: number): Workload[] {
  const params = {minClusterSize: 10, minSamples: 10, cosine: 1};
  return sizes.map((n) => {
    const subjects = HDBSCAN.slice(n > 2000 ? 2 : 0, 3);
    return {dataset: `embeddings:dim=${dim},seed=1,n=${n}`, n, dim, params, subjects};
  });
}

/** Files of `scripts/make_sets.py`, which the peers read too. Those of ten million points run on a GPU only. */
function peerFiles(): Workload[] {
  const files: readonly (readonly [name: string, dim: number, minSamples: number])[] = [
    ['spots2d', 2, 10],
    ['spots3d', 3, 10],
    ['normal2d', 2, 11],
    ['normal5d', 5, 11],
  ];
  const workloadOf = ([name, dim, minSamples]: (typeof files)[number], n: number, subjects: readonly Subject[]) => {
    return {dataset: `npy:${name}-${n}`, n, dim, params: {minClusterSize: 10, minSamples}, subjects};
  };
  return [
    ...files.map((file) => workloadOf(file, 1_000_000, HDBSCAN.slice(1, 3))),
    ...files.slice(0, 2).map((file) => workloadOf(file, 10_000_000, HDBSCAN.slice(2, 3))),
  ];
}

/**
 * Bytes an element that any implementation of a primitive has to move: each input read once, each output written once.
 * The app has the code of each, or it does not compile. In running order.
 */
export const PRIMITIVES = {
  'reduce-sum-f32': 4,
  'argmin-f32': 4,
  'scan-exclusive-u32': 8,
  'scan-inclusive-f32': 8,
  'sort-pairs-u32': 16,
  'compact-u32': 10,
  'partition-u32': 12,
  'histogram-256-u32': 4,
  'run-length-u32': 6,
  'reduce-by-key-u32': 10,
  'segmented-scan-u32': 12,
  'run-bounds-u32': 6,
  'gather-u32': 12,
  'scatter-u32': 12,
  'sort-pairs-f32': 16,
  'sort-keys-u32': 8,
  'sort-keys-u64': 16,
  'argsort-u32': 8,
} as const;
export type PrimitiveId = keyof typeof PRIMITIVES;

/** Those that no package uses have one row. */
const UNUSED = ['argmin-f32', 'histogram-256-u32', 'reduce-by-key-u32', 'segmented-scan-u32', 'scatter-u32'];
/** Their largest count takes seconds to make and to check. */
const LARGEST = ['reduce-sum-f32', 'scan-exclusive-u32', 'sort-pairs-u32', 'compact-u32'];

/** The building blocks beside JavaScript's own and a plain copy. */
export const primitives: Suite = {
  kind: 'primitives',
  id: 'primitives',
  title: 'GPU primitives',
  source: 'epsball: @epsball/gpu-primitives',
  reproduces:
    'Reproduces no figure; it measures operations by count, beside JavaScript’s own, a device copy of the same bytes, and what CUB and other WebGPU libraries did on an NVIDIA H200',
  subjects: [
    {row: 'primitive', backend: 'gpu'},
    {row: 'javascript', backend: 'sequential'},
  ],
  reference: null,
  axis: 'n',
  profiles: {
    quick: profileOf(
      {workloads: elements(() => [2 ** 14])},
      {warmups: 1, repeats: 5, settleSeconds: 0.03},
      {softwareGpuMaxN: 2 ** 20, cellSeconds: 0.5, repeatSeconds: 0.1, suiteSeconds: 60},
    ),
    full: profileOf(
      {
        workloads: elements((id) =>
          UNUSED.includes(id) ? [2 ** 24] : [2 ** 16, 2 ** 20, 2 ** 24, ...(LARGEST.includes(id) ? [2 ** 28] : [])],
        ),
      },
      {warmups: 1, repeats: 15, settleSeconds: 0.05},
      {softwareGpuMaxN: 2 ** 24, cellSeconds: 3, repeatSeconds: 0.4, suiteSeconds: 1800},
    ),
  },
  notes: [
    'GB/s counts only the bytes that any implementation has to move: each input read once, each output written once. The share compares it with a copy kernel that moves as many bytes, in the same process and in turn with the operation.',
    'Device time is the mean time of a call in a batch between two timestamps, with pipelines compiled and buffers on the device. JavaScript’s time is a whole run on typed arrays, on one thread.',
    'Repeats follow each other, so small inputs come from the adapter’s cache, for the copy and for the operation.',
    'On an NVIDIA H200, device time at 2²⁰, 2²⁴ and 2²⁸ elements: sums by CUB 2.x –, 24 µs, 240 µs and gridwise –, 306 µs, hangs; exclusive sums by CUB 14 µs, 56 µs, 700 µs, gridwise 22 µs, 454 µs, hangs, b0nes 24 µs, 274 µs, –; sorted pairs by CUB 87 µs, 557 µs, 7.46 ms, gridwise 217 µs, 10.9 ms, hangs. Measured before this repository.',
  ],
};

function elements(countsOf: (id: string) => readonly number[]): Workload[] {
  return Object.keys(PRIMITIVES).flatMap((dataset) => countsOf(dataset).map((n) => ({dataset, n, dim: 1, params: {}})));
}
