import type {Subject} from '../cell.ts';
import {over, type Place} from '../claims/terms.ts';
import {entryOf} from '../documents.ts';
import type {CellQuery, Part, Quantity} from '../evidence.ts';

/** A value that a document states at a place of an axis; or between `low` and `y`, from x to `to`. */
export interface Stated {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly to?: number;
  readonly low?: number;
}

/** Lines over an axis, the document's values beside them. */
export interface ChartSpec {
  readonly title: string;
  readonly x: string;
  /** Default: true. */
  readonly isLogX?: boolean | undefined;
  readonly unit: 'time' | 'factor';
  readonly series: readonly {
    readonly label: string;
    readonly points: readonly {readonly x: number; readonly quantity: Quantity}[];
  }[];
  /** Default: none. */
  readonly stated?: readonly Stated[];
}

/** The factor of a cell over our fastest code without a GPU on the same points: on one thread, or on several. */
interface OverBest {
  readonly overBest: CellQuery;
  readonly isThreaded: boolean;
}
export interface TableSpec {
  readonly title: string;
  readonly columns: readonly string[];
  /** Plain words, the document's, or ours. */
  readonly rows: readonly (readonly (string | {readonly document: string} | Quantity | OverBest)[])[];
}

/** Parts of a whole: one bar a cell. */
export interface ShareSpec {
  readonly title: string;
  readonly bars: readonly {
    readonly label: string;
    readonly cell: CellQuery;
    readonly parts: readonly {readonly title: string; readonly part: Part}[];
  }[];
}

/** How the report shows an entry of a document in its own shape. */
export interface Figure {
  readonly charts?: readonly ChartSpec[];
  readonly tables?: readonly TableSpec[];
  readonly shares?: readonly ShareSpec[];
  /** Cluster pictures of a suite, or the points alone. */
  readonly pictures?: {readonly suite: string; readonly isRaw: boolean};
  readonly notes?: readonly string[];
}

export const MOST = 200_000;
export const MILLION = 1_000_000;
export const THREADS = [1, 2, 4, 8, 16];
export const count = (n: number): string => n.toLocaleString('en-US');
export const time = (cell: CellQuery, part: Part = 'wall'): Quantity => ({
  terms: [{cell, power: 1, part}],
  unit: 'time',
});
export const factor = (base: Subject, subject: Subject, place: Place): Quantity => ({
  terms: over(base, subject, place),
  unit: 'factor',
});

export interface Panel {
  readonly axis: string;
  readonly isLogX?: boolean;
  readonly at: (x: number) => Place;
  readonly xs: readonly number[];
  readonly base: Subject;
  readonly subject: Subject;
  /** The document's names of the two. */
  readonly titles: readonly [base: string, subject: string];
  /** The document's words at a place, or nothing. */
  readonly words?: (x: number) => string;
  readonly times?: readonly Stated[];
  readonly factors?: readonly Stated[];
  readonly only?: 'times' | 'factors';
  readonly notes?: readonly string[];
}

/** Times of two codes and their quotient, beside the quotients over our own best codes. */
export function panel({
  axis,
  isLogX,
  at,
  xs,
  base,
  subject,
  titles,
  words,
  times = [],
  factors = [],
  only,
  notes = [],
}: Panel): Figure {
  const line = (label: string, quantityAt: (x: number) => Quantity): ChartSpec['series'][number] => ({
    label,
    points: xs.map((x) => ({x, quantity: quantityAt(x)})),
  });
  const timeChart: ChartSpec = {
    title: 'Time',
    x: axis,
    isLogX,
    unit: 'time',
    series: [base, subject].map((one, k) => line(titles[k], (x) => time({...at(x), ...one}))),
    stated: times,
  };
  const factorChart: ChartSpec = {
    ...timeChart,
    title: `Speed-up over ${titles[0]}`,
    unit: 'factor',
    series: [line(titles[1], (x) => factor(base, subject, at(x)))],
    stated: factors,
  };
  const isGpu = subject.backend === 'gpu';
  const best = isGpu ? ['over our best on one thread', 'over our best on all threads'] : [];
  const table: TableSpec = {
    title: 'Times and speed-up',
    columns: [axis, ...titles, `over ${titles[0]}`, ...best, ...(words === undefined ? [] : ['document: speed-up'])],
    rows: xs.map((x) => [
      count(x),
      time({...at(x), ...base}),
      time({...at(x), ...subject}),
      factor(base, subject, at(x)),
      ...(isGpu ? [false, true].map((isThreaded) => ({overBest: {...at(x), ...subject}, isThreaded})) : []),
      ...(words === undefined ? [] : [{document: words(x)}]),
    ]),
  };
  return {
    charts: only === 'times' ? [timeChart] : only === 'factors' ? [factorChart] : [factorChart, timeChart],
    tables: [table],
    notes,
  };
}

/** A table of the document, each of its numbers beside ours, and `more` quantities of ours. */
export function beside(
  key: string,
  titles: readonly string[],
  id: string,
  xs: readonly number[],
  ours: (x: number) => readonly Quantity[],
  {note, more = []}: {readonly note?: string; readonly more?: readonly string[]} = {},
): Figure {
  const {printed} = entryOf(id);
  const rows = xs.map((x, k) => [
    count(x),
    ...printed.slice(titles.length * k, titles.length * (k + 1)).map((document) => ({document})),
    ...ours(x),
  ]);
  const [theirs, own] = ['document', 'ours'].map((whose) => titles.map((title) => `${whose}: ${title}`));
  const columns = [key, ...theirs, ...own, ...more];
  return {
    tables: [{title: 'The document’s table, ours beside it', columns, rows}],
    notes: note === undefined ? [] : [note],
  };
}
