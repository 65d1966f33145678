import {DIMS, TABLE_1_PLACES} from '../claims/dclust.ts';
import {entryOf} from '../documents.ts';
import type {Quantity} from '../evidence.ts';
import {
  DCLUST,
  DCLUST_STAR,
  DCLUST_TIMED,
  SEQUENTIAL,
  SEQUENTIAL_ALL_PAIRS,
  SEQUENTIAL_DIRECTORY,
} from '../suites/subjects.ts';
import {count, MILLION, panel, time, type Figure} from './terms.ts';

const STAR = {
  base: SEQUENTIAL,
  subject: DCLUST_STAR,
  titles: ['DBSCAN with the directory', 'CUDA-DClust*'] as const,
};
/** Of figures whose baselines have the best codes at the default of all figures only. */
const BESIDE = 'Our best codes, pds on one thread and on 16, stand beside ours where they were measured.';
const KERNELS = [
  {title: 'cluster expansion', part: 'counter:expansionMs'},
  {title: 'new seeds', part: 'counter:newSeedsMs'},
  {title: 'collision matrix', part: 'counter:collisionMs'},
  {title: 'seed refill', part: 'counter:seedRefillMs'},
] as const;

export const dclust: Readonly<Record<string, Figure>> = {
  'dc-fig7a': panel({
    axis: 'points',
    at: (n) => ({suite: 'dclust-none', n}),
    xs: [30_000, 65_000, 130_000, 260_000, 520_000, MILLION],
    base: SEQUENTIAL_ALL_PAIRS,
    subject: DCLUST,
    titles: ['DBSCAN without an index', 'CUDA-DClust'],
    words: (n) => ({30_000: '10', [MILLION]: '15'})[n] ?? '',
    times: [
      {x: MILLION, y: 9 * 3_600_000, text: 'nine hours'},
      {x: MILLION, y: 40 * 60_000, text: '40 minutes'},
    ],
    factors: [
      {x: 30_000, y: 10, text: '10'},
      {x: MILLION, y: 15, text: '15'},
    ],
  }),
  'dc-fig7b': panel({
    ...STAR,
    axis: 'points',
    at: (n) => ({suite: 'dclust', n}),
    xs: [30_000, 65_000, 130_000, 260_000, 520_000, MILLION, 2 * MILLION],
    words: (n) => (n === 30_000 ? '3.5' : n === 2 * MILLION ? 'almost 15' : n > 250_000 ? 'at least 10' : ''),
    factors: [
      {x: 30_000, y: 3.5, text: '3.5'},
      {x: 2 * MILLION, y: 15, text: 'almost 15'},
    ],
  }),
  'dc-fig7c': panel({
    ...STAR,
    axis: 'minPts',
    at: (minPts) => ({suite: 'dclust-minpts', params: {minPts}}),
    xs: [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048],
    // The document does not name the large values whose factor is 2.
    words: (minPts) => (minPts <= 512 ? 'between 10 and 5' : 'even for large values 2'),
    factors: [{x: 4, to: 512, low: 5, y: 10, text: 'between 10 and 5'}],
    notes: [BESIDE],
  }),
  'dc-fig7d': panel({
    ...STAR,
    axis: 'eps',
    isLogX: false,
    at: (eps) => ({suite: 'dclust-eps', params: {eps}}),
    xs: [0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1],
    words: () => 'almost stable between 9 and 10',
    factors: [{x: 0.02, to: 0.1, low: 9, y: 10, text: 'almost stable between 9 and 10'}],
    notes: [BESIDE],
  }),
  'dc-fig7e': panel({
    ...STAR,
    base: SEQUENTIAL_DIRECTORY,
    axis: 'dimensions',
    at: (dim) => ({suite: 'dclust-dim', dim}),
    xs: DIMS,
    words: () => 'about 7 to 12',
    factors: [{x: 4, to: 64, low: 7, y: 12, text: 'about 7 to 12'}],
    notes: [BESIDE],
  }),
  'dc-fig8a': kernels(520_000),
  'dc-fig8b': kernels(4 * MILLION),
  'dc-tab1': {
    tables: [
      {
        title: 'Table 1, ours beside it',
        columns: [
          'N',
          'Dim',
          ...['Index', 'GPU', 'Index / GPU'].map((title) => `document: ${title}`),
          ...['index', 'run without it', 'index / run'].map((title) => `ours: ${title}`),
        ],
        rows: TABLE_1_PLACES.map((place, k) => {
          const [n, dim, ...printed] = entryOf('dc-tab1').printed.slice(5 * k, 5 * k + 5);
          const cell = {...place, ...DCLUST_STAR};
          const share: Quantity = {
            unit: 'share',
            terms: [
              {cell, part: 'host:index', power: 1},
              {cell, part: 'rest', power: -1},
            ],
          };
          return [
            n,
            dim,
            ...printed.map((document) => ({document})),
            time(cell, 'host:index'),
            time(cell, 'rest'),
            share,
          ];
        }),
      },
    ],
  },
};

function kernels(n: number): Figure {
  const cell = {suite: 'dclust-kernels', n, ...DCLUST_TIMED};
  const bars = [{label: `${count(n)} points`, cell, parts: KERNELS}];
  return {shares: [{title: `Share of each kernel, ${count(n)} points`, bars}]};
}
