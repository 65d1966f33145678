import {IntList, withRoom} from './arrays.ts';
import type {Components} from './components.ts';
import type {PointStore} from './pointStore.ts';

/** Numbers of old core points by old component. */
export type Share = Map<number, number>;

/**
 * Whose points the components of a batch hold: for each component that changed, how many of its core points were core
 * points of each component before the batch. A moved point keeps its old component.
 *
 * Parts and components that unite are counted where the cells are visited anyway, the smaller ones. So the costs are
 * those of the changes, however large a component is.
 */
export class Shares {
  readonly #store: PointStore;
  readonly #components: Components;
  /** By component that changed. */
  readonly changed: Map<number, Share> = new Map<number, Share>();
  /** Components before the batch, with their numbers of core points then. */
  readonly before: Map<number, number> = new Map<number, number>();
  /** By cell: the component before the batch of a cell that changed it, plus 1; else 0. Number of new core points. */
  #oldOf: Int32Array = new Int32Array(0);
  #fresh: Int32Array = new Int32Array(0);
  /** By slot: the component before the batch of a core point that was moved, plus 1; else 0. Empty before a move. */
  #movedFrom: Int32Array = new Int32Array(0);
  readonly #movedCells = new IntList();
  readonly #freshCells = new IntList();
  readonly #movedSlots = new IntList();

  constructor(store: PointStore, components: Components) {
    this.#store = store;
    this.#components = components;
  }

  reserveCells(length: number): void {
    this.#oldOf = withRoom(this.#oldOf, length);
    this.#fresh = withRoom(this.#fresh, length);
  }

  /** Before a core point of a component is moved. */
  willMove(slot: number, component: number): void {
    this.#movedFrom = withRoom(this.#movedFrom, this.#store.slotEnd);
    this.#movedFrom[slot] = component + 1;
    this.#movedSlots.push(slot);
  }

  /** Before a component of earlier batches has another core point or one less, or another cell. */
  willChange(component: number): Share {
    const known = this.changed.get(component);
    if (known !== undefined) return known;
    const count = this.#components.points[component];
    const share: Share = new Map([[component, count]]);
    this.changed.set(component, share);
    this.before.set(component, count);
    return share;
  }

  /** A component of this batch. */
  created(component: number): void {
    this.changed.set(component, new Map());
  }

  lost(component: number): void {
    add(this.willChange(component), component, -1);
  }

  gained(component: number, slot: number): void {
    const cell = this.#store.cellOf[slot];
    if (this.#fresh[cell]++ === 0) this.#freshCells.push(cell);
    const share = this.willChange(component);
    const old = this.#oldComponentOf(slot);
    if (old >= 0) add(share, old, 1);
  }

  /** Before two components unite. */
  willMerge(from: number, into: number): void {
    const target = this.willChange(into);
    for (const [old, count] of this.willChange(from)) add(target, old, count);
    this.changed.delete(from);
  }

  /** Before a cell moves to another component. */
  willMoveCell(cell: number): void {
    if (this.#oldOf[cell] !== 0 || this.#nativeCores(cell) === 0) return;
    this.#oldOf[cell] = this.#components.of[cell] + 1;
    this.#movedCells.push(cell);
  }

  /** Before a cell moves to a part that breaks off. */
  willSplit(cell: number, part: number): void {
    const {cellOf, start, cores, slotAt} = this.#store;
    const component = this.#components.of[cell];
    const from = this.willChange(component);
    const to = this.willChange(part);
    this.willMoveCell(cell);
    const native = this.#nativeCores(cell);
    const move = (old: number, count: number): void => {
      add(from, old, -count);
      add(to, old, count);
    };
    if (native > 0) move(this.#oldOf[cell] - 1, native);
    if (this.#fresh[cell] === 0 || this.#movedSlots.length === 0) return;
    for (let k = start[cell]; k < start[cell] + cores[cell]; k++) {
      const old = this.#oldComponentOf(slotAt[k]);
      if (old >= 0 && cellOf[slotAt[k]] === cell) move(old, 1);
    }
  }

  /** The component before the batch of a core point; −1 if it was not core. */
  oldOf(slot: number, isFresh: (slot: number) => boolean): number {
    const cell = this.#store.cellOf[slot];
    if (isFresh(slot)) return this.#oldComponentOf(slot);
    return this.#oldOf[cell] !== 0 ? this.#oldOf[cell] - 1 : this.#components.of[cell];
  }

  clear(): void {
    this.changed.clear();
    this.before.clear();
    for (let k = 0; k < this.#movedCells.length; k++) this.#oldOf[this.#movedCells.values[k]] = 0;
    for (let k = 0; k < this.#freshCells.length; k++) this.#fresh[this.#freshCells.values[k]] = 0;
    for (let k = 0; k < this.#movedSlots.length; k++) this.#movedFrom[this.#movedSlots.values[k]] = 0;
    this.#movedCells.clear();
    this.#freshCells.clear();
    this.#movedSlots.clear();
  }

  /** Core points of a cell that were core before the batch, in this cell. */
  #nativeCores(cell: number): number {
    return this.#store.cores[cell] - this.#fresh[cell];
  }

  #oldComponentOf(movedSlot: number): number {
    return movedSlot < this.#movedFrom.length ? this.#movedFrom[movedSlot] - 1 : -1;
  }
}

function add(share: Share, old: number, count: number): void {
  const sum = (share.get(old) ?? 0) + count;
  if (sum === 0) share.delete(old);
  else share.set(old, sum);
}
