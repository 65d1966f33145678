import type {CellEdges} from './cellEdges.ts';
import type {Components} from './components.ts';
import type {Cells} from './cells.ts';

/** The cells that a search has reached from some of its starts: visited ones, and those to visit from `head` on. */
interface Front {
  readonly visited: number[];
  readonly todo: number[];
  head: number;
}

/**
 * Finds out whether cells that were connected still are: searches from each of them, one step each in turn, unite where
 * they meet. A search without cells to visit has found a component of its own.
 *
 * So neighbours that are connected around a lost point are found in a few steps, and a part that breaks off costs its
 * size times the number of starts, however large the rest is.
 *
 * @complexity  O(s · p) visits of cells for s starts, p = cells of the second largest part, if the component breaks.
 *              Adversary: a ring, where both searches go around to the far side: O(cells of the ring). A fully dynamic
 *              forest needs O(log² n) amortized there, and more time and memory everywhere else
 * @source      Even and Shiloach 1981, Section 3: parallel searches from both ends of a deleted edge
 */
export class SplitSearch {
  readonly #cells: Cells;
  readonly #components: Components;
  readonly #edges: CellEdges;
  /** By cell: the front that reached it. */
  readonly #reachedBy = new Map<number, number>();
  #fronts: Front[] = [];
  #parent: number[] = [];

  constructor(cells: Cells, components: Components, edges: CellEdges) {
    this.#cells = cells;
    this.#components = components;
    this.#edges = edges;
  }

  /**
   * @param starts  different core cells of one component
   * @returns       the cells of each part that is not connected to the rest; without the largest part, as far as known
   */
  parts(starts: readonly number[]): readonly (readonly number[])[] {
    this.#fronts = starts.map((cell) => ({visited: [], todo: [cell], head: 0}));
    this.#parent = starts.map((_, k) => k);
    starts.forEach((cell, k) => this.#reachedBy.set(cell, k));

    const ended: number[] = [];
    let live = starts.map((_, k) => k);
    // The last search need not end: its part keeps its place.
    while (live.length > 1) {
      for (const k of live) {
        if (this.#root(k) !== k) continue;
        const front = this.#fronts[k];
        if (front.head < front.todo.length) this.#visit(front.todo[front.head++], k);
      }
      live = live.filter((k) => this.#root(k) === k);
      if (live.length === 1) break;
      for (const k of live) if (this.#isDone(k)) ended.push(k);
      live = live.filter((k) => !this.#isDone(k));
    }
    const parts = ended.map((k) => this.#fronts[k].visited);
    // All have ended: the largest part keeps its place.
    if (live.length === 0) {
      const largest = parts.reduce((best, part, k) => (part.length > parts[best].length ? k : best), 0);
      parts.splice(largest, 1);
    }
    this.#reachedBy.clear();
    this.#fronts = [];
    return parts;
  }

  #isDone(front: number): boolean {
    return this.#fronts[front].head === this.#fronts[front].todo.length;
  }

  #visit(cell: number, start: number): void {
    const {of} = this.#components;
    let front = start;
    this.#fronts[front].visited.push(cell);
    const near = this.#cells.collectAround(cell);
    for (let k = 0; k < near; k++) {
      const other = this.#cells.near[k];
      if (of[other] !== of[cell]) continue;
      const reached = this.#reachedBy.get(other);
      if (reached !== undefined && this.#root(reached) === front) continue;
      if (!this.#edges.has(cell, other)) continue;
      if (reached !== undefined) front = this.#unite(front, this.#root(reached));
      else {
        this.#reachedBy.set(other, front);
        this.#fronts[front].todo.push(other);
      }
    }
  }

  /** Unites two fronts; the one with fewer cells moves. Returns the root. */
  #unite(a: number, b: number): number {
    const [one, other] = [this.#fronts[a], this.#fronts[b]];
    const isLarger = one.visited.length + one.todo.length >= other.visited.length + other.todo.length;
    const [root, child] = isLarger ? [a, b] : [b, a];
    const [into, from] = [this.#fronts[root], this.#fronts[child]];
    for (const cell of from.visited) into.visited.push(cell);
    for (let k = from.head; k < from.todo.length; k++) into.todo.push(from.todo[k]);
    this.#parent[child] = root;
    return root;
  }

  #root(front: number): number {
    let root = front;
    while (this.#parent[root] !== root) {
      this.#parent[root] = this.#parent[this.#parent[root]];
      root = this.#parent[root];
    }
    return root;
  }
}
