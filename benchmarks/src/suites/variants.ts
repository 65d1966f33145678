import {onHardware} from '../dbscan/plan.ts';
import type {DbscanSuite, Workload} from '../dbscan/suite.ts';

/** Every variant and backend of the catalogue on three kinds of data. */
export const variants: DbscanSuite = {
  kind: 'dbscan',
  id: 'variants',
  title: 'Every variant on three kinds of data',
  source: 'epsball: the catalogue',
  reproduces: 'Reproduces no figure; it compares all variants, and a new one appears here by itself',
  subjects: 'catalogue',
  axis: 'dataset',
  profiles: {
    quick: {
      workloads: quickWorkloads(),
      warmups: 1,
      repeats: 3,
      settleSeconds: 0.1,
      softwareGpuMaxN: 10_000,
      cellSeconds: 6,
      repeatSeconds: 0.6,
      suiteSeconds: 45,
    },
    full: {
      workloads: workloads(200_000, {uniform: 0.003, gaussians: 0.015, milanesi: 0.03}),
      warmups: 1,
      repeats: 5,
      settleSeconds: 0.3,
      softwareGpuMaxN: 10_000,
      cellSeconds: 60,
      repeatSeconds: 4,
      suiteSeconds: 3600,
    },
  },
  published: [],
  notes: [
    'Sparse and even (uniform, 2-D), dense clusters in three dimensions (gaussians), and many shapes with noise (milanesi, 2-D).',
  ],
  credits: [],
  memoryLimits: null,
};

function quickWorkloads(): Workload[] {
  const [even, ...others] = workloads(10_000, {uniform: 0.015, gaussians: 0.03, milanesi: 0.05});
  return [even, ...onHardware(others)];
}

function workloads(
  n: number,
  eps: {readonly uniform: number; readonly gaussians: number; readonly milanesi: number},
): Workload[] {
  return [
    {dataset: `uniform:n=${n},dim=2,seed=1`, n, dim: 2, params: {eps: eps.uniform, minPts: 5}, picture: false},
    {dataset: `gaussians:n=${n},dim=3,seed=1`, n, dim: 3, params: {eps: eps.gaussians, minPts: 8}, picture: false},
    {dataset: `milanesi:n=${n},seed=1`, n, dim: 2, params: {eps: eps.milanesi, minPts: 8}, picture: true},
  ];
}
