import type {CheckedSelection} from '../checkParams.ts';
import type {CondensedClusters} from './condense.ts';

/** No child or sibling. */
const NONE = -1;

/**
 * Selects clusters of the condensed tree.
 *
 * @returns     a flag for each cluster, 1 = selected; no selected cluster is inside another
 * @complexity  O(clusters · log clusters)
 * @source      Campello, Moulavi and Sander 2013, section 5; Malzer and Baum 2020 (selection epsilon)
 */
export function selectClusters(condensed: CondensedClusters, params: CheckedSelection): Uint8Array {
  const {parent, size} = condensed;
  // Fewer points than a cluster needs.
  if (size[0] < params.minClusterSize) return new Uint8Array(parent.length);
  const selected = params.selection === 'leaf' ? leaves(parent) : excessOfMass(condensed, params);
  if (!params.allowSingleCluster) selected[0] = 0;
  return params.selectionSquared > 0 ? mergeBelow(condensed, params, selected) : selected;
}

function leaves(parent: Int32Array): Uint8Array {
  const isLeaf = new Uint8Array(parent.length).fill(1);
  for (const one of parent) if (one >= 0) isLeaf[one] = 0;
  return isLeaf;
}

/** Children win only if the sum of their stabilities is strictly larger. */
function excessOfMass(
  {parent, size, stability}: CondensedClusters,
  {maxClusterSize, allowSingleCluster}: CheckedSelection,
): Uint8Array {
  const count = parent.length;
  const wins = new Uint8Array(count);
  const worth = Float64Array.from(stability);
  const next = new Int32Array(count).fill(NONE);
  const firstChild = new Int32Array(count).fill(NONE);
  const values: number[] = [];
  // Children come after their parents.
  for (let c = count - 1; c >= 0; c--) {
    values.length = 0;
    for (let child = firstChild[c]; child !== NONE; child = next[child]) values.push(worth[child]);
    let below = 0;
    // An order that does not depend on the order of the points. Of two values the sum is the same in both.
    if (values.length > 2) values.sort((a, b) => a - b);
    for (const value of values) below += value;
    const isAllowed = size[c] <= maxClusterSize && (c > 0 || allowSingleCluster);
    wins[c] = isAllowed && below <= stability[c] ? 1 : 0;
    if (wins[c] === 0) worth[c] = below;
    if (c === 0) continue;
    next[c] = firstChild[parent[c]];
    firstChild[parent[c]] = c;
  }
  return keepTopmost(parent, wins);
}

/** Of marked clusters, keeps those without a marked ancestor. */
function keepTopmost(parent: Int32Array, marked: Uint8Array): Uint8Array {
  const isInside = new Uint8Array(marked.length);
  const kept = Uint8Array.from(marked);
  for (let c = 1; c < marked.length; c++) {
    isInside[c] = isInside[parent[c]] | marked[parent[c]];
    if (isInside[c] === 1) kept[c] = 0;
  }
  return kept;
}

/** Replaces clusters that are born below the selection epsilon by their first ancestor that is not. */
function mergeBelow(
  {parent, birthSquared}: CondensedClusters,
  {selectionSquared, allowSingleCluster}: CheckedSelection,
  selected: Uint8Array,
): Uint8Array {
  const topOf = Int32Array.from(parent.keys());
  for (let c = 1; c < parent.length; c++) {
    if (birthSquared[c] < selectionSquared && (parent[c] > 0 || allowSingleCluster)) topOf[c] = topOf[parent[c]];
  }
  const merged = new Uint8Array(selected.length);
  selected.forEach((flag, c) => {
    if (flag === 1) merged[topOf[c]] = 1;
  });
  return merged;
}
