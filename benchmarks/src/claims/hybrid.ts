import type {Subject} from '../cell.ts';
import type {CellQuery, Term} from '../evidence.ts';
import type {Claim} from '../judge.ts';
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
import {change, over, share, speedUp, timeAt, type Place} from './terms.ts';

const MOST = 200_000;
const SAMPLES = [20_000, 50_000, 100_000, MOST];
const at = (n: number): Place => ({suite: 'gdbscan-hybrid', n});
const onThreads = (threads: number): CellQuery => ({suite: 'threads', ...dsShm(threads)});
const time = (threads: number): Term[] => timeAt(dsShm(threads), {suite: 'threads'});
const [BFS, GRAPH] = ['device:clusters+borders', 'device:index+core'] as const;
const THREADS = [1, 2, 3, 4, 5, 6, 7, 8];

const bfsOverGraph = (subject: Subject, name: string): Claim['relations'] =>
  SAMPLES.map((n) =>
    share(`BFS over graph at ${n.toLocaleString('en-US')}${name}`, {...at(n), ...subject}, BFS, GRAPH, {least: 1}),
  );

export const hybridClaims: readonly Claim[] = [
  {
    id: 'hy-16-4-41',
    entries: ['hy-c-summary'],
    says: '**(x16 speedup)** with CUDA, **(x4)** with CPU thread-parallel, and **(x41)** with a hybrid approach, compared to sequential CPU implementation',
    rule: 'where all codes compare all pairs of 200,000 tweets, our speed-ups of gdbscan, of ds-shm and of the hybrid on 8 threads are at least 16, 4 and 41',
    relations: [
      {...speedUp(SEQUENTIAL_ALL_PAIRS, GDBSCAN_ALL_PAIRS, at(MOST), {least: 16}), name: 'gdbscan'},
      {...speedUp(SEQUENTIAL_ALL_PAIRS, dsShmAllPairs(8), at(MOST), {least: 4}), name: 'ds-shm on 8 threads'},
      {...speedUp(SEQUENTIAL_ALL_PAIRS, hybridAllPairs(8), at(MOST), {least: 41}), name: 'hybrid on 8 threads'},
    ],
  },
  {
    id: 'hy-gdbscan-10-15',
    entries: ['hy-fig-gdbscan-speedup'],
    says: 'gdbscan can achieve 10x speed up on twitter_50000 and 15x speed up on twitter_200000',
    rule: 'where both codes compare all pairs, our speed-ups are at least 10 and 15',
    relations: [
      speedUp(SEQUENTIAL_ALL_PAIRS, GDBSCAN_ALL_PAIRS, at(50_000), {least: 10}),
      speedUp(SEQUENTIAL_ALL_PAIRS, GDBSCAN_ALL_PAIRS, at(MOST), {least: 15}),
    ],
  },
  {
    id: 'hy-bfs-longer',
    entries: ['hy-fig-gdbscan-breakdown', 'hy-c-bfs-slow'],
    says: '**bfs_scan** takes much more time compared to **graph_construction**',
    rule: 'BFS takes longer than graph construction at every sample, without an index as in the report',
    relations: bfsOverGraph(GDBSCAN_ALL_PAIRS, ''),
  },
  {
    id: 'hy-bfs-bottleneck',
    entries: ['hy-tab-nvprof', 'hy-c-bfs-slow'],
    says: 'bfs is the bottleneck to be optimized in gdbscan',
    rule: 'BFS takes longer than graph construction at every sample, with a grid and without',
    relations: [...bfsOverGraph(GDBSCAN, ', with a grid'), ...bfsOverGraph(GDBSCAN_ALL_PAIRS, '')],
  },
  {
    id: 'hy-dsseq-similar',
    entries: ['hy-fig-dsseq-time'],
    says: 'the total computation cost for sequential disjoint-set implementation is similar to the one with bfs manner',
    rule: 'at every sample neither takes twice as long as the other, both with an index',
    relations: SAMPLES.map((n) => ({
      ...speedUp(DS_SEQ, SEQUENTIAL, at(n), {least: 0.5, most: 2}),
      name: `ds-seq over seq at ${n.toLocaleString('en-US')}`,
    })),
  },
  {
    id: 'hy-linear-to-4',
    entries: ['hy-fig-dsshm-speedup', 'hy-c-linear4'],
    says: 'the speedup align linearly with number of threads well until 4',
    rule: 'the speed-up over one thread is at least 1.6 on 2 threads and 3.2 on 4',
    relations: [
      change('2 threads', time(1), time(2), {least: 1.6}),
      change('4 threads', time(1), time(4), {least: 3.2}),
    ],
  },
  {
    id: 'hy-4-to-8',
    entries: ['hy-fig-dsshm-speedup', 'hy-c-linear4'],
    says: 'failed to speed up 4->8threads',
    rule: '8 threads are at most a tenth faster than 4',
    relations: [change('8 threads over 4', time(4), time(8), {most: 1.1})],
  },
  {
    id: 'hy-locks-cheap',
    entries: ['hy-c-linear4'],
    says: 'the parallel union operation is high efficient even with locks',
    rule: 'merging has at most a tenth of the time of both stages on 8 threads',
    relations: [share('merging', onThreads(8), 'counter:mergeMs', 'counter:localMs+mergeMs', {most: 0.1})],
  },
  {
    id: 'hy-local-longer',
    entries: ['hy-fig-dsshm-stages'],
    says: '(with 8 threads on twitter_200000), which shows that the local computation stage takes the majority of time',
    rule: 'local computation has more than half of the time of both stages on 8 threads',
    relations: [share('local computation', onThreads(8), 'counter:localMs', 'counter:localMs+mergeMs', {least: 0.5})],
  },
  {
    id: 'hy-even-threads',
    entries: ['hy-fig-dsshm-threads'],
    says: 'which shows the issue is not on workload distribution',
    rule: 'each of 8 threads works within a third of the mean of all',
    relations: THREADS.map((thread) => {
      const all = `counter:${THREADS.map((one) => `localMsOfThread${one}`).join('+')}` as const;
      const bounds = {least: 0.75 / 8, most: 4 / 3 / 8};
      return share(`thread ${thread}`, onThreads(8), `counter:localMsOfThread${thread}`, all, bounds);
    }),
  },
  {
    id: 'hy-40',
    entries: ['hy-fig-overall', 'hy-c-hybrid40'],
    says: 'could achieve more than 40x speed up on twitter_200000',
    rule: 'the hybrid on 8 threads is at least 40 times as fast, where both codes compare all pairs',
    relations: [speedUp(SEQUENTIAL_ALL_PAIRS, hybridAllPairs(8), at(MOST), {least: 40})],
  },
  {
    id: 'hy-hybrid-best',
    entries: ['hy-fig-overall'],
    says: 'We also propose a hybrid approach to utilize both cuda and multi-thread to achieve better speed up on our target device.',
    rule: 'the hybrid on 8 threads is faster than gdbscan and than ds-shm on 8 threads, where all compare all pairs of 200,000 tweets',
    relations: [GDBSCAN_ALL_PAIRS, dsShmAllPairs(8)].map((other) => ({
      name: `over ${other.row}`,
      unit: 'factor',
      terms: over(other, hybridAllPairs(8), at(MOST)),
      least: 1,
    })),
  },
];
