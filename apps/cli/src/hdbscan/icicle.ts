import type {CondensedTree} from '@epsball/hdbscan';
import {drawAxis, drawPage} from '../plot/page.ts';
import {colorClass, num, type Theme} from '../plot/svg.ts';
import {formatCount} from '../text.ts';
import {distanceScale, EUCLIDEAN, type DistanceScale, type Distances} from './distanceScale.ts';
import {layOutClusters, type ClusterShape} from './clusterShapes.ts';

export interface IcicleOptions {
  readonly title: string;
  readonly subtitle: string;
  /** `auto` follows the reader's light or dark setting; a PNG needs `light` or `dark`. */
  readonly theme: Theme;
  /** Default: Euclidean. */
  readonly distances?: Distances | undefined;
  /** Points whose way down the tree is marked. Default: none. */
  readonly rows?: readonly number[] | undefined;
  /** Of the points, as in the run. Default: 1 each. */
  readonly weights?: ArrayLike<number> | undefined;
}

const PLOT = {width: 900, height: 560};
const MARGIN = {top: 82, right: 28, bottom: 40, left: 84};
/** Narrower clusters are not drawn. */
const LEAST_WIDTH = 0.35;
/** Selected clusters of at least this width carry their number. */
const NAMED_WIDTH = 16;

/**
 * The condensed tree as one self-contained SVG: distance falls from top to bottom, on a logarithmic scale; the width of
 * a cluster is the number of its points or their weight, which falls as points leave. Selected clusters are coloured,
 * and what is below them is paler. Labels number the selected clusters.
 */
export function renderIcicle(tree: CondensedTree, labels: Int32Array, options: IcicleOptions): string {
  const {distances = EUCLIDEAN} = options;
  const scale = distanceScale(tree, PLOT.height, distances);
  const shapes = layOutClusters(tree, {...PLOT, scale, weights: options.weights});
  const wide = shapes.filter(({width}) => width >= LEAST_WIDTH);
  const numbers = selectedNumbers(tree, labels);
  const owners = ownersOf(tree);
  const drawn = drawShapes(wide, owners, numbers);
  const names = wide.map((shape) => drawName(shape, numbers)).join('');
  const ways = (options.rows ?? []).map((row) => drawWay(row, tree, shapes, scale)).join('');
  const hidden = shapes.length - wide.length;
  const note = hidden === 0 ? '' : ` · ${formatCount(hidden)} narrow clusters are not drawn`;
  const subtitle = `${options.subtitle}${note}`;
  const width = MARGIN.left + PLOT.width + MARGIN.right;
  const height = MARGIN.top + PLOT.height + MARGIN.bottom;
  const axis = drawAxis('left', {name: distances.name, marks: scale.ticks, gap: 62}, PLOT);
  return drawPage(
    {...options, subtitle, width, height, left: MARGIN.left, kind: 'icicle'},
    `<g transform="translate(${MARGIN.left} ${MARGIN.top})">${axis}${drawn}${names}${ways}</g>`,
  );
}

/** The label of each selected cluster; −1 for the others. */
function selectedNumbers({parent, isSelected, clusterOf}: CondensedTree, labels: Int32Array): Int32Array {
  const numbers = new Int32Array(parent.length).fill(-1);
  clusterOf.forEach((cluster, i) => {
    if (labels[i] < 0) return;
    let at = cluster;
    while (isSelected[at] === 0) at = parent[at];
    numbers[at] = labels[i];
  });
  return numbers;
}

/** The selected cluster that holds each cluster, or −1. Parents come before children. */
function ownersOf({parent, isSelected}: CondensedTree): Int32Array {
  const owners = new Int32Array(parent.length);
  parent.forEach((above, c) => (owners[c] = isSelected[c] === 1 ? c : above < 0 ? -1 : owners[above]));
  return owners;
}

/** Selected clusters, what is below them, and the others. One layer a kind: where shapes overlap none is darker. */
function drawShapes(shapes: readonly ClusterShape[], owners: Int32Array, numbers: Int32Array): string {
  const layers = {others: '', below: '', selected: ''};
  for (const {cluster, path} of shapes) {
    const owner = owners[cluster];
    if (owner < 0) layers.others += `<path d="${path}"/>`;
    else {
      layers[owner === cluster ? 'selected' : 'below'] += `<path d="${path}" class="${colorClass(numbers[owner])}"/>`;
    }
  }
  return (
    `<g class="${colorClass(-1)}" opacity=".7">${layers.others}</g>` +
    `<g opacity=".5">${layers.below}</g><g opacity=".95">${layers.selected}</g>`
  );
}

function drawName({cluster, middle, top, width}: ClusterShape, numbers: Int32Array): string {
  if (numbers[cluster] < 0 || width < NAMED_WIDTH) return '';
  return `<text class="eb-ink" x="${num(middle)}" y="${num(top - 5)}" font-size="12" text-anchor="middle">${numbers[cluster]}</text>`;
}

/** The clusters that hold a point, from the root down, to the distance at which it leaves the last one. */
function drawWay(
  row: number,
  {parent, clusterOf, leavesSquared}: CondensedTree,
  shapes: readonly ClusterShape[],
  {place}: DistanceScale,
): string {
  const last = shapes[clusterOf[row]];
  const way: string[] = [];
  for (let c = clusterOf[row]; c >= 0; c = parent[c]) way.unshift(`V${num(shapes[c].top)}H${num(shapes[c].middle)}`);
  const [x, y] = [last.middle, Math.max(last.top, place(leavesSquared[row]))];
  return (
    `<path class="eb-way" d="M${num(shapes[0].middle)} ${num(shapes[0].top)}${way.join('')}V${num(y)}"/>` +
    `<circle class="eb-ink" cx="${num(x)}" cy="${num(y)}" r="4"/>` +
    `<text class="eb-ink" x="${num(x + 8)}" y="${num(y + 4)}" font-size="12">row ${row}</text>`
  );
}
