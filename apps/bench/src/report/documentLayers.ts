import {breakWords} from './breakWords.ts';
import type {Layers, Position} from './chartLayers.ts';

/** A number of the source document, drawn hollow, with its machine in words. */
export interface DocumentMark {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color: string;
}

/** A range of values that the document states for a range of the axis. */
export interface DocumentBand {
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
  readonly text: string;
}

/** Characters of a line beside a document's mark. */
const WORDS_LONG = 28;
/** Pixels between a mark and its words, and of a character. */
const GAP = 12;
const CHARACTER = 6.2;
/** Pixels from the middle of a mark to its corner, and between the middles of words and of a mark that they clear. */
const MARK_SIZE = 9;
const CLEAR_HEIGHT = 18;

/** Where something is in a chart, in pixels from the left end and the top of its axes. */
export interface ChartPlace {
  readonly x: number;
  readonly y: number;
}

/** The ranges of a document as coloured areas with their words. */
export function bandLayers(bands: readonly DocumentBand[], x: Position): Layers {
  if (bands.length === 0) return [];
  const values = bands.map((band) => ({...band, x: band.from, lines: breakWords(band.text, WORDS_LONG)}));
  const [y, y2] = [{field: 'high', type: 'quantitative'}, {field: 'low'}] as const;
  return [
    {
      data: {values},
      mark: {type: 'rect', color: 'var(--document)', opacity: 0.3, stroke: 'var(--document)', strokeWidth: 1},
      encoding: {x, x2: {field: 'to'}, y, y2},
    },
    {
      data: {values},
      mark: {
        type: 'text',
        align: 'left',
        baseline: 'bottom',
        dy: -5,
        dx: 2,
        fontSize: 11,
        lineHeight: 13,
        color: 'var(--document)',
      },
      encoding: {x, y, text: {field: 'lines', type: 'nominal'}},
    },
  ];
}

/**
 * The numbers of a document as hollow marks with their words.
 *
 * @param placeOf  where a mark is; the numbers of the axis stand left of 0
 */
export function documentLayers(
  marks: readonly DocumentMark[],
  placeOf: (mark: DocumentMark) => ChartPlace,
  x: Position,
  y: Position,
): Layers {
  if (marks.length === 0) return [];
  const data = {values: marks.map((mark) => ({...mark}))};
  const isNarrow = (mark: DocumentMark): boolean => placeOf(mark).x < widthOf(mark);
  const isCrowded = (mark: DocumentMark): boolean =>
    marks.some((other) => other !== mark && wordsMeet(mark, other, placeOf));
  const stroke = {field: 'color', type: 'nominal', scale: null, legend: null} as const;
  return [
    {
      data,
      mark: {type: 'point', shape: 'diamond', filled: false, size: 130, strokeWidth: 2, opacity: 1},
      encoding: {x, y, stroke},
    },
    ...wordLayers(
      marks.filter((mark) => !isNarrow(mark) && !isCrowded(mark)),
      {x, y, dy: 1, align: 'right'},
    ),
    ...wordLayers(
      marks.filter((mark) => !isNarrow(mark) && isCrowded(mark)),
      {x, y, dy: -15, align: 'right'},
    ),
    ...wordLayers(marks.filter(isNarrow), {x, y, dy: 1, align: 'left'}),
  ];
}

/** Position of words: beside (x, y), `dy` below it, and the end of the words that is at this place. */
interface WordPlace {
  readonly x: Position;
  readonly y: Position;
  readonly dy: number;
  readonly align: 'left' | 'right';
}

/** Pixels of a mark's words and of their distance from it. */
function widthOf({text}: DocumentMark): number {
  return GAP + CHARACTER * Math.max(...breakWords(text, WORDS_LONG).map(({length}) => length));
}

function wordLayers(marks: readonly DocumentMark[], {x, y, dy, align}: WordPlace): Layers {
  const worded = marks.filter(({text}) => text !== '');
  if (worded.length === 0) return [];
  const data = {values: worded.map((mark) => ({...mark, lines: breakWords(mark.text, WORDS_LONG)}))};
  const text = {field: 'lines', type: 'nominal'} as const;
  const words = {type: 'text', align, dx: align === 'left' ? GAP : -GAP, dy, fontSize: 11, lineHeight: 13} as const;
  return [
    // A halo in the colour of the page keeps the words readable where a line runs through them.
    {data, mark: {...words, stroke: 'var(--surface)', strokeWidth: 5, strokeJoin: 'round'}, encoding: {x, y, text}},
    {data, mark: {...words, color: 'var(--ink-2)'}, encoding: {x, y, text}},
  ];
}

/** Whether the words left of a mark would overlap another mark. They then go above it. */
function wordsMeet(mark: DocumentMark, other: DocumentMark, placeOf: (mark: DocumentMark) => ChartPlace): boolean {
  const [one, two] = [placeOf(mark), placeOf(other)];
  return two.x < one.x && two.x + MARK_SIZE > one.x - widthOf(mark) && Math.abs(two.y - one.y) < CLEAR_HEIGHT;
}
