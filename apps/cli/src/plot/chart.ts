import type {Axis, Config, Mark, Spec} from 'vega';
import {escapeHtml} from '../escape.ts';

const PAGE = '#ffffff';
export const INK = '#1b1f24';
export const MUTED = '#626a73';
const GRID = '#e9ecef';
/** In place of each colour on a dark page. */
const DARK = {[PAGE]: '#14171b', [INK]: '#eceff2', [MUTED]: '#9aa3ad', [GRID]: '#272c33'};
const FONT = "'Inter','Segoe UI','Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif";

const CONFIG: Config = {
  axis: {domain: false, ticks: false, translate: 0, gridColor: GRID, labelLimit: 0, labelPadding: 10},
  axisX: {titlePadding: 12},
  axisY: {titlePadding: 4},
  style: {
    'guide-label': {font: FONT, fontSize: 12, fill: MUTED},
    'guide-title': {font: FONT, fontSize: 13, fontWeight: 'normal', fill: MUTED},
    'group-title': {font: FONT, fontSize: 21, fontWeight: 600, fill: INK},
    'group-subtitle': {font: FONT, fontSize: 14, fill: MUTED},
  },
  text: {font: FONT},
  title: {anchor: 'start', frame: 'group', offset: 22, subtitlePadding: 9},
};

/** Distance of two marks of a linear axis, about, in pixels. */
const TICK_SPACING = 105;
/** Marks of a logarithmic axis, about. */
const LOG_TICKS = 9;
/** A logarithmic axis spans at least this factor, so that it has marks. */
const LEAST_SPAN = 4;

export type Range = readonly [low: number, high: number];

/**
 * A plot as one self-contained SVG that follows the reader's light or dark setting.
 *
 * @param kind  names the class of the plot, which keeps inline SVG from changing the page around it
 */
export async function drawChart(
  kind: string,
  spec: Spec & {readonly title: {readonly text: string; readonly subtitle: string}},
): Promise<string> {
  // Large: only a plot loads it.
  const {parse, View} = await import('vega');
  const page: Spec = {...spec, background: PAGE, padding: 16, autosize: 'pad'};
  const svg = await new View(parse(page, CONFIG), {renderer: 'none'}).toSVG();
  const name = escapeHtml(`${spec.title.text}: ${spec.title.subtitle}`);
  const rules = Object.entries(DARK).flatMap(([light, dark]) =>
    ['fill', 'stroke'].map((part) => `.eb-${kind} [${part}="${light}"]{${part}:${dark}}`),
  );
  const style = `<style>@media (prefers-color-scheme: dark){${rules.join('')}}</style>`;
  const root = (_: string, rest: string): string => `class="eb-${kind}" role="img" aria-label="${name}"${rest}${style}`;
  return svg.replace(/class="marks"([^>]*>)/, root);
}

/** Marks and grid lines at round numbers. */
export function linearAxis(length: number, [min, max]: Range): Partial<Axis> {
  const isPlain = Math.max(Math.abs(min), Math.abs(max)) < 1e16 && max - min > 1e-6;
  const format = isPlain ? {} : {format: ',~g'};
  return {grid: true, tickCount: Math.ceil(length / TICK_SPACING), labelOverlap: true, ...format};
}

/** Marks and grid lines at powers of ten, or at 1, 2 and 5 times these, between two logarithms. */
export function logAxis([low, high]: Range): Partial<Axis> {
  const factors = (high - low) * 3 <= LOG_TICKS ? [1, 2, 5] : [1];
  const step = Math.max(1, Math.ceil((high - low) / LOG_TICKS));
  const first = Math.floor(low / step) * step;
  const values = Array.from({length: Math.floor((high - first) / step) + 1}, (_, k) => 10 ** (first + k * step))
    .flatMap((power) => factors.map((factor) => factor * power))
    .filter((value) => Math.log10(value) >= low && Math.log10(value) <= high);
  return {grid: true, values, format: ',~g'};
}

/** The logarithms of the least and the largest finite value above 0, with a margin. */
export function logRange(values: Iterable<number>): Range {
  let [least, most] = [Infinity, 0];
  for (const value of values) {
    if (!(value > 0 && value < Infinity)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const [low, high] = most === 0 ? [0, 0] : [Math.log10(least), Math.log10(most)];
  const margin = (high - low) * 0.04 + Math.max(0, Math.log10(LEAST_SPAN) - (high - low)) / 2;
  return [low - margin, high + margin];
}

/** A mark. A channel is a constant, or an entry of the grammar such as `{field: 'y'}`. */
export function mark(
  type: Mark['type'],
  channels: Readonly<Record<string, string | number | object>>,
  more: object = {},
): Mark {
  const entries = Object.entries(channels);
  const enter = entries.map(([name, channel]) => [name, typeof channel === 'object' ? channel : {value: channel}]);
  return {type, ...more, encode: {enter: Object.fromEntries(enter)}};
}

/** A coordinate, rounded to a hundredth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
