import {IntList} from './arrays.ts';
import {CellEdges} from './cellEdges.ts';
import {ClusterIds} from './clusterIds.ts';
import {Components} from './components.ts';
import type {Ball} from './coreTest.ts';
import {LostPoints} from './lostPoints.ts';
import type {PointStore} from './pointStore.ts';
import {Shares} from './shares.ts';
import {SplitSearch} from './splitSearch.ts';

/** From this many new core points in a row on, the edges of a cell are looked for, not those of the points. */
const CELL_FROM = 3;

/**
 * The clusters: components of the graph whose vertices are cells with core points, and whose edges are pairs of cells
 * with core points within eps of each other. Edges are not stored; the points tell.
 *
 * A batch is: `lose` for each point that stops to be core, `gain` for each that becomes core, then `finish`.
 */
export class ClusterGraph {
  readonly components: Components = new Components();
  readonly clusters: ClusterIds;
  readonly #store: PointStore;
  readonly #ball: Ball;
  readonly #shares: Shares;
  readonly #edges: CellEdges;
  readonly #lost: LostPoints;
  readonly #search: SplitSearch;
  readonly #gained = new IntList();

  constructor(store: PointStore, ball: Ball) {
    this.#store = store;
    this.#ball = ball;
    this.#shares = new Shares(store, this.components);
    this.clusters = new ClusterIds(store, this.components, this.#shares);
    this.#edges = new CellEdges(store, ball);
    this.#lost = new LostPoints(store, ball, this.#edges);
    this.#search = new SplitSearch(store.cells, this.components, this.#edges);
  }

  /** Before a core point is moved. */
  willMove(slot: number): void {
    this.#shares.willMove(slot, this.components.of[this.#store.cellOf[slot]]);
  }

  /** The point at `x[at]` of a cell is no core point any more, or gone. */
  lose(cell: number, x: Float64Array, at: number): void {
    const component = this.components.of[cell];
    this.#shares.lost(component);
    this.components.points[component]--;
    this.#lost.add(cell, x, at);
  }

  /** A point has become core. */
  gain(slot: number): void {
    this.#gained.push(slot);
  }

  /** Brings components and ids up to date. */
  finish(): void {
    this.components.reserveCells(this.#store.cells.end);
    this.#joinAll();
    const groups = this.#lost.groups(this.components);
    const byComponent = new Map<number, number[][]>();
    for (const group of groups) {
      const component = this.components.of[group[0]];
      const list = byComponent.get(component);
      if (list === undefined) byComponent.set(component, [group]);
      else list.push(group);
    }
    for (const cell of this.#lost.cells) {
      if (this.#store.cores[cell] === 0 && this.components.of[cell] >= 0) this.components.remove(cell);
    }
    for (const [component, list] of byComponent) this.#split(component, list);
    this.clusters.update(this.#gained.values.subarray(0, this.#gained.length));
    this.#shares.clear();
    this.#lost.clear();
    this.#gained.clear();
    this.components.recycle();
  }

  /** Puts new core points into components, and unites those around them. */
  #joinAll(): void {
    const {cells, cellOf, coords, positionOf, dim} = this.#store;
    const slots = this.#gained.values;
    for (let k = 0; k < this.#gained.length;) {
      const cell = cellOf[slots[k]];
      const first = k;
      while (k < this.#gained.length && cellOf[slots[k]] === cell) k++;
      if (k - first >= CELL_FROM) this.#join(cell, cells.collectAround(cell), (other) => this.#edges.has(cell, other));
      else {
        for (let i = first; i < k; i++) {
          const at = positionOf[slots[i]] * dim;
          this.#join(cell, cells.collectNear(cell, coords, at), (other) => this.#ball.meetsCore(coords, at, other));
        }
      }
      for (let i = first; i < k; i++) this.#enter(slots[i], cell);
    }
  }

  /** Unites a cell with those of the first `near` of `cells.near` that it has edges to. */
  #join(cell: number, near: number, isEdge: (other: number) => boolean): void {
    const {cells, cores} = this.#store;
    const {of} = this.components;
    for (let k = 0; k < near; k++) {
      const other = cells.near[k];
      if (of[other] < 0 || of[other] === of[cell] || cores[other] === 0 || !isEdge(other)) continue;
      if (of[cell] < 0) this.components.add(of[other], cell);
      else this.#merge(of[cell], of[other]);
    }
  }

  #enter(slot: number, cell: number): void {
    const {of} = this.components;
    if (of[cell] < 0) {
      const created = this.components.create();
      this.components.add(created, cell);
      this.#shares.created(created);
    }
    this.#shares.gained(of[cell], slot);
    this.components.points[of[cell]]++;
  }

  #merge(a: number, b: number): void {
    const isSmaller = this.components.cells[a] < this.components.cells[b];
    const [from, into] = isSmaller ? [a, b] : [b, a];
    this.#shares.willMerge(from, into);
    this.components.merge(from, into, (cell) => this.#shares.willMoveCell(cell));
  }

  /**
   * Gives each part of a component that its groups are no longer connected to a component of its own.
   *
   * The edges and the groups that wait connect a component at all times. A group that has a cell in a part that breaks
   * off led through it, so its other cells must be connected to the rest.
   *
   * @param groups  of cells of one component
   */
  #split(component: number, groups: readonly number[][]): void {
    const {of} = this.components;
    /** By component that broke off: a cell of its group that stayed. */
    const restOf = new Map<number, number>();
    const inRest = (cell: number): number => {
      const passed: number[] = [];
      let at = cell;
      for (let next = restOf.get(of[at]); next !== undefined; next = restOf.get(of[at])) {
        passed.push(of[at]);
        at = next;
      }
      for (const part of passed) restOf.set(part, at);
      return at;
    };
    for (const group of groups) {
      const starts = [...new Set(group.map(inRest))];
      const parts = this.#search.parts(starts);
      for (const part of parts) this.#breakOff(part);
      const [rest] = starts.filter((cell) => of[cell] === component);
      for (const part of parts) restOf.set(of[part[0]], rest);
    }
  }

  #breakOff(part: readonly number[]): void {
    const created = this.components.create();
    this.#shares.created(created);
    for (const cell of part) {
      const from = this.components.of[cell];
      this.#shares.willSplit(cell, created);
      this.components.remove(cell);
      this.components.add(created, cell);
      this.components.points[from] -= this.#store.cores[cell];
      this.components.points[created] += this.#store.cores[cell];
    }
  }
}
