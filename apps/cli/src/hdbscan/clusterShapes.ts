import type {CondensedTree} from '@epsball/hdbscan';
import {round} from '../plot/chart.ts';

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
 *
 * @param place  pixel row of a squared distance
 */
export function layOutClusters(tree: CondensedTree, width: number, place: (squared: number) => number): ClusterShape[] {
  const {parent, birthSquared, deathSquared, size} = tree;
  const perPoint = size[0] === 0 ? 0 : width / size[0];
  const steps = leavingSteps(tree, place);
  const middles = new Float64Array(parent.length);
  // Where the next child of each cluster begins.
  const next = new Float64Array(parent.length);
  const childPoints = new Float64Array(parent.length);
  for (let c = 1; c < parent.length; c++) childPoints[parent[c]] += size[c];
  return Array.from(parent, (above, cluster) => {
    const full = size[cluster] * perPoint;
    middles[cluster] = above < 0 ? width / 2 : next[above] + full / 2;
    if (above >= 0) next[above] += full;
    next[cluster] = middles[cluster] - (childPoints[cluster] * perPoint) / 2;
    const top = place(birthSquared[cluster]);
    const bottom = Math.max(top + 1, place(deathSquared[cluster]));
    const path = outline(steps[cluster], {middle: middles[cluster], width: full, perPoint, top, bottom});
    return {cluster, path, width: full, top, middle: middles[cluster]};
  });
}

/** The points that leave each cluster, by pixel from the top. */
function leavingSteps(
  {parent, clusterOf, leavesSquared, deathSquared}: CondensedTree,
  place: (squared: number) => number,
): ReadonlyMap<number, number>[] {
  const steps = Array.from(parent, () => new Map<number, number>());
  clusterOf.forEach((c, i) => {
    // Points of the last level leave at the lower end.
    if (leavesSquared[i] === deathSquared[c]) return;
    const y = place(leavesSquared[i]);
    steps[c].set(y, (steps[c].get(y) ?? 0) + 1);
  });
  return steps;
}

function outline(
  steps: ReadonlyMap<number, number>,
  {middle, width, perPoint, top, bottom}: Readonly<Record<'middle' | 'width' | 'perPoint' | 'top' | 'bottom', number>>,
): string {
  let remaining = width;
  const corners = [{y: top, half: width / 2}];
  for (const [y, count] of [...steps].sort(([a], [b]) => a - b)) {
    corners.push({y, half: remaining / 2}, {y, half: (remaining -= count * perPoint) / 2});
  }
  corners.push({y: bottom, half: remaining / 2});
  const edge = (side: number): string[] => corners.map(({y, half}) => `${round(middle + side * half)} ${y}`);
  return `M${[...edge(1), ...edge(-1).toReversed()].join('L')}Z`;
}
