import {GRID_BFS, GRID_BFS_GPU} from '../suites/subjects.ts';
import {MILLION, MOST, panel, type Figure, type Panel} from './terms.ts';

const MILANESI: Panel = {
  axis: 'points',
  at: (n) => ({suite: 'milanesi', n}),
  xs: [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, MOST, 500_000, MILLION],
  base: GRID_BFS,
  subject: GRID_BFS_GPU,
  titles: ['CPU, serial', 'GPU'],
  words: (n) => (n === MILLION ? 'circa 59×' : n < 100_000 ? 'contenuto (limited)' : ''),
  times: [
    {x: MILLION, y: 68_000, text: 'circa 68 secondi'},
    {x: MILLION, y: 1000, text: 'circa 1 secondo o poco più'},
  ],
  factors: [{x: MILLION, y: 59, text: 'circa 59×'}],
};

export const milanesi: Readonly<Record<string, Figure>> = {
  'mil-fig1a': {pictures: {suite: 'milanesi', isRaw: true}},
  'mil-fig1b': {pictures: {suite: 'milanesi', isRaw: false}},
  'mil-fig2': panel({...MILANESI, only: 'times'}),
  'mil-fig3': {charts: panel({...MILANESI, only: 'factors'}).charts ?? []},
};
