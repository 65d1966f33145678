import {PUBLISHED, PUBLISHED_FACTORS, SIZES} from '../suites/meanShiftPaper.ts';
import type {MeanShiftMethod} from '../meanShift/suite.ts';
import {absent, built, measured, type DocumentEntry, type SourceDocument} from './entry.ts';

const SOURCE = 'packages/mean-shift/src';
const SUITE = ['mean-shift'];
const CLIMB_ON_GPU = `${SOURCE}/gpu/climb`;

const MEASURED: readonly DocumentEntry[] = [
  {
    id: 'ms-fig-threads',
    label: 'chart under “Number of threads gradually increased for each dataset” (no number)',
    kind: 'chart',
    what: 'OpenMP: speed-up by threads',
    printed: ['Number of threads gradually increased'],
    shown: measured(SUITE, 'the speed-up grows with every further thread that we measured, at the largest such size'),
  },
  {
    id: 'ms-fig-tile',
    label: 'chart under “Execution time for 10000 points …” (no number)',
    kind: 'chart',
    what: 'CUDA tiling: time by TILE_WIDTH',
    printed: ['Execution time for 10000 points'],
    shown: measured(SUITE, 'TILE_WIDTH 16 is the slowest, as in the table'),
  },
  {
    id: 'ms-tab-tile',
    label: 'table (no number): TILE_WIDTH',
    kind: 'table',
    what: 'table of the time by TILE_WIDTH',
    printed: PUBLISHED.filter(({tileWidth}) => tileWidth !== null).map(({printed}) => printed),
    shown: measured(SUITE, 'none of our times is longer'),
  },
  {
    id: 'ms-tab-naive',
    label: 'table (no number): CUDA Naive against CUDA Tiling',
    kind: 'table',
    what: 'table: naive, tiling',
    printed: SIZES.flatMap((n) => [time('tiled', n), time('naive', n), factor('naive', 'tiled', n)]),
    shown: measured(SUITE, 'tiling is at least as fast as naive at every size'),
  },
  {
    id: 'ms-tab-seq',
    label: 'table (no number): Sequential against CUDA Tiling',
    kind: 'table',
    what: 'table: sequential, tiling',
    printed: SIZES.flatMap((n) => [time('sequential', n), time('tiled', n), factor('sequential', 'tiled', n)]),
    shown: measured(SUITE, 'each of our speed-ups is at least as high'),
  },
  {
    id: 'ms-tab-global',
    label: 'table “Global comparison” (caption “Table: † times …”, no number)',
    kind: 'table',
    what: 'table: global comparison',
    printed: SIZES.flatMap((n) => [
      time('sequential', n),
      time('workers', n),
      factor('sequential', 'workers', n),
      time('tiled', n),
      factor('sequential', 'tiled', n),
    ]),
    shown: measured(SUITE, 'each of our speed-ups is at least as high'),
  },
];

const CLAIMS: readonly DocumentEntry[] = [
  {
    id: 'ms-c-machine',
    label: 'text, Experimental results',
    kind: 'claim',
    what: 'machine, and number of experiments',
    printed: [
      'CPU: Intel Core i7-8565U 1.8GHz up to 4.6GHz with Turbo Boost, 4 cores/8 threads',
      'GPU: NVidia GeForce MX250 2GB with CUDA 10.1',
      'average of 5 experiments for the sequential and OpenMP versions and of 15 experiments for both CUDA implementations',
    ],
    shown: absent('another machine; the suite repeats as often'),
  },
  {
    id: 'ms-c-data',
    label: 'text, Experimental results',
    kind: 'claim',
    what: 'data, bandwidth, iterations',
    printed: [
      'gaussian distributions composed by respectively 100, 1000, 10000, 100000 and 250000 3D points',
      'bandwidth set to 2',
    ],
    shown: absent('the data is not published; the suite has Gaussians of the same sizes, bandwidth and iterations'),
  },
  {
    id: 'ms-c-converged',
    label: 'text, Experimental results',
    kind: 'claim',
    what: '10 iterations are enough to converge',
    printed: [
      'set to 10, which has been empirically estimated to be enough to make all points converge to the local maxima',
    ],
    shown: absent('it is about the data of the document, which is not published'),
  },
  {
    id: 'ms-c-tiling',
    label: 'text, CUDA tiling',
    kind: 'claim',
    what: 'accesses to global memory with tiles',
    printed: ['$O(n)$ accesses reduced to $O(n/TILE_WIDTH)$', '$TILE_WIDTH = BLOCK_DIM$'],
    shown: built([`${CLIMB_ON_GPU}/climbTiled.wgsl`]),
  },
  {
    id: 'ms-c-complexity',
    label: 'text, Introduction',
    kind: 'claim',
    what: 'cost',
    printed: ['$O(n^2)$ computational cost'],
    shown: measured(SUITE, 'our sequential time grows by a power of 1.8 to 2.2'),
  },
  {
    id: 'ms-c-conclusions',
    label: 'text, Global comparison and Conclusions',
    kind: 'claim',
    what: 'which version has the greatest speed-up',
    printed: [
      '- Greatest speedups with CUDA, at the expense of a more complicated implementation',
      '- OpenMP has an excellent speedup and development cost ratio',
    ],
    shown: measured(SUITE, 'tiling has the greatest speed-up at every size; the cost of development is no measurement'),
  },
];

const EQUATIONS: readonly DocumentEntry[] = [
  part('ms-eq1', 'equation (1)', 'Gaussian kernel', ['(1)'], [`${SOURCE}/weightedSum.ts`]),
  part('ms-eq2', 'equation (2)', 'new position', ['(2)'], [`${SOURCE}/weightedSum.ts`]),
  {
    ...part('ms-eq3', 'equation (3)', 'structure of arrays', ['(3)'], []),
    shown: built([`${CLIMB_ON_GPU}/trajectory.wgsl`], 'quads of four floats instead, which a GPU reads at once'),
  },
  part('ms-eq4', 'equation (4)', 'index of a thread', ['(4)'], [`${CLIMB_ON_GPU}/climb.wgsl`]),
  part('ms-eq5', 'equation (5)', 'speed-up', ['(5)'], ['benchmarks/METHOD.md']),
  part('ms-alg1', 'Algorithm 1', 'mean shift core', [], [`${SOURCE}/sequential.ts`]),
  part('ms-alg2', 'Algorithm 2', 'shift of a single point', [], [`${SOURCE}/weightedSum.ts`]),
  part('ms-alg3', 'Algorithm 3', 'OpenMP: mean shift core', [], [`${SOURCE}/workers/workers.ts`]),
  part('ms-alg4', 'Algorithm 4', 'OpenMP: shift of a single point', [], [`${SOURCE}/workers/climbTasks.ts`]),
  part('ms-alg5', 'Algorithm 5', 'CUDA naive: mean shift core', [], [`${CLIMB_ON_GPU}/pointClimber.ts`]),
  part('ms-alg6', 'Algorithm 6', 'CUDA naive: kernel', [], [`${CLIMB_ON_GPU}/climb.wgsl`]),
  part('ms-alg7', 'Algorithm 7', 'CUDA tiling: mean shift core', [], [`${CLIMB_ON_GPU}/pointClimber.ts`]),
  part('ms-alg8', 'Algorithm 8', 'CUDA tiling: kernel', [], [`${CLIMB_ON_GPU}/climbTiled.wgsl`]),
];

export const meanShiftDocument: SourceDocument = {
  id: 'mean-shift',
  title: 'Agnolucci, mean shift',
  entries: [...MEASURED, ...CLAIMS, ...EQUATIONS],
};

function part(
  id: string,
  label: string,
  what: string,
  printed: readonly string[],
  files: readonly string[],
): DocumentEntry {
  return {id, label, kind: label.startsWith('equation') ? 'equation' : 'listing', what, printed, shown: built(files)};
}

function time(method: MeanShiftMethod, n: number): string {
  return PUBLISHED.find((one) => one.method === method && one.n === n && one.tileWidth === null)?.printed ?? '';
}

function factor(over: MeanShiftMethod, method: MeanShiftMethod, n: number): string {
  return PUBLISHED_FACTORS.find((one) => one.over === over && one.method === method && one.n === n)?.printed ?? '';
}
