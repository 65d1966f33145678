import type {Dendrogram} from './dendrogram.ts';

/** No cluster: the node is part of a step whose top node has placed its parts. */
const PLACED = -1;

/** The condensed tree in the order of discovery: parents before children. */
export interface Condensed {
  readonly parent: number[];
  readonly birth: number[];
  readonly death: number[];
  readonly size: number[];
  readonly stability: number[];
  /** The cluster that each point leaves last. */
  readonly clusterOf: Int32Array;
  /** The squared distance at which each point leaves it. */
  readonly leaves: Float64Array;
}

/** λ of a squared distance. */
export function lambdaOf(squared: number): number {
  return 1 / Math.sqrt(squared);
}

/**
 * Condenses a hierarchy. All edges of equal weight are one step, in which a component falls apart into all its parts.
 * A part of fewer than `minClusterSize` points leaves its cluster. Two or more parts of that size are new clusters.
 *
 * The nodes are visited from the top down, so the levels of a cluster come in the order of falling distance.
 *
 * @param dendrogram  not modified
 * @complexity        O(n)
 * @source            Campello, Moulavi and Sander 2013, section 3; McInnes and Healy 2017
 */
export function condense(dendrogram: Dendrogram, minClusterSize: number): Condensed {
  const {n, left, right, size, squared} = dendrogram;
  const condensed = rootOnly(n);
  const {death, stability, birth, clusterOf, leaves} = condensed;
  const nodes = left.length;
  // For each node: its cluster, and the square at which it has left it, or NaN if it has not.
  const cluster = new Int32Array(nodes);
  const leftAt = new Float64Array(nodes).fill(NaN);
  const parts: number[] = [];
  const place = (child: number, owner: number, at: number): void => {
    if (child < n) {
      clusterOf[child] = owner;
      leaves[child] = at;
    } else {
      cluster[child - n] = owner;
      leftAt[child - n] = at;
    }
  };
  for (let node = nodes - 1; node >= 0; node--) {
    const owner = cluster[node];
    if (owner === PLACED) continue;
    const at = leftAt[node];
    if (!Number.isNaN(at)) {
      place(left[node], owner, at);
      place(right[node], owner, at);
      continue;
    }
    const level = squared[node];
    collectParts(dendrogram, node, cluster, parts);
    let large = 0;
    let sizeOfLarge = 0;
    for (const part of parts) {
      const points = part < n ? 1 : size[part - n];
      if (points < minClusterSize) continue;
      large++;
      sizeOfLarge = points;
    }
    const leaving = large === 1 ? size[node] - sizeOfLarge : size[node];
    stability[owner] += (lambdaOf(level) - lambdaOf(birth[owner])) * leaving;
    death[owner] = level;
    for (const part of parts) {
      const points = part < n ? 1 : size[part - n];
      if (points < minClusterSize) place(part, owner, level);
      else place(part, large === 1 ? owner : addCluster(condensed, owner, level, points), NaN);
    }
  }
  return condensed;
}

function rootOnly(n: number): Condensed {
  return {
    parent: [-1],
    birth: [Infinity],
    death: [Infinity],
    size: [n],
    stability: [0],
    clusterOf: new Int32Array(n),
    leaves: new Float64Array(n).fill(Infinity),
  };
}

function addCluster(condensed: Condensed, parent: number, birth: number, size: number): number {
  condensed.parent.push(parent);
  condensed.birth.push(birth);
  condensed.death.push(birth);
  condensed.size.push(size);
  return condensed.stability.push(0) - 1;
}

/** Collects the parts into which a component falls at its highest level. Marks the other nodes of the step. */
function collectParts({n, left, right, squared}: Dendrogram, top: number, cluster: Int32Array, parts: number[]): void {
  const level = squared[top];
  parts.length = 0;
  parts.push(left[top], right[top]);
  for (let k = 0; k < parts.length;) {
    const node = parts[k] - n;
    if (node < 0 || squared[node] !== level) {
      k++;
      continue;
    }
    cluster[node] = PLACED;
    parts[k] = left[node];
    parts.push(right[node]);
  }
}
