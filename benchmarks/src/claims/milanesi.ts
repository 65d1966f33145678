import type {Term} from '../evidence.ts';
import type {Claim} from '../judge.ts';
import {GRID_BFS, GRID_BFS_GPU, SEQUENTIAL_ALL_PAIRS} from '../suites/subjects.ts';
import {change, growth, over, speedUp, timeAt, type Place} from './terms.ts';

const MOST = 1_000_000;
/** Fixed costs dominate the times of fewer points. */
const LARGE = [10_000, 20_000, 50_000, 100_000, 200_000, 500_000, MOST];
const SMALL = [1000, 2000, 5000, 10_000, 20_000, 50_000];

const at = (n: number): Place => ({suite: 'milanesi', n});
const factor = (n: number): Term[] => over(GRID_BFS, GRID_BFS_GPU, at(n));
const gpu = (n: number): Term[] => timeAt(GRID_BFS_GPU, at(n));
const serial = (n: number, power: number): Term[] => timeAt(GRID_BFS, at(n), power);

export const milanesiClaims: readonly Claim[] = [
  {
    id: 'mil-59',
    entries: ['mil-fig3', 'mil-c-59x'],
    says: 'fino a raggiungere un fattore di circa **59** \\times per 1 000 000 di punti',
    english: 'until it reaches a factor of about 59 for 1,000,000 points',
    rule: 'our speed-up over the same method on one thread is at least 59',
    relations: [speedUp(GRID_BFS, GRID_BFS_GPU, at(MOST), {least: 59})],
  },
  {
    id: 'mil-small',
    entries: ['mil-fig3', 'mil-c-small-n'],
    says: "Per valori bassi di n ($< 100\\,000$), lo *speedup* è contenuto a causa dell'overhead fisso",
    english: 'for small n (< 100,000) the speed-up is limited, because of the fixed overhead',
    rule: 'every speed-up below 100,000 points is at most half of that at 1,000,000',
    relations: SMALL.map((n) =>
      change(`1,000,000 over ${n.toLocaleString('en-US')} points`, factor(MOST), factor(n), {least: 2}),
    ),
  },
  {
    id: 'mil-exponential',
    entries: ['mil-fig2', 'mil-c-growth'],
    says: "cresce esponenzialmente all'aumentare di n",
    english: 'the time on the CPU grows exponentially with n',
    rule: 'the logarithm of the serial time grows at least as fast, a point, from 500,000 to 1,000,000 points as from 200,000 to 500,000',
    relations: [
      {
        name: 'difference of the two rates, a million points',
        unit: 'exponent',
        terms: [...serial(MOST, 2), ...serial(500_000, -2 - 10 / 3), ...serial(200_000, 10 / 3)],
        least: 0,
      },
    ],
  },
  {
    id: 'mil-gpu-linear',
    entries: ['mil-fig2', 'mil-c-growth'],
    says: 'si mantiene lineare',
    english: 'the time on the GPU stays linear',
    rule: 'our time on the GPU grows by a power of 0.8 to 1.2 from 10,000 points on',
    relations: [growth(LARGE, gpu, {least: 0.8, most: 1.2})],
  },
  {
    id: 'mil-gpu-every-set',
    entries: ['mil-fig2', 'mil-c-gpu1'],
    says: 'circa 1 secondo o poco più per ogni dataset',
    english: 'about 1 second or little more for every data set',
    rule: 'our time on the GPU at 1,000,000 points is at most 1.5 times that at 1,000',
    relations: [change('1,000,000 over 1,000 points', gpu(MOST), gpu(1000), {most: 1.5})],
  },
  {
    id: 'mil-speed-up-linear',
    entries: ['mil-fig3', 'mil-c-growth'],
    says: 'scala linearmente',
    english: 'the speed-up scales linearly',
    rule: 'our speed-up grows by a power of 0.8 to 1.2 from 10,000 points on',
    relations: [growth(LARGE, factor, {least: 0.8, most: 1.2})],
  },
  {
    id: 'mil-dominant',
    entries: ['mil-fig3'],
    says: "al crescere della dimensione del dataset, il vantaggio dell'esecuzione parallela su GPU diventa dominante",
    english: 'as the data set grows, the advantage of the parallel execution on the GPU becomes dominant',
    rule: 'the speed-up grows with n over all sizes, and is at least 10 at 1,000,000 points',
    relations: [
      growth([...SMALL, ...LARGE.slice(3)], factor, {least: 0}),
      speedUp(GRID_BFS, GRID_BFS_GPU, at(MOST), {least: 10}),
    ],
  },
  {
    id: 'mil-quadratic',
    entries: ['mil-c-complexity'],
    says: '$O(n^2)$',
    rule: 'in the plane, without an index, our sequential time grows by a power of 1.8 to 2.2',
    relations: [
      growth([20_000, 50_000, 100_000, 200_000], (n) => timeAt(SEQUENTIAL_ALL_PAIRS, {suite: 'gdbscan-hybrid', n}), {
        least: 1.8,
        most: 2.2,
      }),
    ],
  },
  {
    id: 'mil-grid-linear',
    entries: ['mil-c-complexity'],
    says: '$O(nk)$',
    rule: 'with a grid and as many neighbours at every size (spots in the plane) our serial time grows by a power of 0.8 to 1.2',
    relations: [
      growth(
        [100_000, 1_000_000, 10_000_000],
        (n) => timeAt(GRID_BFS, {suite: 'state-of-the-art', dataset: `spots:n=${n},dim=2,seed=1`, n}),
        {least: 0.8, most: 1.2},
      ),
    ],
  },
];
