import {withRoom} from './arrays.ts';

/**
 * The components of core cells: each has a number, and its cells are in a ring.
 *
 * Numbers of components that end are used again after `recycle`, so within a batch a number means one component.
 */
export class Components {
  /** Numbers are below this. */
  end = 0;
  /** By cell: its component; −1 if it has none. */
  of: Int32Array = new Int32Array(0);
  /** By component: a cell, −1 if it has none; the number of cells; the number of core points. */
  head: Int32Array = new Int32Array(0);
  cells: Int32Array = new Int32Array(0);
  points: Int32Array = new Int32Array(0);
  #next: Int32Array = new Int32Array(0);
  #previous: Int32Array = new Int32Array(0);
  readonly #free: number[] = [];
  readonly #ended: number[] = [];

  reserveCells(length: number): void {
    this.of = withRoom(this.of, length, -1);
    this.#next = withRoom(this.#next, length);
    this.#previous = withRoom(this.#previous, length);
  }

  /** A component without cells. */
  create(): number {
    const component = this.#free.pop() ?? this.end++;
    this.head = withRoom(this.head, this.end);
    this.cells = withRoom(this.cells, this.end);
    this.points = withRoom(this.points, this.end);
    this.head[component] = -1;
    this.cells[component] = 0;
    this.points[component] = 0;
    return component;
  }

  add(component: number, cell: number): void {
    const head = this.head[component];
    this.of[cell] = component;
    this.cells[component]++;
    if (head < 0) {
      this.head[component] = this.#next[cell] = this.#previous[cell] = cell;
      return;
    }
    const last = this.#previous[head];
    this.#link(last, cell);
    this.#link(cell, head);
  }

  /** Takes a cell out of its component, which ends with its last cell. */
  remove(cell: number): void {
    const component = this.of[cell];
    this.of[cell] = -1;
    if (--this.cells[component] === 0) {
      this.head[component] = -1;
      this.#ended.push(component);
      return;
    }
    this.head[component] = this.#next[cell];
    this.#link(this.#previous[cell], this.#next[cell]);
  }

  /**
   * Moves all cells of a component, which ends, to another.
   *
   * @param onMove  called with each cell
   * @complexity    O(cells of the one that ends)
   */
  merge(from: number, into: number, onMove: (cell: number) => void): void {
    this.visit(from, (cell) => {
      onMove(cell);
      this.of[cell] = into;
    });
    const [a, b] = [this.head[into], this.head[from]];
    const [lastA, lastB] = [this.#previous[a], this.#previous[b]];
    this.#link(lastA, b);
    this.#link(lastB, a);
    this.cells[into] += this.cells[from];
    this.points[into] += this.points[from];
    this.head[from] = -1;
    this.cells[from] = 0;
    this.points[from] = 0;
    this.#ended.push(from);
  }

  visit(component: number, call: (cell: number) => void): void {
    let cell = this.head[component];
    for (let k = this.cells[component]; k > 0; k--) {
      const next = this.#next[cell];
      call(cell);
      cell = next;
    }
  }

  /** Lets numbers of ended components be used again. */
  recycle(): void {
    for (const component of this.#ended) this.#free.push(component);
    this.#ended.length = 0;
  }

  #link(a: number, b: number): void {
    this.#next[a] = b;
    this.#previous[b] = a;
  }
}
