import type {HdbscanSuite} from '../hdbscan/suite.ts';

/** HDBSCAN* on all backends beside R. */
export const hdbscan: HdbscanSuite = {
  kind: 'hdbscan',
  id: 'hdbscan',
  title: 'HDBSCAN* beside R',
  source: 'R’s package dbscan (M. Hahsler, M. Piekenbrock, D. Doran, Journal of Statistical Software 91, 2019)',
  reproduces: 'Times HDBSCAN* from points to labels, live beside dbscan::hdbscan of R on the same points',
  datasets: ['tweets:seed=1', 'spots:dim=2,seed=1'],
  minClusterSize: 10,
  minSamples: 10,
  maxPointsOfR: 20_000,
  profiles: {
    quick: {sizes: [2000], repeats: 3, softwareGpuMaxN: 2000, cellSeconds: 60, suiteSeconds: 20},
    full: {
      sizes: [20_000, 100_000, 1_000_000],
      repeats: 3,
      softwareGpuMaxN: 20_000,
      cellSeconds: 300,
      suiteSeconds: 300,
    },
  },
  notes: [
    'R computes all mutual reachability distances, so it takes 20,000 points at most here; 100,000 would need 37 GB. Its time is that of one call on one thread.',
    'Before a time counts, all labels, probabilities and outlier scores of a backend are compared with another backend, to the byte. Core distances and the weights of the spanning tree are compared with R’s, to the bit. Labels of R depend on the order of the rows.',
  ],
  credits: [],
};
