import {onHardware, REFERENCE} from '../dbscan/plan.ts';
import type {DbscanSuite, PublishedFigure, Workload} from '../dbscan/suite.ts';

/** Of the caption of Figure 1. Section 4 names no parameters. */
const PARAMS = {eps: 0.03, minPts: 8} as const;

const SERIAL = {row: 'grid-bfs', backend: 'sequential'} as const;
const GPU = {row: 'grid-bfs', backend: 'gpu'} as const;
const DOCUMENT_CPU = 'AMD Ryzen 9 9900X';
const DOCUMENT_GPU = 'NVIDIA GeForce RTX 5070';

/** Section 4: from 1000 to 1,000,000 points. */
const SIZES = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000];

/** With fewer points, the clusters of the document's Figure 1 split. */
const PICTURE_FROM = 50_000;

const PUBLISHED: readonly PublishedFigure[] = [
  {
    subject: SERIAL,
    quantity: 'time',
    n: 1_000_000,
    value: 68_000,
    printed: 'circa 68 secondi',
    machine: DOCUMENT_CPU,
    reading: 'stated in the text',
    where: 'section 4, on Figure 2',
  },
  {
    subject: GPU,
    quantity: 'time',
    n: 1_000_000,
    value: 1000,
    printed: 'circa 1 secondo o poco più per ogni dataset',
    machine: DOCUMENT_GPU,
    reading: 'stated in the text',
    where: 'section 4, on Figure 2: for every data set',
  },
  {
    subject: GPU,
    quantity: 'speedUp',
    n: 1_000_000,
    value: 59,
    printed: 'circa 59×',
    machine: `${DOCUMENT_GPU} over ${DOCUMENT_CPU}`,
    reading: 'stated in the text',
    where: 'section 4, on Figure 3',
  },
];

/** Figures 2 and 3 of GPU-DBSCAN: serial CPU against GPU, from 1000 to 1,000,000 points. */
export const milanesi: DbscanSuite = {
  kind: 'dbscan',
  id: 'milanesi',
  title: 'GPU-DBSCAN: serial CPU against GPU',
  source: 'Luca Milanesi, “GPU-DBSCAN”, GPU Computing, Università degli Studi di Milano, 2025–2026',
  reproduces:
    'Reproduces Figure 2 (times) and Figure 3 (speed-up), n = 1000 to 1,000,000. Section 4 names no eps and no minPts: ours are those of the caption of Figure 1, eps = 0.03, minPts = 8',
  subjects: [REFERENCE, SERIAL, GPU],
  axis: 'n',
  profiles: {
    quick: {
      // At 50,000 points a software GPU leaves the picture of Figure 1 to the reference.
      workloads: [...workloads([5000, 50_000]), ...onHardware(workloads([200_000, 1_000_000]))],
      warmups: 1,
      repeats: 3,
      settleSeconds: 0.2,
      softwareGpuMaxN: 5000,
      cellSeconds: 16,
      repeatSeconds: 2,
      suiteSeconds: 20,
    },
    full: {
      workloads: workloads(SIZES),
      warmups: 1,
      repeats: 3,
      repeatsMax: 25,
      settleSeconds: 0.3,
      softwareGpuMaxN: 200_000,
      cellSeconds: 600,
      // Two runs of a million points on one thread.
      repeatSeconds: 20,
      suiteSeconds: 7200,
    },
  },
  published: PUBLISHED,
  notes: [
    'The points of the curves of Figures 2 and 3 are not legible in the available text. Of them this report shows the three values that the text states at 1,000,000 points.',
    'The document does not publish its data. Ours comes from a seeded generator of the same kind: many-shaped clusters with uniform noise, about ten clusters at 1,000,000 points.',
    'The box of the data does not grow with n, so the neighbours of a point grow with n and the work grows with n².',
  ],
  credits: [],
  memoryLimits: null,
};

function workloads(sizes: readonly number[]): Workload[] {
  return sizes.map((n) => ({
    dataset: `milanesi:n=${n},seed=1`,
    n,
    dim: 2,
    params: PARAMS,
    picture: n >= PICTURE_FROM,
  }));
}
