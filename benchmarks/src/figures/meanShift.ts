import {SHIFT_SIZES} from '../claims/meanShift.ts';
import type {Place} from '../claims/terms.ts';
import {entryOf} from '../documents.ts';
import {SHIFT, SHIFT_NAIVE, shiftTiled, shiftWorkers} from '../suites/subjects.ts';
import {beside, count, factor, THREADS, time, type Figure} from './terms.ts';

const SHIFTS = (n: number): Place => ({suite: 'mean-shift', n});
const TILES = [16, 32, 64, 128, 256, 512, 1024];

export const meanShift: Readonly<Record<string, Figure>> = {
  'ms-fig-threads': {
    charts: [
      {
        title: 'Speed-up over one thread of the sequential version',
        x: 'threads',
        unit: 'factor',
        series: SHIFT_SIZES.map((n) => ({
          label: `${count(n)} points`,
          points: THREADS.map((threads) => ({x: threads, quantity: factor(SHIFT, shiftWorkers(threads), SHIFTS(n))})),
        })),
      },
    ],
  },
  'ms-fig-tile': {
    charts: [
      {
        title: 'TILE_WIDTH at 10,000 points',
        x: 'TILE_WIDTH',
        unit: 'time',
        series: [
          {
            label: 'tiling',
            points: TILES.map((width) => ({x: width, quantity: time({...SHIFTS(10_000), ...shiftTiled(width)})})),
          },
        ],
        stated: TILES.map((width, k) => ({
          x: width,
          y: 1000 * Number.parseFloat(entryOf('ms-tab-tile').printed[k]),
          text: k === 0 ? 'the table of the document' : '',
        })),
      },
    ],
  },
  'ms-tab-tile': beside('TILE_WIDTH', ['CUDA Tiling'], 'ms-tab-tile', TILES, (width) => [
    time({...SHIFTS(10_000), ...shiftTiled(width)}),
  ]),
  'ms-tab-naive': beside('Dim', ['CUDA Tiling', 'CUDA Naive', 'Speedup'], 'ms-tab-naive', SHIFT_SIZES, (n) => [
    time({...SHIFTS(n), ...shiftTiled()}),
    time({...SHIFTS(n), ...SHIFT_NAIVE}),
    factor(SHIFT_NAIVE, shiftTiled(), SHIFTS(n)),
  ]),
  'ms-tab-seq': beside('Dim', ['Sequential', 'CUDA Tiling', 'Speedup'], 'ms-tab-seq', SHIFT_SIZES, (n) => [
    time({...SHIFTS(n), ...SHIFT}),
    time({...SHIFTS(n), ...shiftTiled()}),
    factor(SHIFT, shiftTiled(), SHIFTS(n)),
  ]),
  'ms-tab-global': beside(
    'Dim',
    ['Sequential', 'OpenMP', 'OpenMP Speedup', 'CUDA Tiling', 'CUDA Speedup'],
    'ms-tab-global',
    SHIFT_SIZES,
    (n) => [
      time({...SHIFTS(n), ...SHIFT}),
      time({...SHIFTS(n), ...shiftWorkers(8)}),
      factor(SHIFT, shiftWorkers(8), SHIFTS(n)),
      time({...SHIFTS(n), ...shiftTiled()}),
      factor(SHIFT, shiftTiled(), SHIFTS(n)),
      factor(shiftWorkers(16), shiftTiled(), SHIFTS(n)),
    ],
    {note: 'OpenMP: 8 worker threads, as the document’s machine has.', more: ['CUDA over our 16 threads']},
  ),
};
