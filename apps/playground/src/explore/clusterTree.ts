import type {ClusterTree} from '../compute/api.ts';

/** A cluster of the condensed tree as a box: x and width from 0 to 1, top and bottom in pixels. */
export interface TreeBox {
  readonly cluster: number;
  /** The selected cluster that holds it, or that it is; −1 if there is none. */
  readonly label: number;
  readonly isSelected: boolean;
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
}

/** Smallest height of a box, and largest span of the distances that are told apart. */
const HEIGHT_MIN = 2;
const SPAN_MAX = 1e6;

/**
 * Places the clusters of a condensed tree: the root on top, children side by side within the width of their parent,
 * distances falling downwards on a logarithmic scale. The width of a box is the points of the cluster at its birth.
 */
export function layOutTree({parent, birth, death, size, label}: ClusterTree, height: number): TreeBox[] {
  const finite = [...birth, ...death].filter((distance) => distance > 0 && distance < Infinity);
  const high = finite.reduce((most, distance) => Math.max(most, distance), 0) * 1.5 || 1;
  const low = Math.max(high / SPAN_MAX, finite.reduce((least, distance) => Math.min(least, distance), high) / 1.2);
  const place = (distance: number): number => {
    const share = Math.log(high / Math.max(low, Math.min(high, distance))) / Math.log(high / low);
    return share * height;
  };
  const next = new Float64Array(parent.length);
  const owner = new Int32Array(parent.length);
  // Parents come before children.
  return Array.from(parent, (above, cluster) => {
    const width = size[cluster] / Math.max(1, size[0]);
    const x = above < 0 ? 0 : next[above];
    if (above >= 0) next[above] += width;
    next[cluster] = x;
    owner[cluster] = label[cluster] >= 0 ? label[cluster] : above < 0 ? -1 : owner[above];
    const top = above < 0 ? 0 : place(birth[cluster]);
    const bottom = Math.max(top + HEIGHT_MIN, place(death[cluster]));
    return {cluster, label: owner[cluster], isSelected: label[cluster] >= 0, x, width, top, bottom};
  });
}

/** The end of the clusters below one: they follow it, as clusters are numbered in preorder. */
export function endOfBranch({parent}: Pick<ClusterTree, 'parent'>, cluster: number): number {
  let end = cluster + 1;
  while (end < parent.length && parent[end] >= cluster) end++;
  return end;
}
