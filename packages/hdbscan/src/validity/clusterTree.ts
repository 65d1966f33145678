import type {ClusterState} from './clusterState.ts';

/** Starts the tree of each cluster, with its last position. */
export function startTrees({start, reach, squared, from, waiting, left}: ClusterState): void {
  reach.fill(Infinity);
  squared.fill(Infinity);
  for (let c = 0; c < left.length; c++) {
    for (let p = start[c]; p < start[c + 1]; p++) waiting[p] = p;
    left[c] = start[c + 1] - start[c] - 1;
    from.fill(start[c + 1] - 1, start[c], start[c + 1]);
  }
}

/**
 * Adds positions to the minimum spanning tree of a cluster by Prim's algorithm, until it is whole or about `pairs`
 * pairs are looked at. The order of edges is strict, so there is one such tree.
 *
 * @complexity  O(|C|² · dim) for the whole tree
 * @source      Prim 1957; Moulavi et al. 2014, definitions 2 to 4; the order of edges is that of docs/contract.md
 */
export function growTree(state: ClusterState, c: number, pairs: number): void {
  const {from, waiting, left, degree} = state;
  const first = state.start[c];
  const at = new Float64Array(state.dim);
  for (let room = pairs; left[c] > 0 && room > 0; room -= left[c] + 1) {
    const end = first + left[c];
    const k = relax(state, at, waiting[end], first, end);
    const p = waiting[k];
    waiting[k] = waiting[end - 1];
    waiting[end - 1] = p;
    if (degree[p] < 2) degree[p]++;
    if (degree[from[p]] < 2) degree[from[p]]++;
    left[c]--;
  }
}

/**
 * Offers edges from a new position of the tree to those that wait. Returns where the one waits that joins next.
 *
 * @param at  room for the coordinates of the position, which are read faster than from among all
 */
function relax(state: ClusterState, at: Float64Array, joined: number, first: number, end: number): number {
  const {dim, coords, core, reach, squared, from, waiting} = state;
  const own = core[joined];
  for (let d = 0; d < dim; d++) at[d] = coords[joined * dim + d];
  let next = first;
  let least = Infinity;
  for (let k = first; k < end; k++) {
    const p = waiting[k];
    const larger = core[p] > own ? core[p] : own;
    let weight = reach[p];
    if (larger <= weight) {
      let sum = 0;
      for (let d = 0, b = p * dim; d < dim; d++) {
        const delta = at[d] - coords[b++];
        sum += delta * delta;
      }
      const offered = sum > larger ? sum : larger;
      // Of two edges to one position, that of the smaller other end has the smaller ranks.
      const isNearer = sum < squared[p] || (sum === squared[p] && joined < from[p]);
      if (offered < weight || (offered === weight && isNearer)) {
        reach[p] = weight = offered;
        squared[p] = sum;
        from[p] = joined;
      }
    }
    if (weight < least || (weight === least && isBefore(state, p, waiting[next]))) {
      least = weight;
      next = k;
    }
  }
  return next;
}

/** Whether the edge that joins p comes before that of q. */
function isBefore({reach, squared, from}: ClusterState, p: number, q: number): boolean {
  if (reach[p] !== reach[q]) return reach[p] < reach[q];
  if (squared[p] !== squared[q]) return squared[p] < squared[q];
  const smaller = Math.min(p, from[p]) - Math.min(q, from[q]);
  return smaller < 0 || (smaller === 0 && Math.max(p, from[p]) < Math.max(q, from[q]));
}

/**
 * The largest w² of the internal edges of a cluster, of all edges if there is none. Without an internal node, marks all
 * as internal.
 *
 * @source  Moulavi et al. 2014, definition 5
 */
export function sparsenessSquared({start, reach, from, waiting, degree}: ClusterState, c: number): number {
  // The position that the tree began with has no edge of its own.
  const root = waiting[start[c + 1] - 1];
  let internal = -1;
  let all = -1;
  for (let p = start[c]; p < start[c + 1]; p++) {
    if (p === root) continue;
    if (reach[p] > all) all = reach[p];
    if (degree[p] > 1 && degree[from[p]] > 1 && reach[p] > internal) internal = reach[p];
  }
  if (start[c + 1] - start[c] === 2) degree.fill(2, start[c], start[c + 1]);
  return internal < 0 ? all : internal;
}
