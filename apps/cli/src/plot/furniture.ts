import {escapeHtml} from '../escape.ts';
import {formatCount} from '../text.ts';
import {shareOf, type Frame} from './frame.ts';
import {drawAxis} from './page.ts';
import {colorClass, num} from './svg.ts';
import {niceTicks} from './ticks.ts';

export const LEGEND_WIDTH = 184;

/** Pixels per mark, about. */
const TICK_SPACING = 105;
/** Average width of a digit at font size 12. */
const DIGIT_WIDTH = 6.9;

export interface LegendEntry {
  readonly name: string;
  readonly size: number;
  /** The number of the colour; −1 for noise. */
  readonly color: number;
}

/** Both axes of the plot area; `left` is the room that the labels take. */
export function drawAxes(
  frame: Frame,
  [xName, yName]: readonly [x: string, y: string],
  hasY: boolean,
): {svg: string; left: number} {
  const {width, height, xRange, yRange} = frame;
  const x = niceTicks(...xRange, width / TICK_SPACING).map(({value, label}) => ({
    at: shareOf(value, xRange) * width,
    label,
  }));
  const svg = drawAxis('bottom', {name: xName, marks: x, gap: 42}, frame);
  if (!hasY) return {svg, left: 32};
  const y = niceTicks(...yRange, height / TICK_SPACING).map(({value, label}) => ({
    at: (1 - shareOf(value, yRange)) * height,
    label,
  }));
  const labelWidth = Math.max(0, ...y.map(({label}) => label.length)) * DIGIT_WIDTH;
  return {
    svg: svg + drawAxis('left', {name: yName, marks: y, gap: labelWidth + 26}, frame),
    left: Math.ceil(labelWidth + 48),
  };
}

const ROW = 22;
const LEGEND_TEXT = LEGEND_WIDTH - 22;

/** The largest clusters, which come first, with their sizes, the rest in one row, noise, and eps to scale. */
export function drawLegend(
  entries: readonly LegendEntry[],
  noise: number,
  frame: Frame,
  eps: number | undefined,
): {svg: string; height: number} {
  const epsHeight = eps === undefined ? 0 : 70;
  const room = Math.max(3, Math.min(14, Math.floor((frame.height - 2 * ROW - epsHeight) / ROW) - 1));
  const shown = entries.length <= room ? entries : entries.slice(0, room - 1);
  const rest = entries.slice(shown.length);
  const parts = [`<text class="eb-muted" x="0" y="12" font-size="12">cluster</text>`];
  parts.push(`<text class="eb-muted" x="${LEGEND_TEXT}" y="12" font-size="12" text-anchor="end">points</text>`);
  let y = 12;
  for (const {name, size, color} of shown) parts.push(legendRow(name, size, color, (y += ROW)));
  if (rest.length > 0) {
    const size = rest.reduce((sum, entry) => sum + entry.size, 0);
    parts.push(legendRow(`${formatCount(rest.length)} more`, size, undefined, (y += ROW)));
  }
  if (noise > 0) parts.push(legendRow('noise', noise, -1, (y += ROW)));
  const scale = drawEps(frame, eps, y + 24);
  return {svg: parts.join('') + scale.svg, height: y + scale.height};
}

function legendRow(name: string, size: number, color: number | undefined, y: number): string {
  const dot = color === undefined ? '' : `<circle cx="6" cy="${y - 5}" r="6" class="${colorClass(color)}"/>`;
  return (
    `${dot}<text class="eb-ink" x="20" y="${y}" font-size="13">${escapeHtml(name)}</text>` +
    `<text class="eb-ink" x="${LEGEND_TEXT}" y="${y}" font-size="13" text-anchor="end">${formatCount(size)}</text>`
  );
}

/** The eps-circle to scale; left out if it is tiny or larger than the legend. */
function drawEps(frame: Frame, eps: number | undefined, top: number): {svg: string; height: number} {
  if (eps === undefined || !frame.isEqual) return {svg: '', height: 0};
  const radius = eps * frame.scaleX;
  if (radius < 1.5 || radius > LEGEND_TEXT / 2) return {svg: '', height: 0};
  const x = Math.max(6, radius);
  const y = top + radius;
  const textX = x + radius + 10;
  const beside = textX < LEGEND_TEXT - 70;
  const label = beside
    ? `<text class="eb-muted" x="${num(textX)}" y="${num(y + 4)}" font-size="12">eps ${eps}, to scale</text>`
    : `<text class="eb-muted" x="0" y="${num(y + radius + 20)}" font-size="12">eps ${eps}, to scale</text>`;
  return {
    svg: `<circle class="eb-edge" cx="${num(x)}" cy="${num(y)}" r="${num(radius)}"/>${label}`,
    height: 24 + 2 * radius + (beside ? 8 : 28),
  };
}
