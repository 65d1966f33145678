import {IntList, withRoom} from './arrays.ts';
import type {CellEdges} from './cellEdges.ts';
import type {Components} from './components.ts';
import type {Ball} from './coreTest.ts';
import type {PointStore} from './pointStore.ts';

/**
 * The points that stopped to be core in a batch, and the cells that may have been connected through them.
 *
 * An edge between two cells is gone only if all its pairs have a lost point. So cells x and y belong to a group if a
 * lost point of x has a neighbour in y that is core or lost, and no edge is left between them. A cell without core
 * points joins the groups on its sides. If the cells of each group are connected, so is every component.
 */
export class LostPoints {
  readonly #store: PointStore;
  readonly #ball: Ball;
  readonly #edges: CellEdges;
  /** By lost point: coordinates, the next lost point of the cell or −1. */
  #coords: Float64Array = new Float64Array(0);
  readonly #next = new IntList();
  readonly #firstOf = new Map<number, number>();
  readonly #parent = new Map<number, number>();

  constructor(store: PointStore, ball: Ball, edges: CellEdges) {
    this.#store = store;
    this.#ball = ball;
    this.#edges = edges;
  }

  /** Adds the point at `x[at]`, which was core in a cell with a component. */
  add(cell: number, x: Float64Array, at: number): void {
    const {dim} = this.#store;
    const index = this.#next.length;
    this.#coords = withRoom(this.#coords, (index + 1) * dim);
    for (let d = 0; d < dim; d++) this.#coords[index * dim + d] = x[at + d];
    this.#next.push(this.#firstOf.get(cell) ?? -1);
    this.#firstOf.set(cell, index);
  }

  /** Cells that have lost points. */
  get cells(): Iterable<number> {
    return this.#firstOf.keys();
  }

  /** The core cells of each group with two or more, by component: the cells of a list are of one. */
  groups(components: Components): number[][] {
    const {cells, cores, dim} = this.#store;
    for (const [cell, first] of this.#firstOf) {
      if (components.of[cell] < 0) continue;
      /** Cells that an earlier lost point of this cell reached; further points add nothing. */
      const decided = new Set<number>();
      for (let index = first; index >= 0; index = this.#next.values[index]) {
        const near = cells.collectNear(cell, this.#coords, index * dim);
        for (let k = 0; k < near; k++) {
          const other = cells.near[k];
          if (components.of[other] !== components.of[cell] || decided.has(other)) continue;
          if (!this.#ball.meetsCore(this.#coords, index * dim, other) && !this.#meetsLost(index, other)) continue;
          decided.add(other);
          if (cores[cell] === 0 || cores[other] === 0 || !this.#edges.has(cell, other)) this.#unite(cell, other);
        }
      }
    }
    const groups = new Map<number, number[]>();
    for (const cell of this.#parent.keys()) {
      if (cores[cell] === 0) continue;
      const root = this.#root(cell);
      const group = groups.get(root);
      if (group === undefined) groups.set(root, [cell]);
      else group.push(cell);
    }
    return [...groups.values()].filter((group) => group.length > 1);
  }

  clear(): void {
    if (this.#next.length === 0) return;
    this.#next.clear();
    this.#firstOf.clear();
    this.#parent.clear();
    if (this.#coords.length > 2 ** 16) this.#coords = new Float64Array(0);
  }

  #meetsLost(index: number, cell: number): boolean {
    const {dim} = this.#store;
    for (let k = this.#firstOf.get(cell) ?? -1; k >= 0; k = this.#next.values[k]) {
      let sum = 0;
      for (let d = 0; d < dim; d++) {
        const delta = this.#coords[index * dim + d] - this.#coords[k * dim + d];
        sum += delta * delta;
      }
      if (sum <= this.#ball.limit) return true;
    }
    return false;
  }

  #unite(a: number, b: number): void {
    const [one, other] = [this.#root(a), this.#root(b)];
    if (one !== other) this.#parent.set(one, other);
  }

  #root(cell: number): number {
    let root = cell;
    for (let up = this.#parent.get(root); up !== root; up = this.#parent.get(root)) {
      if (up === undefined) {
        this.#parent.set(root, root);
        return root;
      }
      const above = this.#parent.get(up) ?? up;
      this.#parent.set(root, above);
      root = above;
    }
    return root;
  }
}
