import type {Subject} from '../cell.ts';
import type {Place} from '../claims/terms.ts';
import {entryOf} from '../documents.ts';
import type {CellQuery, Quantity} from '../evidence.ts';
import {
  DS_SEQ,
  dsShm,
  dsShmAllPairs,
  GDBSCAN,
  GDBSCAN_ALL_PAIRS,
  hybridAllPairs,
  SEQUENTIAL,
  SEQUENTIAL_ALL_PAIRS,
} from '../suites/subjects.ts';
import {count, factor, MOST, panel, THREADS, time, type Figure, type TableSpec} from './terms.ts';

const SAMPLES = [20_000, 50_000, 100_000, MOST];
const HYBRID = (n: number): Place => ({suite: 'gdbscan-hybrid', n});
const GRAPH_PARTS = [
  {title: 'graph construction', part: 'device:index+core'},
  {title: 'BFS', part: 'device:clusters+borders'},
] as const;
const STAGES = [
  {title: 'local computation', part: 'counter:localMs'},
  {title: 'merging', part: 'counter:mergeMs'},
] as const;
const EACH_OF_8 = [1, 2, 3, 4, 5, 6, 7, 8].map((thread) => {
  return {title: `thread ${thread}`, part: `counter:localMsOfThread${thread}` as const};
});
const onThreads = (threads: number): CellQuery => ({suite: 'threads', ...dsShm(threads)});

export const hybrid: Readonly<Record<string, Figure>> = {
  'hy-fig-gdbscan-speedup': panel({
    axis: 'points',
    at: HYBRID,
    xs: SAMPLES,
    base: SEQUENTIAL_ALL_PAIRS,
    subject: GDBSCAN_ALL_PAIRS,
    titles: ['seq, all pairs', 'gdbscan, all pairs'],
    words: (n) => ({50_000: '10x', [MOST]: '15x'})[n] ?? '',
    factors: [
      {x: 50_000, y: 10, text: '10x'},
      {x: MOST, y: 15, text: '15x'},
    ],
  }),
  'hy-fig-gdbscan-breakdown': {
    shares: [
      {
        title: 'gdbscan: graph construction and BFS',
        bars: [GDBSCAN_ALL_PAIRS, GDBSCAN].flatMap((subject) =>
          SAMPLES.map((n) => ({
            label: `${count(n)} points, ${subject === GDBSCAN ? 'with a grid' : 'all pairs'}`,
            cell: {...HYBRID(n), ...subject},
            parts: GRAPH_PARTS,
          })),
        ),
      },
    ],
  },
  'hy-tab-nvprof': {
    tables: nvprof(),
    notes: [
      'Ours has one row a phase. One dispatch of BFS processes a level of all searches together; the document starts a kernel for each level of each search. The document’s rows add up to 84.60 %; it does not name the sample.',
    ],
  },
  'hy-fig-dsseq-time': panel({
    axis: 'points',
    at: HYBRID,
    xs: SAMPLES,
    base: SEQUENTIAL,
    subject: DS_SEQ,
    titles: ['seq, with a grid', 'ds-seq, with a grid'],
  }),
  'hy-fig-dsshm-speedup': threadFigure(),
  'hy-fig-dsshm-stages': {
    shares: [
      {
        title: 'ds-shm: its two stages',
        bars: THREADS.map((threads) => ({
          label: threads === 1 ? '1 thread' : `${threads} threads`,
          cell: onThreads(threads),
          parts: STAGES,
        })),
      },
    ],
  },
  'hy-fig-dsshm-threads': {
    shares: [
      {
        title: 'ds-shm: local computation by thread, 8 threads',
        bars: [{label: '8 threads', cell: onThreads(8), parts: EACH_OF_8}],
      },
    ],
  },
  'hy-fig-overall': overall(),
  'hy-fig-appendix': {pictures: {suite: 'gdbscan-hybrid-pictures', isRaw: false}},
};

/** The document's profile, and ours: one row a phase, by the device's timestamps. */
function nvprof(): TableSpec[] {
  const {printed} = entryOf('hy-tab-nvprof');
  const names = [
    'bfsKernel(bool*, bool*, int const *, int const *, int const *, int*, int, int)',
    'collectDegree(float2 const *, int, float, int*)',
    'constructEaKernel(float2 const *, int const *, int const *, int, float, int*)',
  ];
  const cell = {...HYBRID(MOST), ...GDBSCAN_ALL_PAIRS};
  const phases = {
    clusters: 'BFS (bfsKernel)',
    core: 'degrees and edges (collectDegree, constructEaKernel)',
    index: 'preparation',
    borders: 'border points',
  };
  return [
    {
      title: 'The document’s listing',
      columns: ['Time(%)', 'Time', 'Calls', 'Avg', 'Min', 'Max', 'Name'],
      rows: names.map((name, k) => [...printed.slice(6 * k, 6 * k + 6), name].map((document) => ({document}))),
    },
    {
      title: `Ours, ${count(MOST)} tweets, all pairs`,
      columns: ['share', 'time', 'phase'],
      rows: Object.entries(phases).map(([phase, name]) => [
        {
          unit: 'share',
          terms: [
            {cell, part: `device:${phase}`, power: 1},
            {cell, part: 'device:clusters+core+index+borders', power: -1},
          ],
        },
        time(cell, `device:${phase}`),
        name,
      ]),
    },
  ];
}

/** ds-shm over one thread of itself, over ds-seq, and over the sequential code. */
function threadFigure(): Figure {
  const bases = [
    {label: 'over ds-shm on 1 thread', base: dsShm(1)},
    {label: 'over ds-seq', base: DS_SEQ},
    {label: 'over seq', base: SEQUENTIAL},
  ];
  const at = (base: Subject, threads: number): Quantity => factor(base, dsShm(threads), {suite: 'threads'});
  return {
    charts: [
      {
        title: 'ds-shm: speed-up over threads, 200,000 tweets, with a grid',
        x: 'threads',
        unit: 'factor',
        series: bases.map(({label, base}) => ({label, points: THREADS.map((x) => ({x, quantity: at(base, x)}))})),
        stated: [{x: 1, to: 4, low: 1, y: 4, text: 'linear well until 4'}],
      },
    ],
    tables: [
      {
        title: 'Time and speed-up by threads',
        columns: ['threads', 'time', ...bases.map(({label}) => label)],
        rows: THREADS.map((threads) => [
          String(threads),
          time(onThreads(threads)),
          ...bases.map(({base}) => at(base, threads)),
        ]),
      },
    ],
  };
}

/** All methods over the sequential code that compares all pairs, as the document has them, and over our best. */
function overall(): Figure {
  const methods = [
    {label: 'gdbscan', subject: GDBSCAN_ALL_PAIRS, document: '16'},
    {label: 'ds-shm, 8 threads', subject: dsShmAllPairs(8), document: '4'},
    {label: 'hybrid, 8 threads', subject: hybridAllPairs(8), document: '41, more than 40x'},
  ];
  return {
    charts: [
      {
        title: 'Speed-up over seq, all pairs',
        x: 'points',
        unit: 'factor',
        series: methods.map(({label, subject}) => ({
          label,
          points: SAMPLES.map((n) => ({x: n, quantity: factor(SEQUENTIAL_ALL_PAIRS, subject, HYBRID(n))})),
        })),
        stated: [{x: MOST, y: 40, text: 'more than 40x'}],
      },
    ],
    tables: [
      {
        title: 'Speed-up over seq, all pairs',
        columns: [
          'method, all pairs',
          ...SAMPLES.map(count),
          `over our best on one thread at ${count(MOST)}`,
          `over our best on all threads at ${count(MOST)}`,
          'document',
        ],
        rows: methods.map(({label, subject, document}) => [
          label,
          ...SAMPLES.map((n) => factor(SEQUENTIAL_ALL_PAIRS, subject, HYBRID(n))),
          ...[false, true].map((isThreaded) => ({overBest: {...HYBRID(MOST), ...subject}, isThreaded})),
          {document},
        ]),
      },
    ],
  };
}
