import {dclustTable} from '../suites/dclustPaper.ts';
import {absent, built, measured, type DocumentEntry, type SourceDocument} from './entry.ts';

const GPU = 'packages/dbscan-dclust/src/gpu';
const DIRECTORY = 'packages/spatial-grid/src/quantile';
const OVER_N_NONE = ['dclust-none'];
const OVER_N = ['dclust'];

const FIGURES: readonly DocumentEntry[] = [
  {
    id: 'dc-fig7a',
    label: 'Figure 7(a)',
    kind: 'chart',
    what: 'by points, no index',
    printed: ['10', '15', '40 minutes', 'nine hours'],
    shown: measured(
      OVER_N_NONE,
      'our speed-ups at 30,000 and 1,000,000 points are at least 10 and 15, and no time is longer',
    ),
  },
  {
    id: 'dc-fig7b',
    label: 'Figure 7(b)',
    kind: 'chart',
    what: 'by points',
    printed: ['3.5', 'almost 15', 'at least 10'],
    shown: measured(OVER_N, 'our speed-ups are at least 3.5 at 30,000 points, 15 at 2,000,000, and 10 above 250,000'),
  },
  {
    id: 'dc-fig7c',
    label: 'Figure 7(c)',
    kind: 'chart',
    what: 'by minPts',
    printed: ['between 10 and 5', 'by a factor of 2'],
    shown: measured(['dclust-minpts'], 'our speed-ups are at least 5 up to minPts = 512, and at least 2 above'),
  },
  {
    id: 'dc-fig7d',
    label: 'Figure 7(d)',
    kind: 'chart',
    what: 'by eps',
    printed: ['almost stable between 9 and 10'],
    shown: measured(
      ['dclust-eps'],
      'our speed-ups are at least 9, and the highest is at most a quarter above the lowest',
    ),
  },
  {
    id: 'dc-fig7e',
    label: 'Figure 7(e)',
    kind: 'chart',
    what: 'by dimensions',
    printed: ['about 7 to 12'],
    shown: measured(['dclust-dim'], 'our speed-ups are at least 7'),
  },
  {
    id: 'dc-fig8a',
    label: 'Figure 8, left',
    kind: 'chart',
    what: 'kernels, 520k points',
    printed: ['the bulk of performance'],
    shown: measured(['dclust-kernels'], 'cluster expansion has more than half of the time'),
  },
  {
    id: 'dc-fig8b',
    label: 'Figure 8, right',
    kind: 'chart',
    what: 'kernels, 4m points',
    printed: ['the bulk of performance'],
    shown: measured(['dclust-kernels'], 'cluster expansion has more than half of the time'),
  },
  {
    id: 'dc-tab1',
    label: 'Table 1',
    kind: 'table',
    what: 'index construction',
    printed: dclustTable.flatMap(({printed}) => printed),
    shown: measured(['dclust', 'dclust-dim'], 'none of our times is longer'),
  },
];

const CLAIMS: readonly DocumentEntry[] = [
  {
    id: 'dc-c-setup',
    label: 'text, section 7',
    kind: 'claim',
    what: 'data, parameters, machine',
    printed: [
      'containing 20 randomly generated Gaussian clusters',
      'parameterized with $\\epsilon = 0.05$ and $MinPts = 4$',
      'Intel Core 2 Duo CPU E4500 2.2 GHz and 2 GB RAM',
      'Gainward NVIDIA GeForce GTX280 GPU (240 SIMD-processors) with 1GB GDDR3 SDRAM',
    ],
    shown: absent('the data is not published, and the machine is another; the suites have 20 Gaussian clusters too'),
  },
  {
    id: 'dc-c-71',
    label: 'text, section 7.1',
    kind: 'claim',
    what: 'times without an index; the sentence names no number of points',
    printed: ['40 minutes', 'nine hours'],
    shown: measured(OVER_N_NONE, 'at 1,000,000 points neither of our times is longer'),
  },
  {
    id: 'dc-c-72',
    label: 'text, section 7.2',
    kind: 'claim',
    what: 'speed-up with the directory',
    printed: ['almost 15', 'at least 10'],
    shown: measured(OVER_N, 'our speed-ups are at least 15 at 2,000,000 points and 10 above 250,000'),
  },
  {
    id: 'dc-c-73',
    label: 'text, section 7.3',
    kind: 'claim',
    what: 'speed-up by minPts',
    printed: ['between 10 and 5', 'factor of 2'],
    shown: measured(['dclust-minpts'], 'our speed-ups are at least 5 up to minPts = 512, and at least 2 above'),
  },
  {
    id: 'dc-c-74',
    label: 'text, section 7.4',
    kind: 'claim',
    what: 'speed-up by eps',
    printed: ['between 9 and 10'],
    shown: measured(['dclust-eps'], 'our speed-ups are at least 9'),
  },
  {
    id: 'dc-c-75',
    label: 'text, section 7.5',
    kind: 'claim',
    what: 'speed-up by dimensions',
    printed: ['about 7 to 12'],
    shown: measured(['dclust-dim'], 'our speed-ups are at least 7'),
  },
  {
    id: 'dc-c-76',
    label: 'text, section 7.6',
    kind: 'claim',
    what: 'construction of the index over the rest of the run',
    printed: ['lower than 5%', 'lower than 2%'],
    shown: measured(['dclust', 'dclust-dim'], 'our quotients are below 5 %, and below 2 % from 520,000 points on'),
  },
  {
    id: 'dc-c-77',
    label: 'text, section 7.7',
    kind: 'claim',
    what: 'which kernel takes the time',
    printed: ['the bulk of performance is executed by the cluster expansion kernel'],
    shown: measured(['dclust-kernels'], 'cluster expansion has more than half of the time in both data sets'),
  },
  {
    id: 'dc-c-order',
    label: 'text, sections 1 and 8',
    kind: 'claim',
    what: 'an order of magnitude, with identical results',
    printed: ['by typically one order of magnitude, while the clustering results can be proven to be identical'],
    shown: measured(
      ['dclust-none', 'dclust', 'dclust-minpts', 'dclust-eps', 'dclust-dim'],
      'the median of our speed-ups is at least 10, and all labels are equal, byte for byte',
    ),
  },
  {
    id: 'dc-c-hardware',
    label: 'text, section 3',
    kind: 'claim',
    what: 'the GPU',
    printed: [
      '30 MPs, each consisting of 8 SIMD-processors, summarizing to a total amount of 240 processors',
      '933 GFLOP/s',
      '400-600 clock cycles',
      '32 threads per warp',
      'multiples of 64 threads per TG',
    ],
    shown: absent('another GPU'),
  },
  {
    id: 'dc-c-complexity',
    label: 'text, Abstract and section 1',
    kind: 'claim',
    what: 'cost of density-based clustering',
    printed: ['ranging from $O(n \\log n)$ to $O(n^2)$'],
    shown: measured(OVER_N_NONE, 'without an index our sequential time grows by a power of 1.8 to 2.2'),
  },
  {
    id: 'dc-c-seedlist',
    label: 'text, section 5.3',
    kind: 'claim',
    what: 'points per seed list',
    printed: ['we used 1,024 points per seed list'],
    shown: built([`${GPU}/seedLists.wgsl`]),
  },
  {
    id: 'dc-c-directory',
    label: 'text, section 6',
    kind: 'claim',
    what: 'levels and fan-out of the directory',
    printed: ['a 3-level directory with fanout 16'],
    shown: built([`${DIRECTORY}/shape.ts`]),
  },
];

const BUILT: readonly DocumentEntry[] = [
  diagram('dc-fig1', 'Figure 1', 'Architecture of the CUDA model including communications between CPU and GPU.', [
    'ARCHITECTURE.md',
  ]),
  diagram('dc-fig2', 'Figure 2', 'Sequential density-based clustering.', [
    'packages/dbscan-sequential/src/sequentialDbscan.ts',
  ]),
  diagram('dc-fig3', 'Figure 3', 'Two different ideas of parallelization.', [`${GPU}/expansion.wgsl`]),
  {...diagram('dc-fig4', 'Figure 4', 'The Cluster Expansion Kernel.', [`${GPU}/expansion.wgsl`]), kind: 'listing'},
  diagram('dc-fig5', 'Figure 5', 'A collision of two chains.', ['packages/dbscan-dclust/src/collisionMatrix.ts']),
  {
    id: 'dc-fig6',
    label: 'Figure 6',
    kind: 'diagram',
    what: 'the directory',
    printed: ['2-level directory (plus the root node, which is considered as level-0)', 'The fanout of each node is 8'],
    shown: built([`${DIRECTORY}/quantileDirectory.ts`]),
  },
  {
    id: 'dc-list-main',
    label: 'list, section 5.5',
    kind: 'listing',
    what: 'main program for the CPU',
    printed: [],
    shown: built([`${GPU}/chainSearch.ts`]),
  },
  {
    id: 'dc-list-dbscan',
    label: 'list, section 4',
    kind: 'listing',
    what: 'DBSCAN with a seed list',
    printed: [],
    shown: built(['packages/dbscan-sequential/src/seedList.ts']),
  },
  {
    id: 'dc-definitions',
    label: 'Definitions 1 to 5',
    kind: 'definition',
    what: 'core object, reachability, connectedness, cluster, chain',
    printed: ['DEFINITION 1.', 'DEFINITION 5.'],
    shown: built(['docs/contract.md', `${GPU}/identities.wgsl`]),
  },
];

export const dclustDocument: SourceDocument = {
  id: 'dclust',
  title: 'Böhm et al., CUDA-DClust',
  entries: [...FIGURES, ...CLAIMS, ...BUILT],
};

function diagram(id: string, label: string, caption: string, files: readonly string[]): DocumentEntry {
  return {id, label, kind: 'diagram', what: caption, printed: [`${label}: ${caption}`], shown: built(files)};
}
