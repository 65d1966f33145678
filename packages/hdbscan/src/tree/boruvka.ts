import {findRoot, makeSets, uniteByIndex} from '@epsball/union-find';
import type {TreeEdges} from '../hierarchy/treeEdges.ts';
import {NONE, type BoruvkaState, type Round} from './boruvkaState.ts';

/** The steps of a round over all leaves, on one thread or on many. */
export interface RoundSteps {
  /** Makes memory for numbers of components. */
  buffer(bytes: number): ArrayBufferLike;
  /**
   * `layLeafComponents` of all leaves, `layNodeComponents`, and of all leaves `searchInside`, `searchLeaves` and, if
   * `chosen` is there, `chooseEdges`.
   *
   * @param parts  of all rounds that are done before and after it, for progress
   */
  search(round: Round, parts: readonly [from: number, to: number]): Promise<void>;
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
  let count = n;
  let renamed: Int32Array | undefined;
  while (count > 1) {
    const chosen = count === n ? undefined : new Int32Array(steps.buffer(4 * count));
    await searchRound(state, steps, {count, chosen, renamed});
    if (chosen === undefined) count = await uniteFirst(state, steps);
    else count = renameUnited(state, (renamed = chosen), n - count);
    rounds++;
  }
  return rounds;
}

/**
 * Finds the lightest edge of each of `count` components to another one. Afterwards the position in `chosen` has it in
 * `foundSquared` and `foundTo`; in the first round every position.
 *
 * @param parts  as of `search`. Default: those of a round of a spanning tree
 */
export async function searchRound(
  state: BoruvkaState,
  steps: RoundSteps,
  {count, chosen, renamed}: Pick<Round, 'chosen' | 'renamed'> & {readonly count: number},
  parts: readonly [from: number, to: number] = [
    partOfRounds(count, state.tree.n),
    partOfRounds(count / 2, state.tree.n),
  ],
): Promise<void> {
  const best = new Float64Array(steps.buffer(8 * count)).fill(Infinity);
  await steps.search({state, best, chosen: chosen?.fill(NONE), renamed}, parts);
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

/**
 * Chooses, by component, the position of a range of leaves with the lightest edge, if it comes before those of other
 * ranges. Other threads choose at the same time: `chosen` only ever goes to an edge that comes before.
 */
export function chooseEdges({state, best, chosen}: Round, firstLeaf: number, endLeaf: number): void {
  if (chosen === undefined) return;
  const {tree, leaves, component, foundSquared, foundTo} = state;
  const end = tree.end[leaves[endLeaf - 1]];
  for (let p = tree.start[leaves[firstLeaf]]; p < end; p++) {
    const c = component[p];
    // No edge of a component is lighter than its lightest one.
    if (foundTo[p] === NONE || foundSquared[p] > best[c]) continue;
    let one = Atomics.load(chosen, c);
    while (one === NONE || isBefore(state, p, one)) {
      const seen = Atomics.compareExchange(chosen, c, one, p);
      if (seen === one) break;
      one = seen;
    }
  }
}

/** Whether the edge found from p comes before that from q. Of equal ones any will do, unless the tree is unique. */
function isBefore({isUnique, tree, foundSquared, foundTo}: BoruvkaState, p: number, q: number): boolean {
  if (foundSquared[p] !== foundSquared[q]) return foundSquared[p] < foundSquared[q];
  if (!isUnique) return p < q;
  const {pointOrder} = tree;
  const [a, b] = [pointOrder[p], pointOrder[foundTo[p]]];
  const [c, d] = [pointOrder[q], pointOrder[foundTo[q]]];
  return Math.min(a, b) - Math.min(c, d) < 0 || (Math.min(a, b) === Math.min(c, d) && Math.max(a, b) < Math.max(c, d));
}

/**
 * Adds the chosen edges and numbers the components anew.
 *
 * @param chosen  becomes `renamed` of the next round
 * @returns       their number
 */
function renameUnited(
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
  let count = 0;
  for (let c = 0; c < chosen.length; c++) {
    const root = findRoot(parent, c);
    chosen[c] = root === c ? count++ : chosen[root];
  }
  return count;
}
