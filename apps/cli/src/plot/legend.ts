import type {Mark} from 'vega';
import {formatCount} from '../text.ts';
import {INK, mark, MUTED} from './chart.ts';
import type {Frame} from './frame.ts';
import {CLUSTER_COLORS, NOISE_COLOR, type ClusterSpot} from './palette.ts';

const WIDTH = 162;
const ROW = 22;
const ROWS_MAX = 14;

/** The largest clusters with their sizes, the rest in one row, noise, and eps to scale, right of the plot area. */
export function drawLegend(
  spots: readonly ClusterSpot[],
  colors: Uint8Array,
  noise: number,
  frame: Frame,
  eps: number | undefined,
): Mark {
  const {width, xRange} = frame;
  const radius = eps !== undefined && frame.isEqual ? (eps * width) / (xRange[1] - xRange[0]) : 0;
  const hasEps = radius >= 1.5 && radius <= WIDTH / 2;
  const room = Math.floor((frame.height - (hasEps ? 70 : 0)) / ROW) - 3;
  const shown = Math.max(3, Math.min(ROWS_MAX, room));
  const bySize = spots.toSorted((a, b) => b.size - a.size || a.label - b.label);
  const listed = bySize.length <= shown ? bySize : bySize.slice(0, shown - 1);
  const rest = bySize.slice(listed.length);
  const marks: Mark[] = [];
  let y = 8;
  const text = (x: number, words: string, fill = INK, fontSize = 13, align = 'left'): void => {
    marks.push(mark('text', {x, y, text: words, fill, fontSize, align, baseline: 'middle'}));
  };
  const row = (name: string, size: number, fill?: string): void => {
    y += ROW;
    if (fill !== undefined) marks.push(mark('symbol', {x: 6, y, size: 144, fill}));
    text(20, name);
    text(WIDTH, formatCount(size), INK, 13, 'right');
  };
  text(0, 'cluster', MUTED, 12);
  text(WIDTH, 'points', MUTED, 12, 'right');
  for (const {label, size} of listed) row(String(label), size, CLUSTER_COLORS[colors[label]]);
  const restSize = rest.reduce((sum, {size}) => sum + size, 0);
  if (rest.length > 0) row(`${formatCount(rest.length)} more`, restSize);
  if (noise > 0) row('noise', noise, NOISE_COLOR);
  if (hasEps) {
    y += ROW + radius;
    marks.push(mark('symbol', {x: Math.max(6, radius), y, size: 4 * radius ** 2, stroke: MUTED}));
    y += radius + ROW;
    text(0, `eps ${eps}, to scale`, MUTED, 12);
  }
  return mark('group', {x: width + ROW}, {marks});
}
