import type {CondensedTree, Reachability} from '@epsball/hdbscan';
import {drawAxis, drawPage} from '../plot/page.ts';
import {colorClass, num} from '../plot/svg.ts';
import {distanceScale, EUCLIDEAN} from './distanceScale.ts';
import type {IcicleOptions} from './icicle.ts';

const PLOT = {width: 900, height: 380};
const MARGIN = {top: 82, right: 28, bottom: 56, left: 84};
/** Clusters of at least this width carry their number. */
const NAMED_WIDTH = 16;

/** The entries of a pixel, or one entry that is wider. */
interface Bar {
  readonly label: number;
  /** First entry, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** The largest squared distance. */
  readonly height: number;
}

/**
 * The reachability plot as one self-contained SVG: points in an order in which clusters are side by side, and the
 * distance at which each joins the one before it, on a logarithmic scale. Valleys are clusters; selected ones have
 * their colours and numbers, noise is grey.
 *
 * @param tree  for the scale, which is that of the condensed tree
 */
export function renderReachability(
  {order, heights}: Reachability,
  tree: CondensedTree,
  labels: Int32Array,
  options: IcicleOptions,
): string {
  const {distances = EUCLIDEAN} = options;
  const scale = distanceScale(tree, PLOT.height, distances);
  const n = order.length;
  const x = (entry: number): number => (entry / Math.max(1, n)) * PLOT.width;
  const bars = barsOf({order, heights}, labels, n / PLOT.width);
  const layers = Map.groupBy(bars, ({label}) => colorClass(label));
  const drawn = [...layers].map(([color, alike]) => {
    const path = alike.map(({from, to, height}) => {
      return `M${num(x(from))} ${PLOT.height}V${num(scale.place(height))}H${num(x(to))}V${PLOT.height}Z`;
    });
    return `<path d="${path.join('')}" class="${color}"/>`;
  });
  const width = MARGIN.left + PLOT.width + MARGIN.right;
  const height = MARGIN.top + PLOT.height + MARGIN.bottom;
  const axes =
    drawAxis('left', {name: distances.name, marks: scale.ticks, gap: 62}, PLOT) +
    drawAxis('bottom', {name: 'points, clusters side by side', marks: [], gap: 40}, PLOT);
  return drawPage(
    {...options, width, height, left: MARGIN.left, kind: 'reachability'},
    `<g transform="translate(${MARGIN.left} ${MARGIN.top})">${axes}${drawn.join('')}${drawNumbers(bars, x)}</g>`,
  );
}

/** One bar a pixel, or an entry where entries are wider. The label is that of most entries. */
function barsOf({order, heights}: Reachability, labels: Int32Array, perPixel: number): Bar[] {
  const wide = Math.max(1, perPixel);
  const bars: Bar[] = [];
  for (let begin = 0; begin < order.length; begin += wide) {
    const [from, to] = [Math.round(begin), Math.min(order.length, Math.round(begin + wide))];
    const counts = new Map<number, number>();
    let height = 0;
    for (let k = from; k < to; k++) {
      counts.set(labels[order[k]], (counts.get(labels[order[k]]) ?? 0) + 1);
      height = Math.max(height, heights[k]);
    }
    const most = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [-1, 0]);
    bars.push({label: most[0], from, to, height});
  }
  return bars;
}

/** The number of each cluster below the middle of its widest run. */
function drawNumbers(bars: readonly Bar[], x: (entry: number) => number): string {
  const widest = new Map<number, {readonly middle: number; readonly width: number}>();
  for (let k = 0, end = 0; k < bars.length; k = end) {
    const {label, from} = bars[k];
    end = k + 1;
    while (end < bars.length && bars[end].label === label) end++;
    const to = bars[end - 1].to;
    const width = x(to) - x(from);
    if (label >= 0 && width > (widest.get(label)?.width ?? 0)) widest.set(label, {middle: x((from + to) / 2), width});
  }
  return [...widest]
    .filter(([, {width}]) => width >= NAMED_WIDTH)
    .map(([label, {middle}]) => {
      return `<text class="eb-ink" x="${num(middle)}" y="${PLOT.height + 16}" font-size="12" text-anchor="middle">${label}</text>`;
    })
    .join('');
}
