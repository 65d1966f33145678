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
  /** By cell that changed its component: the component before the batch. */
  readonly #oldOf = new Map<number, number>();
  /** By slot of a core point that was moved: its component before the batch. */
  readonly #movedFrom = new Map<number, number>();
  /** Numbers of new core points by cell. */
  readonly #fresh = new Map<number, number>();

  constructor(store: PointStore, components: Components) {
    this.#store = store;
    this.#components = components;
  }

  /** Before a core point of a component is moved. */
  willMove(slot: number, component: number): void {
    this.#movedFrom.set(slot, component);
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
    add(this.#fresh, this.#store.cellOf[slot], 1);
    const share = this.willChange(component);
    const old = this.#movedFrom.get(slot);
    if (old !== undefined) add(share, old, 1);
  }

  /** Before two components unite. */
  willMerge(from: number, into: number): void {
    const target = this.willChange(into);
    for (const [old, count] of this.willChange(from)) add(target, old, count);
    this.changed.delete(from);
  }

  /** Before a cell moves to another component. */
  willMoveCell(cell: number): void {
    if (!this.#oldOf.has(cell) && this.#nativeCores(cell) > 0) this.#oldOf.set(cell, this.#components.of[cell]);
  }

  /** Before a cell moves to a part that breaks off. */
  willSplit(cell: number, part: number): void {
    const {start, cores, slotAt} = this.#store;
    const component = this.#components.of[cell];
    const from = this.willChange(component);
    const to = this.willChange(part);
    this.willMoveCell(cell);
    const native = this.#nativeCores(cell);
    const move = (old: number, count: number): void => {
      add(from, old, -count);
      add(to, old, count);
    };
    if (native > 0) move(this.#oldOf.get(cell) ?? component, native);
    if (!this.#fresh.has(cell) || this.#movedFrom.size === 0) return;
    for (let k = start[cell]; k < start[cell] + cores[cell]; k++) {
      const old = this.#movedFrom.get(slotAt[k]);
      if (old !== undefined) move(old, 1);
    }
  }

  /**
   * The component before the batch of a core point; −1 if it was not core.
   *
   * @param fresh  slots of the points that became core in the batch
   */
  oldOf(slot: number, fresh: ReadonlySet<number>): number {
    const cell = this.#store.cellOf[slot];
    if (fresh.has(slot)) return this.#movedFrom.get(slot) ?? -1;
    return this.#oldOf.get(cell) ?? this.#components.of[cell];
  }

  clear(): void {
    this.changed.clear();
    this.before.clear();
    this.#oldOf.clear();
    this.#fresh.clear();
    this.#movedFrom.clear();
  }

  /** Core points of a cell that were core before the batch, in this cell. */
  #nativeCores(cell: number): number {
    return this.#store.cores[cell] - (this.#fresh.get(cell) ?? 0);
  }
}

function add(counts: Map<number, number>, key: number, count: number): void {
  const sum = (counts.get(key) ?? 0) + count;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}
