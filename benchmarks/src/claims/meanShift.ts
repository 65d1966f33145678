import type {Subject} from '../cell.ts';
import type {Term} from '../evidence.ts';
import type {Claim, Relation} from '../judge.ts';
import {SHIFT, SHIFT_NAIVE, shiftTiled, shiftWorkers} from '../suites/subjects.ts';
import {change, growth, speedUp, timeAt, type Place} from './terms.ts';

export const SHIFT_SIZES: readonly number[] = [100, 1000, 10_000, 100_000, 250_000];
const at = (n: number): Place => ({suite: 'mean-shift', n});
const time = (subject: Subject, n: number): Term[] => timeAt(subject, at(n));
/** The document's machine has 8 threads. */
const OPENMP = shiftWorkers(8);

const over = (base: Subject, subject: Subject, least: readonly number[]): Relation[] =>
  SHIFT_SIZES.map((n, k) => speedUp(base, subject, at(n), {least: least[k]}));

export const meanShiftClaims: readonly Claim[] = [
  {
    id: 'ms-threads',
    entries: ['ms-fig-threads'],
    says: 'Number of threads gradually increased for each dataset',
    rule: 'each doubling of the threads, from 1 to 16, shortens the time at 10,000 points',
    relations: [1, 2, 4, 8].map((threads) => {
      const [few, many] = [threads, 2 * threads].map((count) => time(shiftWorkers(count), 10_000));
      return change(`${threads} over ${2 * threads} threads`, few, many, {least: 1});
    }),
  },
  {
    id: 'ms-tile-16',
    entries: ['ms-fig-tile', 'ms-tab-tile'],
    says: 'Execution time for 10000 points for the CUDA tiling implementation varying *TILE_WIDTH*',
    rule: 'TILE_WIDTH 16 is the slowest, as in the table',
    relations: [32, 64, 128, 256, 512, 1024].map((width) =>
      change(`16 over ${width}`, time(shiftTiled(16), 10_000), time(shiftTiled(width), 10_000), {least: 1}),
    ),
  },
  {
    id: 'ms-tiling-helps',
    entries: ['ms-tab-naive'],
    says: 'A further optimization is possible:',
    rule: 'tiling is faster than naive at every size, as in the table (1.09 to 1.20)',
    relations: over(SHIFT_NAIVE, shiftTiled(), [1, 1, 1, 1, 1]),
  },
  {
    id: 'ms-tiling-speed-up',
    entries: ['ms-tab-seq', 'ms-tab-global'],
    says: '- Greatest speedups with CUDA, at the expense of a more complicated implementation',
    rule: 'our speed-ups of tiling over one thread are at least those of the table: 13.43, 156.21, 287.64, 288.80, 276.61',
    relations: over(SHIFT, shiftTiled(), [13.43, 156.21, 287.64, 288.8, 276.61]),
  },
  {
    id: 'ms-openmp-speed-up',
    entries: ['ms-tab-global'],
    says: '- OpenMP lets to reach noticeable speedups with a simple implementation (just a directive)',
    rule: 'our speed-ups of 8 threads over one are at least those of the table: 3.66, 3.39, 3.24, 3.25, 3.18',
    relations: over(SHIFT, OPENMP, [3.66, 3.39, 3.24, 3.25, 3.18]),
  },
  {
    id: 'ms-greatest',
    entries: ['ms-c-conclusions', 'ms-tab-global'],
    says: '- Greatest speedups with CUDA, at the expense of a more complicated implementation',
    rule: 'tiling is faster than 8 threads at every size; the cost of development is no measurement',
    relations: over(OPENMP, shiftTiled(), [1, 1, 1, 1, 1]),
  },
  {
    id: 'ms-openmp-excellent',
    entries: ['ms-c-conclusions'],
    says: '- OpenMP has an excellent speedup and development cost ratio',
    rule: '8 threads are at least twice as fast as one at 10,000 points; the cost of development is no measurement',
    relations: [speedUp(SHIFT, OPENMP, at(10_000), {least: 2})],
  },
  {
    id: 'ms-quadratic',
    entries: ['ms-c-complexity'],
    says: '$O(n^2)$ computational cost',
    rule: 'our sequential time grows by a power of 1.8 to 2.2 from 1000 points on',
    relations: [growth([1000, 3000, 10_000], (n) => time(SHIFT, n), {least: 1.8, most: 2.2})],
  },
];
