// Threads share `best`, the lightest weight that is known of each component, and write it without waiting for each
// other: a weight may rise again when another thread writes what it compared before. Each value is the weight of an
// edge that exists, and the lightest edge is found under any limit that is not below it. So what a search excludes must
// be bounded by the lowest values that this search has read itself, never by what another read before. Float64 words
// are written as a whole by 64-bit processors.
import {boxesNearSquared, boxNearSquared, KD_LEAF_POINTS, KdNearest, squaredOfFour} from '@epsball/kd-tree';
import {weightLimit, NONE, type BoruvkaState, type Round} from './boruvkaState.ts';

/** From this many dimensions on, distances are computed for four points at a time. */
const WIDE = 16;

/** Waiting nodes of a descent: at most one a level, and a tree has fewer than 32 levels. */
const STACK = 64;

/**
 * Writes the squared core distances of the points in a range of leaves: the squared distance to the k-th nearest point,
 * the point itself counted. Also finds light edges between these points: a point and one of its k nearest have an edge
 * of the larger core distance, which is the lightest possible edge of the one with this core distance.
 *
 * @complexity  O(points · (k · log k + log n)) for few dimensions
 */
export function findCores(state: BoruvkaState, k: number, firstLeaf: number, endLeaf: number): void {
  const {tree, core, leaves, foundSquared, foundTo} = state;
  const {coords, dim} = tree;
  const nearest = new KdNearest(tree, k);
  const {unordered} = nearest;
  const first = tree.start[leaves[firstLeaf]];
  const end = tree.end[leaves[endLeaf - 1]];
  for (let p = first; p < end; p++) {
    const own = (core[p] = nearest.query(coords, p * dim));
    const {held} = nearest;
    let lightest = Infinity;
    for (let slot = 0; slot < held; slot++) {
      const q = unordered[slot];
      // Core distances are known of this range so far.
      if (q < first || q >= p) continue;
      const squared = own > core[q] ? own : core[q];
      if (squared < lightest) {
        lightest = squared;
        foundTo[p] = q;
      }
      if (squared < foundSquared[q]) {
        foundSquared[q] = squared;
        foundTo[q] = p;
      }
    }
    foundSquared[p] = lightest;
  }
}

/**
 * Finds light edges inside leaves: first weights of the components of this round, so that the search among leaves ends
 * sooner.
 *
 * @param best  the lightest weight of each component so far; lowered
 */
export function searchInside({state, best}: Pick<Round, 'state' | 'best'>, firstLeaf: number, endLeaf: number): void {
  const {tree, leaves, component, nodeComponent, foundSquared, foundTo} = state;
  const {start, end} = tree;
  const lowest = new Float64Array(KD_LEAF_POINTS);
  for (let k = firstLeaf; k < endLeaf; k++) {
    const leaf = leaves[k];
    const last = end[leaf];
    for (let p = start[leaf]; p < last; p++) {
      const to = foundTo[p];
      if (to !== NONE && component[to] !== component[p]) {
        // An edge of an earlier round that still leads to another component.
        if (foundSquared[p] < best[component[p]]) best[component[p]] = foundSquared[p];
      } else {
        foundSquared[p] = Infinity;
        foundTo[p] = NONE;
      }
    }
    if (nodeComponent[leaf] === NONE) searchPairs(state, best, lowest.fill(Infinity), leaf, leaf);
  }
}

/**
 * Finds the lightest edge from the components of the points in a range of leaves to other components: for each leaf,
 * the other leaves by rising ancestor, skipping nodes of the same component and nodes that are too far.
 *
 * Afterwards every component that is lighter than `best` says is known by a position with `foundSquared`, and `bound`
 * is raised to what the search has excluded.
 *
 * @param best  as above; its entries are weights of edges that exist, or infinite
 * @source      McInnes and Healy 2017, section 4 (dual-tree Borůvka), with one side at its leaves; March, Ram and Gray
 *              2010
 */
export function searchLeaves({state, best}: Pick<Round, 'state' | 'best'>, firstLeaf: number, endLeaf: number): void {
  const search = new LeafSearch(state, best);
  for (let k = firstLeaf; k < endLeaf; k++) search.run(state.leaves[k]);
}

class LeafSearch {
  readonly #state: BoruvkaState;
  readonly #best: Float64Array;
  readonly #stack = new Int32Array(STACK);
  readonly #near = new Float64Array(STACK);
  #leaf = 0;
  /** The largest weight that an open point of the leaf could still use. */
  #limit = 0;
  /** The box of the open points, and their component if they have one. */
  readonly #box: Float64Array;
  #component = NONE;
  /** By point of the leaf: the lightest weight of its component that was read. */
  readonly #lowest = new Float64Array(KD_LEAF_POINTS);

  constructor(state: BoruvkaState, best: Float64Array) {
    this.#state = state;
    this.#best = best;
    this.#box = new Float64Array(2 * state.tree.dim);
  }

  run(leaf: number): void {
    const {tree, parent, bound, nodeComponent} = this.#state;
    const {start, end, right} = tree;
    const lowest = this.#lowest.fill(Infinity);
    this.#leaf = leaf;
    this.#update();
    if (this.#limit === 0) return;
    // Again: what `searchInside` left out may be below the weights that this search reads.
    const isMixed = nodeComponent[leaf] === NONE;
    if (isMixed && searchPairs(this.#state, this.#best, lowest, leaf, leaf)) this.#update();
    for (let node = leaf; parent[node] !== NONE && this.#limit > 0; node = parent[node]) {
      const above = parent[node];
      this.#descend(node === above + 1 ? right[above] : above + 1);
    }
    for (let p = start[leaf]; p < end[leaf]; p++) {
      const limit = lowest[p - start[leaf]];
      if (bound[p] < limit) bound[p] = limit;
    }
  }

  /** Finds the open points: those that could have a lighter edge than is known. */
  #update(): void {
    const {tree, component, bound} = this.#state;
    const {coords, dim, start, end} = tree;
    const best = this.#best;
    const lowest = this.#lowest;
    const box = this.#box.fill(Infinity, 0, dim).fill(-Infinity, dim);
    let limit = 0;
    for (let p = start[this.#leaf], slot = 0; p < end[this.#leaf]; p++, slot++) {
      const mine = component[p];
      if (best[mine] < lowest[slot]) lowest[slot] = best[mine];
      const own = weightLimit(this.#state, lowest[slot]);
      if (bound[p] >= own) continue;
      this.#component = limit === 0 || this.#component === mine ? mine : NONE;
      if (own > limit) limit = own;
      for (let d = 0; d < dim; d++) {
        const x = coords[p * dim + d];
        if (x < box[d]) box[d] = x;
        if (x > box[dim + d]) box[dim + d] = x;
      }
    }
    this.#limit = limit;
  }

  /** Searches the leaves below a node, near ones first. */
  #descend(top: number): void {
    const {right, boxes, dim} = this.#state.tree;
    const stack = this.#stack;
    const near = this.#near;
    const box = this.#box;
    const leaf = this.#leaf;
    let waiting = 0;
    near[0] = this.#nearOf(top);
    stack[waiting++] = top;
    while (waiting > 0) {
      const node = stack[--waiting];
      if (near[waiting] >= this.#limit) continue;
      const rightChild = right[node];
      if (rightChild === 0) {
        if (searchPairs(this.#state, this.#best, this.#lowest, leaf, node)) this.#update();
        continue;
      }
      const leftNear = this.#nearOf(node + 1);
      const rightNear = this.#nearOf(rightChild);
      let isLeftFirst = leftNear < rightNear;
      if (leftNear === rightNear) {
        // Equal core distances: the closer box has the lighter edges.
        isLeftFirst =
          boxesNearSquared(box, dim, 0, node + 1, Infinity, boxes) <=
          boxesNearSquared(box, dim, 0, rightChild, Infinity, boxes);
      }
      stack[waiting] = isLeftFirst ? rightChild : node + 1;
      near[waiting++] = isLeftFirst ? rightNear : leftNear;
      stack[waiting] = isLeftFirst ? node + 1 : rightChild;
      near[waiting++] = isLeftFirst ? leftNear : rightNear;
    }
  }

  /** A lower bound of the weights of edges between the open points and a node; infinite if there are none to search. */
  #nearOf(node: number): number {
    const {tree, nodeComponent, lowestCore} = this.#state;
    const one = nodeComponent[node];
    if (one !== NONE && one === this.#component) return Infinity;
    const near = boxesNearSquared(this.#box, tree.dim, 0, node, this.#limit, tree.boxes);
    return near > lowestCore[node] ? near : lowestCore[node];
  }
}

/** Tests the pairs of a leaf and another one, or itself. Returns whether a weight in `best` has been lowered. */
function searchPairs(
  state: BoruvkaState,
  best: Float64Array,
  lowestOf: Float64Array,
  leaf: number,
  other: number,
): boolean {
  const {tree, core, component, bound, foundSquared, foundTo, lowestCore} = state;
  const {dim, coords, start, end, boxes, pointOrder} = tree;
  const lowest = lowestCore[other];
  const from = start[other];
  const to = end[other];
  let isLower = false;
  const four = new Float64Array(dim < WIDE ? 0 : 4);
  for (let p = start[leaf], slot = 0; p < end[leaf]; p++, slot++) {
    const mine = component[p];
    const floor = bound[p];
    if (best[mine] < lowestOf[slot]) lowestOf[slot] = best[mine];
    let limit = weightLimit(state, lowestOf[slot]);
    if (floor >= limit || lowest >= limit) continue;
    if (boxNearSquared(boxes, dim, other, coords, p * dim, limit) >= limit) continue;
    const own = core[p];
    let known = NONE;
    for (let q = from; q < to && floor < limit; q++) {
      if (component[q] === mine || core[q] >= limit) continue;
      let squared = 0;
      const place = (q - from) & 3;
      if (dim >= WIDE && q - place + 4 <= to) {
        // The four that hold q, unless they are known.
        if (q - place !== known) squaredOfFour(coords, dim, (q - place) * dim, coords, p * dim, limit, four);
        known = q - place;
        squared = four[place];
      } else {
        squared = squaredDistance(coords, dim, p * dim, q * dim);
      }
      if (squared >= limit) continue;
      if (squared < own) squared = own;
      if (squared < core[q]) squared = core[q];
      // Only a unique tree comes here with a weight that is not the lightest so far.
      const isTie = squared === foundSquared[p] && pointOrder[q] < pointOrder[foundTo[p]];
      if (squared >= foundSquared[p] && !isTie) continue;
      limit = weightLimit(state, squared);
      foundSquared[p] = squared;
      foundTo[p] = q;
    }
    if (foundSquared[p] >= lowestOf[slot]) continue;
    lowestOf[slot] = foundSquared[p];
    if (foundSquared[p] < best[mine]) best[mine] = foundSquared[p];
    isLower = true;
  }
  return isLower;
}

function squaredDistance(coords: Float64Array, dim: number, a: number, b: number): number {
  const x = coords[a] - coords[b];
  let sum = x * x;
  for (let d = 1; d < dim; d++) {
    const delta = coords[a + d] - coords[b + d];
    sum += delta * delta;
  }
  return sum;
}
