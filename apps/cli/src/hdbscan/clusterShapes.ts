import type {CondensedTree} from '@epsball/hdbscan';
import {num} from '../plot/svg.ts';
import type {DistanceScale} from './distanceScale.ts';

/** The outline of a cluster, in pixels. */
export interface ClusterShape {
  readonly cluster: number;
  readonly path: string;
  /** Width at the birth. */
  readonly width: number;
  readonly top: number;
  readonly middle: number;
}

/**
 * Places clusters: the root over the whole width, children side by side below the middle of their parent. An outline
 * has a step wherever points leave, one a pixel at most.
 */
export function layOutClusters(
  tree: CondensedTree,
  {
    width,
    height,
    scale,
    weights,
  }: {
    readonly width: number;
    readonly height: number;
    readonly scale: DistanceScale;
    readonly weights?: ArrayLike<number> | undefined;
  },
): ClusterShape[] {
  const {parent, birthSquared, deathSquared, size} = tree;
  const count = parent.length;
  const perPoint = size[0] === 0 ? 0 : width / size[0];
  const steps = leavingSteps(tree, height, scale, weights);
  const middles = new Float64Array(count);
  // Where the next child of each cluster begins.
  const next = new Float64Array(count);
  const childPoints = new Float64Array(count);
  for (let c = 1; c < count; c++) childPoints[parent[c]] += size[c];
  return Array.from(parent, (above, cluster) => {
    const full = size[cluster] * perPoint;
    middles[cluster] = above < 0 ? width / 2 : next[above] + full / 2;
    if (above >= 0) next[above] += full;
    next[cluster] = middles[cluster] - (childPoints[cluster] * perPoint) / 2;
    // Whole pixels, so that no seam shows between a cluster and its children.
    const top = Math.round(scale.place(birthSquared[cluster]));
    const bottom = Math.max(top + 1, Math.round(scale.place(deathSquared[cluster])));
    const middle = middles[cluster];
    const path = outline(steps[cluster], {middle, points: size[cluster], perPoint, top, bottom});
    return {cluster, path, width: full, top, middle};
  });
}

/** The points that leave each cluster, or their weight, by pixel from the top. */
function leavingSteps(
  {parent, clusterOf, leavesSquared, deathSquared}: CondensedTree,
  height: number,
  {place}: DistanceScale,
  weights: ArrayLike<number> | undefined,
): ReadonlyMap<number, number>[] {
  const steps = Array.from(parent, () => new Map<number, number>());
  clusterOf.forEach((c, i) => {
    // Points of the last level leave at the lower end.
    if (leavesSquared[i] === deathSquared[c]) return;
    const y = Math.min(height, Math.round(place(leavesSquared[i])));
    steps[c].set(y, (steps[c].get(y) ?? 0) + (weights?.[i] ?? 1));
  });
  return steps;
}

function outline(
  steps: ReadonlyMap<number, number>,
  {
    middle,
    points,
    perPoint,
    top,
    bottom,
  }: Readonly<Record<'middle' | 'points' | 'perPoint' | 'top' | 'bottom', number>>,
): string {
  const left: string[] = [];
  const right: string[] = [];
  let remaining = points;
  const corner = (y: number): void => {
    const half = (remaining * perPoint) / 2;
    left.unshift(`${num(middle - half)} ${num(y)}`);
    right.push(`${num(middle + half)} ${num(y)}`);
  };
  corner(top);
  for (const [y, count] of [...steps].sort(([a], [b]) => a - b)) {
    const at = Math.min(bottom, Math.max(top, y));
    corner(at);
    remaining -= count;
    corner(at);
  }
  corner(bottom);
  return `M${[...right, ...left].join('L')}Z`;
}
