import type {DbscanParams} from '@epsball/clustering';
import {onHardware} from '../dbscan/plan.ts';
import type {PeerFigure} from '../dbscan/peer.ts';
import type {DbscanSuite, Subject, SuiteProfile, Workload} from '../dbscan/suite.ts';

const MILLION = 1_000_000;

/** `epsball generate` names of the worst cases, all with eps 1 and minPts 5. */
const ADVERSARIES = ['one-cell', 'ten-places', 'half', 'filament', 'comb', 'two-cells'] as const;

/** `sequential` is quadratic in crowded cells. */
const REFERENCE: Subject = {row: 'pds', backend: 'sequential'};

const DENSE_GPU: Subject = {row: 'dense-grid', backend: 'gpu'};
const DENSE_SEQUENTIAL: Subject = {row: 'dense-grid', backend: 'sequential'};
const DENSE_WORKERS: Subject = {row: 'dense-grid', backend: 'workers', threads: 16};

/** Others visit all pairs of a crowded cell. */
const IN_CROWDS: readonly Subject[] = [DENSE_GPU, DENSE_WORKERS, DENSE_SEQUENTIAL];

const FULL: readonly Workload[] = [
  ...[10_000, 100_000, MILLION, 10 * MILLION].map((n) => spots(n, 2)),
  ...[10_000, 100_000, MILLION, 10 * MILLION].map((n) => spots(n, 3)),
  of('uniform', MILLION, 2, {eps: 0.001381977, minPts: 5}),
  of('milanesi', MILLION, 2, {eps: 0.03, minPts: 8}),
  of('gaussians', MILLION, 2, {eps: 0.00094, minPts: 10}),
  of('tweets', MILLION, 2, {eps: 0.01, minPts: 40}),
  of('tweets', 3_704_351, 2, {eps: 0.01, minPts: 40}),
  ...adversaries(MILLION).map((workload) => ({
    ...workload,
    subjects: IN_CROWDS,
    // `pds` compares all pairs of the two cells, which takes minutes.
    ...(workload.dataset.startsWith('adversary-two-cells') ? {reference: DENSE_SEQUENTIAL} : {}),
  })),
  // Of as many points only the fastest: the points alone take half a minute to make.
  ...[
    of('halos', 37 * MILLION, 3, {eps: halosEps(37 * MILLION), minPts: 2}),
    spots(100 * MILLION, 2),
    // One thread takes minutes.
    {...of('uniform', 100 * MILLION, 3, {eps: 0.002, minPts: 5}), reference: DENSE_WORKERS},
  ].map((workload) => ({...workload, subjects: [DENSE_GPU]})),
];

const QUICK: readonly Workload[] = [
  spots(10_000, 2),
  ...onHardware([
    spots(10_000, 3),
    of('halos', 10_000, 3, {eps: halosEps(10_000), minPts: 2}),
    of('adversary-two-cells', 2000, 2, {eps: 1, minPts: 5}),
  ]),
];

/** A process of every variant on every data set would take minutes. */
const QUICK_SUBJECTS: readonly Subject[] = [REFERENCE, DENSE_GPU, DENSE_SEQUENTIAL];

const PROFILE: Omit<SuiteProfile, 'workloads' | 'cellSeconds' | 'suiteSeconds'> = {
  warmups: 2,
  repeats: 7,
  settleSeconds: 0.5,
  softwareGpuMaxN: 10_000,
};

/** The fastest public codes, and the worst cases: every variant on 10,000 to 100 million points. */
export const stateOfTheArt: DbscanSuite = {
  kind: 'dbscan',
  id: 'state-of-the-art',
  title: 'State of the art: every variant beside the fastest public codes',
  source: 'epsball; times of ArborX, Milanesi’s and Wang, Gu and Shun’s codes',
  reproduces: 'Reproduces no figure; it shows the data on which the fastest codes are compared, and the worst cases',
  subjects: 'catalogue',
  reference: REFERENCE,
  axis: 'dataset',
  profiles: {
    quick: {
      ...PROFILE,
      workloads: QUICK,
      subjects: QUICK_SUBJECTS,
      warmups: 1,
      repeats: 3,
      settleSeconds: 0.1,
      cellSeconds: 3,
      suiteSeconds: 12,
    },
    full: {
      ...PROFILE,
      workloads: FULL,
      warmups: 1,
      repeats: 5,
      settleSeconds: 0.3,
      cellSeconds: 60,
      repeatSeconds: 3,
      slowest: {factor: 20, fromPoints: 100_000},
      suiteSeconds: 7200,
    },
  },
  published: [],
  peers: peers(),
  notes: [
    'minPts 2 is friends-of-friends. The adversaries have eps 1 and minPts 5; each stands for a shortcut that fails: one crowded cell, duplicates, long chains, ties, and two crowded cells without a pair within eps.',
    'A time is from the caller’s array to the caller’s labels, in an array that is new in each run.',
    'A variant that takes more than 20 times as long as the fastest, on 100,000 points or more, does not run on later data of as many points or more. The worst cases are for dense-grid, and 37 and 100 million points for its GPU backend.',
  ],
  credits: [],
  memoryLimits: null,
};

/** As `spotsEps` and `halosEps` of the data sets; suites import no generators. */
function spotsEps(n: number, dim: 2 | 3): number {
  return (dim === 2 ? 0.94 : 0.5113) / n ** (1 / dim);
}

function halosEps(n: number): number {
  return 0.2 / Math.cbrt(n);
}

function spots(n: number, dim: 2 | 3): Workload {
  return of('spots', n, dim, {eps: spotsEps(n, dim), minPts: 10});
}

function adversaries(n: number): Workload[] {
  return ADVERSARIES.map((name) => of(`adversary-${name}`, n, 2, {eps: 1, minPts: 5}));
}

function of(id: string, n: number, dim: number, params: DbscanParams): Workload {
  return {dataset: specOf(id, n, dim), n, dim, params, picture: false};
}

/** A data set that has one dimension only is named without it. */
function specOf(id: string, n: number, dim: number): string {
  const hasDim = !['milanesi', 'tweets', 'halos'].includes(id);
  return `${id}:n=${n}${hasDim ? `,dim=${dim}` : ''},seed=1`;
}

/** Recorded on an H200, the GPU of our baselines, and on its host. */
function peers(): PeerFigure[] {
  const gpu = (program: string, dataset: string, deviceMs: number, wallMs: number | null = null): PeerFigure => ({
    program,
    runsOn: 'gpu',
    machine: 'NVIDIA H200',
    measured: 'before November 2026, on data of this kind with another seed',
    dataset,
    deviceMs,
    wallMs,
  });
  const [plane, space] = [specOf('spots', MILLION, 2), specOf('spots', MILLION, 3)];
  const [widePlane, wideSpace] = [specOf('spots', 10 * MILLION, 2), specOf('spots', 10 * MILLION, 3)];
  const [even, shapes] = [specOf('uniform', MILLION, 2), specOf('milanesi', MILLION, 2)];
  return [
    gpu('ArborX FDBSCAN', plane, 2.87, 3.61),
    gpu('ArborX DenseBox', plane, 5.27),
    gpu('Milanesi', plane, 442),
    gpu('G-DBSCAN (Mustafa)', plane, 5915),
    {...gpu('Wang–Gu–Shun', plane, 0), runsOn: 'cpu', machine: '16 cores', deviceMs: null, wallMs: 115},
    gpu('ArborX FDBSCAN', widePlane, 17.7, 27.9),
    gpu('Milanesi', widePlane, 4218),
    gpu('ArborX FDBSCAN', even, 2.78, 3.6),
    gpu('Milanesi', even, 560),
    gpu('ArborX DenseBox', shapes, 5.15, 6.42),
    gpu('ArborX FDBSCAN', shapes, 148),
    gpu('Milanesi', shapes, 1289),
    gpu('ArborX FDBSCAN', space, 3.63, 4.59),
    gpu('ArborX FDBSCAN', wideSpace, 23.9, 37.3),
  ];
}
