import {findRoot, makeSets, uniteByIndex} from '@epsball/union-find';
import type {TreeEdges} from '../hierarchy/treeEdges.ts';
import {layComponents, NONE, type BoruvkaState} from './boruvkaState.ts';

/** The steps of a round over all leaves, on one thread or on many. */
export interface RoundSteps {
  /** Memory for the weights of components. */
  weights(count: number): Float64Array;
  /**
   * `searchInside` of all leaves, then `searchLeaves`.
   *
   * @param parts  of all rounds that are done before and after it, for progress
   */
  search(best: Float64Array, parts: readonly [from: number, to: number]): Promise<void>;
  /** `uniteRange` of all positions. Results in the order of the ranges. */
  unite(): Promise<readonly UnitedRange[]>;
}

/**
 * The part of the rounds that is done when there are so many components of n positions. Rounds take similar times, and
 * each halves the components or better. Almost all edges are found in the first ones.
 */
export function partOfRounds(components: number, n: number): number {
  return n <= 1 ? 1 : 1 - Math.log(Math.max(1, components)) / Math.log(n);
}

/** The edges of the first round that lie in a range of positions. */
export interface UnitedRange {
  /** Their number; they are in the edges of the state, the first one at the start of the range. */
  readonly start: number;
  readonly count: number;
  /** Positions whose edges lead out of the range. */
  readonly crossing: readonly number[];
}

/**
 * Builds a minimum spanning tree of mutual reachability by Borůvka's algorithm: in each round every component takes one
 * of its lightest edges to another component.
 *
 * Among equal weights any edge will do. Chosen edges are added one by one, and an edge that would close a cycle is
 * skipped. The result is minimal: suppose that a component C adds its edge e, X is the tree of components that holds C
 * by then, and g leaves X from a component D. All components of X but C have added an edge of their own, so the chosen
 * edges lead from D to C, and on this way no weight rises: each component's edge is its lightest, and the edge before
 * touches it, too. So e weighs at most as much as g, and e is a lightest edge that leaves X.
 *
 * @param state  with core distances; changed
 * @returns      the rounds that it took; the tree is in the edges of `state`
 * @complexity   O(log n) rounds
 * @source       Borůvka 1926; March, Ram and Gray 2010; McInnes and Healy 2017
 */
export async function spanningTree(state: BoruvkaState, steps: RoundSteps): Promise<number> {
  const {n} = state.tree;
  let rounds = 0;
  for (let count = n, known = 0; count > 1; rounds++) {
    await searchRound(state, steps, count);
    count = count === n ? await uniteFirst(state, steps) : uniteComponents(state, chooseEdges(state, count), known);
    known = n - count;
  }
  return rounds;
}

/**
 * Finds the lightest edge of each of `count` components to another one. Afterwards some position of the component has
 * it in `foundSquared` and `foundTo`.
 *
 * @param parts  as of `search`. Default: those of a round of a spanning tree
 * @returns      weights that are known to exist, for `lowestWeights`
 */
export async function searchRound(
  state: BoruvkaState,
  steps: RoundSteps,
  count: number,
  parts: readonly [from: number, to: number] = [
    partOfRounds(count, state.tree.n),
    partOfRounds(count / 2, state.tree.n),
  ],
): Promise<Float64Array> {
  layComponents(state);
  const best = steps.weights(count).fill(Infinity);
  await steps.search(best, parts);
  return best;
}

/** Lowers the weights of the components to the lightest edges that were found. */
export function lowestWeights({component, foundSquared}: BoruvkaState, best: Float64Array): void {
  for (let p = 0; p < component.length; p++) {
    if (foundSquared[p] < best[component[p]]) best[component[p]] = foundSquared[p];
  }
}

/**
 * Adds the edges of the first round, in which each position is a component, as far as they lie in a range.
 *
 * In that round `component` is a forest of disjoint sets, and a range writes words of its own positions only.
 */
export function uniteRange(
  {component, foundSquared, foundTo, edges}: BoruvkaState,
  start: number,
  end: number,
): UnitedRange {
  const crossing: number[] = [];
  let edge = start;
  for (let p = start; p < end; p++) {
    const q = foundTo[p];
    if (q === NONE) continue;
    if (q < start || q >= end) crossing.push(p);
    else if (uniteByIndex(component, p, q)) writeEdge(edges, edge++, p, q, foundSquared[p]);
  }
  return {start, count: edge - start, crossing};
}

function writeEdge({from, to, squared}: TreeEdges, edge: number, p: number, q: number, weight: number): void {
  from[edge] = p;
  to[edge] = q;
  squared[edge] = weight;
}

/** Adds the edges of the first round and numbers the components. Returns their number. */
async function uniteFirst({component, foundSquared, foundTo, edges}: BoruvkaState, steps: RoundSteps): Promise<number> {
  const ranges = await steps.unite();
  let edge = 0;
  for (const {start, count} of ranges) {
    for (const values of [edges.from, edges.to, edges.squared]) values.copyWithin(edge, start, start + count);
    edge += count;
  }
  for (const {crossing} of ranges) {
    for (const p of crossing) {
      if (uniteByIndex(component, p, foundTo[p])) writeEdge(edges, edge++, p, foundTo[p], foundSquared[p]);
    }
  }
  // Squared distances above the range of float64: all edges are infinite.
  if (edge === 0) {
    for (let p = 1; p < component.length; p++) writeEdge(edges, edge++, p - 1, p, Infinity);
    component.fill(0);
  }
  // The position above one comes before it, and has its number by then.
  let count = 0;
  for (let p = 0; p < component.length; p++) {
    component[p] = component[p] === p ? count++ : component[component[p]];
  }
  return count;
}

/** The position with the lightest edge of each component; −1 without an edge. */
function chooseEdges(state: BoruvkaState, count: number): Int32Array {
  const {component, foundSquared, foundTo} = state;
  const chosen = new Int32Array(count).fill(NONE);
  for (let p = 0; p < component.length; p++) {
    if (foundTo[p] === NONE) continue;
    const one = chosen[component[p]];
    const isLighter = one === NONE || foundSquared[p] < foundSquared[one] || isBefore(state, p, one);
    if (isLighter) chosen[component[p]] = p;
  }
  return chosen;
}

/** Whether, for a unique tree, the edge found from p comes before an equal one found from q. */
function isBefore({isUnique, tree, foundSquared, foundTo}: BoruvkaState, p: number, q: number): boolean {
  if (!isUnique || foundSquared[p] !== foundSquared[q]) return false;
  const {pointOrder} = tree;
  const [a, b] = [pointOrder[p], pointOrder[foundTo[p]]];
  const [c, d] = [pointOrder[q], pointOrder[foundTo[q]]];
  return Math.min(a, b) - Math.min(c, d) < 0 || (Math.min(a, b) === Math.min(c, d) && Math.max(a, b) < Math.max(c, d));
}

/** Adds the chosen edges and numbers the components anew. Returns their number. */
function uniteComponents(
  {component, foundSquared, foundTo, edges}: BoruvkaState,
  chosen: Int32Array,
  known: number,
): number {
  const parent = new Int32Array(chosen.length);
  makeSets(parent);
  let edge = known;
  const add = (p: number, q: number, weight: number): void => {
    if (uniteByIndex(parent, component[p], component[q])) writeEdge(edges, edge++, p, q, weight);
  };
  for (const p of chosen) if (p !== NONE) add(p, foundTo[p], foundSquared[p]);
  // Squared distances above the range of float64: all remaining edges are infinite.
  if (edge === known) for (let p = 1; p < component.length; p++) add(p - 1, p, Infinity);
  const number = new Int32Array(chosen.length);
  let count = 0;
  for (let c = 0; c < chosen.length; c++) {
    const root = findRoot(parent, c);
    number[c] = root === c ? count++ : number[root];
  }
  for (let p = 0; p < component.length; p++) component[p] = number[component[p]];
  return count;
}
