import type {CondensedTree} from '@epsball/hdbscan';
import {drawChart, INK, logAxis, logRange, mark} from '../plot/chart.ts';
import {CLUSTER_COLORS, NOISE_COLOR} from '../plot/palette.ts';
import {formatCount} from '../text.ts';
import {layOutClusters} from './clusterShapes.ts';

export interface Distances {
  /** Name of the axis, with its unit. */
  readonly name: string;
  /** The distance of the metric for a squared distance of the tree. Rises. */
  readonly of: (squared: number) => number;
}

export interface IcicleOptions {
  readonly title: string;
  readonly subtitle: string;
  /** Default: Euclidean. */
  readonly distances?: Distances | undefined;
}

const WIDTH = 900;
const HEIGHT = 560;
/** Narrower clusters are not drawn. */
const LEAST_WIDTH = 0.35;
/** Selected clusters of at least this width carry their number. */
const NAMED_WIDTH = 16;

/**
 * The condensed tree: distance falls from top to bottom, on a logarithmic scale; the width of a cluster is the number
 * of its points, which falls as points leave. Selected clusters are coloured, and what is below them is paler. Labels
 * number the selected clusters.
 */
export function renderIcicle(tree: CondensedTree, labels: Int32Array, options: IcicleOptions): Promise<string> {
  const {title, distances: {name, of} = {name: 'distance', of: Math.sqrt}} = options;
  const [low, high] = logRange([...tree.leavesSquared, ...tree.deathSquared].filter(Number.isFinite).map(of));
  // Whole pixels, so that no seam shows between a cluster and its children.
  const place = (squared: number): number => {
    const share = squared === Infinity ? 0 : (high - Math.log10(of(squared))) / (high - low);
    return Math.round(Math.min(1, Math.max(0, share)) * HEIGHT);
  };
  const shapes = layOutClusters(tree, WIDTH, place);
  const wide = shapes.filter(({width}) => width >= LEAST_WIDTH);
  const hidden = shapes.length - wide.length;
  const note = hidden === 0 ? '' : ` · ${formatCount(hidden)} narrow clusters are not drawn`;
  const owners = ownersOf(tree);
  // The labels of selected clusters.
  const numbers = new Map<number, number>();
  tree.clusterOf.forEach((cluster, i) => {
    if (labels[i] >= 0) numbers.set(owners[cluster], labels[i]);
  });
  const layers = new Map<string, {opacity: number; fill: string; path: string}>();
  for (const {cluster, path} of wide) {
    const owner = owners[cluster];
    const fill = owner < 0 ? NOISE_COLOR : CLUSTER_COLORS[(numbers.get(owner) ?? 0) % CLUSTER_COLORS.length];
    const opacity = owner < 0 ? 0.45 : owner === cluster ? 0.95 : 0.5;
    // One path a colour: where shapes overlap none is darker.
    const key = `${fill} ${opacity}`;
    layers.set(key, {fill, opacity, path: (layers.get(key)?.path ?? '') + path});
  }
  const drawn = [...layers.values()].toSorted((a, b) => a.opacity - b.opacity);
  const marks = drawn.map((layer) => mark('path', layer));
  for (const {cluster, width, middle: x, top} of wide) {
    const text = numbers.get(cluster);
    if (text === undefined || width < NAMED_WIDTH) continue;
    marks.push(mark('text', {x, y: top - 5, text: String(text), fill: INK, fontSize: 12, align: 'center'}));
  }
  return drawChart('icicle', {
    title: {text: title, subtitle: `${options.subtitle}${note}`},
    width: WIDTH,
    height: HEIGHT,
    scales: [{name: 'distance', type: 'log', domain: [10 ** low, 10 ** high], range: 'height'}],
    axes: [{orient: 'left', scale: 'distance', title: name, ...logAxis([low, high])}],
    marks,
  });
}

/** The selected cluster that holds each cluster, or −1. Parents come before children. */
function ownersOf({parent, isSelected}: CondensedTree): Int32Array {
  const owners = new Int32Array(parent.length);
  parent.forEach((above, c) => (owners[c] = isSelected[c] === 1 ? c : above < 0 ? -1 : owners[above]));
  return owners;
}
