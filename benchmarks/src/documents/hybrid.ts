import {NVPROF} from '../suites/nvprof.ts';
import {absent, built, measured, type DocumentEntry, type SourceDocument} from './entry.ts';

const GRAPH = 'packages/neighbor-graph/src';
const GDBSCAN = 'packages/dbscan-gdbscan/src/gpu';
const PDS = 'packages/cell-sets/src';
const SETS = 'packages/union-find/src';

const MEASURED: readonly DocumentEntry[] = [
  {
    id: 'hy-c-summary',
    label: 'text, SUMMARY',
    kind: 'claim',
    what: 'speed-up with CUDA, with threads and of the hybrid; samples and threads are not named',
    printed: ['x16', 'x4', 'x41'],
    shown: measured(
      ['gdbscan-hybrid'],
      'our highest speed-up of each is at least as high, where all codes compare all pairs',
    ),
  },
  {
    id: 'hy-c-sklearn',
    label: 'text, Dataset',
    kind: 'claim',
    what: 'the sets of scikit-learn',
    printed: ["sklearn's sample data (length: 1500, minPoints: various, eps: various)"],
    shown: measured(['gdbscan-hybrid-pictures'], 'the suite has six sets of 1500 points'),
  },
  {
    id: 'hy-c-tweets',
    label: 'text, Dataset',
    kind: 'claim',
    what: 'tweets: parameters and samples',
    printed: [
      'we set minPoints as 40, eps: 0.01',
      'too large (3704351), we further random sample 20000, 50000, 100000, 200000 as our benchmark dataset',
    ],
    shown: absent(
      'the tweets are not ours to publish; the suites have generated ones, of the same sizes and parameters',
    ),
  },
  {
    id: 'hy-c-device',
    label: 'text, Target Device',
    kind: 'claim',
    what: 'machine',
    printed: ['CPU: Intel(R) Core(TM) i7-7700K CPU @ 4.20GHz, GPU: NVIDIA Corporation GP106 [GeForce GTX 1060 3GB]'],
    shown: absent('another machine'),
  },
  {
    id: 'hy-fig-gdbscan-speedup',
    label: 'chart “speedup (x)” of gdbscan (no number)',
    kind: 'chart',
    what: 'speed-up of gdbscan',
    printed: ['10x', '15x'],
    shown: measured(
      ['gdbscan-hybrid'],
      'both of our speed-ups are at least as high, where both codes compare all pairs',
    ),
  },
  {
    id: 'hy-fig-gdbscan-breakdown',
    label: 'chart “gdbscan execution break down” (no number)',
    kind: 'chart',
    what: 'gdbscan: graph and BFS',
    printed: ['takes much more time'],
    shown: measured(['gdbscan-hybrid'], 'BFS takes longer at every sample, without an index as in the report'),
  },
  {
    id: 'hy-tab-nvprof',
    label: 'listing: nvprof (no number)',
    kind: 'table',
    what: 'gdbscan: nvprof by kernel',
    printed: NVPROF.flatMap((row) => row.slice(0, -1)),
    shown: measured(
      ['gdbscan-hybrid'],
      'BFS has the largest share of the device’s time, without an index as in the report',
    ),
  },
  {
    id: 'hy-fig-dsseq-time',
    label: 'chart “execution time (s)” of seq and ds-seq (no number)',
    kind: 'chart',
    what: 'time of seq and ds-seq',
    printed: ['is similar to the one with bfs manner'],
    shown: measured(['gdbscan-hybrid'], 'at every sample neither takes twice as long as the other, both with an index'),
  },
  {
    id: 'hy-fig-dsshm-speedup',
    label: 'chart of ds-shm over threads (no title in the text)',
    kind: 'chart',
    what: 'speed-up of ds-shm by threads',
    printed: ['linearly with number of threads well until 4'],
    shown: measured(['threads'], 'on 4 threads the speed-up over one thread is at least 3.2'),
  },
  {
    id: 'hy-fig-dsshm-stages',
    label: 'chart of the two stages (no title in the text)',
    kind: 'chart',
    what: 'ds-shm: time of its two stages',
    printed: ['takes the majority of time'],
    shown: measured(['threads'], 'local computation takes longer than merging on 8 threads'),
  },
  {
    id: 'hy-fig-dsshm-threads',
    label: 'chart “per thread execution time (s)” (no number)',
    kind: 'chart',
    what: 'ds-shm: time by thread',
    printed: ['the issue is not on workload distribution'],
    shown: measured(['threads'], 'no thread works a third longer than another'),
  },
  {
    id: 'hy-fig-dsshm-cache',
    label: 'chart “ds-shm cache-misses” (no number)',
    kind: 'chart',
    what: 'ds-shm: cache misses',
    printed: ['the cache-misses even decrease'],
    shown: absent('a JavaScript runtime cannot read the processor’s counters of cache misses'),
  },
  {
    id: 'hy-fig-overall',
    label: 'chart of all methods (no title in the text)',
    kind: 'chart',
    what: 'speed-up of all methods',
    printed: ['more than 40x'],
    shown: measured(
      ['gdbscan-hybrid'],
      'the hybrid on 8 threads is at least 40 times as fast at 200,000 tweets, where both codes compare all pairs',
    ),
  },
  {
    id: 'hy-fig-appendix',
    label: 'Appendix: Evaluation',
    kind: 'picture',
    what: 'appendix: pictures',
    printed: ['Validation result with synthetic data'],
    shown: measured(['gdbscan-hybrid-pictures'], 'all codes give the labels of the definition, byte for byte'),
  },
  {
    id: 'hy-c-linear4',
    label: 'text, Disjoint Tree performance',
    kind: 'claim',
    what: 'ds-shm: linear to 4 threads, nothing from 4 to 8',
    printed: ['the speedup align linearly with number of threads well until 4', 'failed to speed up 4->8threads'],
    shown: measured(['threads'], 'on 4 threads the speed-up is at least 3.2, and 8 threads are at most a tenth faster'),
  },
  {
    id: 'hy-c-bfs-slow',
    label: 'text, GDBSCAN performance',
    kind: 'claim',
    what: 'BFS is the bottleneck of gdbscan',
    printed: ['bfs is the bottleneck to be optimized in gdbscan'],
    shown: measured(
      ['gdbscan-hybrid'],
      'BFS takes longer than graph construction at every sample, with a grid and without',
    ),
  },
  {
    id: 'hy-c-hybrid40',
    label: 'text, Hybrid performance',
    kind: 'claim',
    what: 'speed-up of the hybrid, 8 threads, 200,000 tweets',
    printed: ['more than 40x'],
    shown: measured(['gdbscan-hybrid'], 'our speed-up is at least as high, where both codes compare all pairs'),
  },
];

const BUILT: readonly DocumentEntry[] = [
  {
    id: 'hy-fig-background',
    label: 'figure “figure from ReaserchGate” (no number)',
    kind: 'diagram',
    what: 'core, border and noise points',
    printed: ['figure from ReaserchGate'],
    shown: built(['docs/contract.md']),
  },
  {
    id: 'hy-list-usage',
    label: 'listing: program options',
    kind: 'listing',
    what: 'options of the command: file, method, threads',
    printed: [],
    shown: built(['README.md'], '`epsball cluster INPUT --algorithm --backend --threads`'),
  },
  {
    id: 'hy-fig-graph',
    label: 'Figura 2 (from G-DBSCAN)',
    kind: 'diagram',
    what: 'the graph: Va and Ea',
    printed: ['Figura 2. The data structure used to represent the graph.'],
    shown: built([`${GRAPH}/neighborGraph.ts`]),
  },
  listing('hy-list-degree', 'listing: collectDegreeKernel', [`${GRAPH}/tiledRows.wgsl`]),
  listing('hy-list-ea', 'listing: constructEaKernel', [`${GRAPH}/tiledRows.wgsl`]),
  listing('hy-list-classify', 'listing: classifyKernel', [`${GDBSCAN}/levels.wgsl`]),
  listing('hy-list-bfs', 'listing: bfs with Fa and Xa', [`${GDBSCAN}/expansion.wgsl`, `${GDBSCAN}/search.wgsl`]),
  {
    id: 'hy-fig-disjointset',
    label: 'figure “Figure from PDSDBSCAN” (no number)',
    kind: 'diagram',
    what: 'trees of disjoint sets',
    printed: ['Figure from PDSDBSCAN'],
    shown: built([`${SETS}/rem.ts`]),
  },
  listing('hy-list-dsdbscan', 'listing: pseudo-code DSDBSCAN', [`${PDS}/cellSets.ts`]),
  listing('hy-list-pds-local', 'listing: pseudo-code PDSDBSCAN-S, local computation (lines 2-18)', [
    `${PDS}/localUnion.ts`,
    `${PDS}/localUnionByIndex.ts`,
  ]),
  listing('hy-list-pds-merge', 'listing: pseudo-code PDSDBSCAN-S, merging (lines 19–25), UNIONUSINGLOCK', [
    `${PDS}/workers/cellSetTasks.ts`,
    `${SETS}/locked.ts`,
  ]),
];

export const hybridDocument: SourceDocument = {
  id: 'hybrid',
  title: 'Course report on G-DBSCAN, PDSDBSCAN and a hybrid',
  entries: [...MEASURED, ...BUILT],
};

function listing(id: string, label: string, files: readonly string[]): DocumentEntry {
  return {id, label, kind: 'listing', what: label.replace('listing: ', ''), printed: [], shown: built(files)};
}
