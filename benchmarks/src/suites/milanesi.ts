import {onHardware} from '../plan.ts';
import {profileOf, type Suite, type Workload} from '../suite.ts';
import {DENSE_GRID, DENSE_GRID_16, DS_SEQ, dsShm, GRID_BFS, GRID_BFS_GPU, SEQUENTIAL} from './subjects.ts';

/** Section 4: from 1000 to 1,000,000 points. */
const SIZES = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000];
/** Our best codes on one thread and on many: what a reader would run instead of a serial grid. */
const BEST = [DS_SEQ, DENSE_GRID, dsShm(16), DENSE_GRID_16];

/** Figures 2 and 3 of GPU-DBSCAN. */
export const milanesi: Suite = {
  kind: 'dbscan',
  id: 'milanesi',
  title: 'GPU-DBSCAN: serial CPU against GPU',
  source: 'Luca Milanesi, “GPU-DBSCAN”, GPU Computing, Università degli Studi di Milano, 2025–2026',
  reproduces:
    'Reproduces Figure 2 (times) and Figure 3 (speed-up), n = 1000 to 1,000,000. Section 4 names no eps and no minPts: ours are those of the caption of Figure 1, eps = 0.03, minPts = 8',
  isUsual: true,
  subjects: [SEQUENTIAL, GRID_BFS, GRID_BFS_GPU, ...BEST],
  reference: SEQUENTIAL,
  axis: 'n',
  profiles: {
    quick: profileOf(
      {
        workloads: [...workloads([1000, 5000, 20_000, 50_000]), ...onHardware(workloads([200_000, 1_000_000]))],
        subjects: [SEQUENTIAL, GRID_BFS, GRID_BFS_GPU, DS_SEQ, DENSE_GRID, dsShm(2)],
      },
      {warmups: 1, repeats: 3, settleSeconds: 0.1},
      {softwareGpuMaxN: 1000, cellSeconds: 4, repeatSeconds: 0.4, suiteSeconds: 30},
    ),
    full: profileOf(
      {workloads: workloads(SIZES)},
      {warmups: 1, repeats: 3, repeatsMax: 25, settleSeconds: 0.3},
      // A cell repeats for 20 s: two runs of a million points on one thread.
      {softwareGpuMaxN: 200_000, cellSeconds: 600, repeatSeconds: 20, suiteSeconds: 7200},
    ),
  },
  notes: [
    'The points of the curves of Figures 2 and 3 are not legible in the available text. Of them this report shows the three values that the text states at 1,000,000 points.',
    'The document does not publish its data. Ours comes from a seeded generator of the same kind: many-shaped clusters with uniform noise.',
    'The box of the data does not grow with n, so the neighbours of a point grow with n and the work grows with n².',
  ],
};

function workloads(sizes: readonly number[]): Workload[] {
  return sizes.map((n) => ({
    dataset: `milanesi:n=${n},seed=1`,
    n,
    dim: 2,
    params: {eps: 0.03, minPts: 8},
    // With fewer points, the clusters of the document's Figure 1 split.
    picture: n >= 50_000,
  }));
}
