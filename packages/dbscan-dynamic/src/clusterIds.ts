import {withRoom} from './arrays.ts';
import {ChangeLog, type ClusterChange, type SavedLog} from './changeLog.ts';
import type {Components} from './components.ts';
import type {PointStore} from './pointStore.ts';
import type {Share, Shares} from './shares.ts';

/** A component without an id: the ids of its old core points tell where it came from. */
interface Newcomer {
  readonly component: number;
  readonly from: number;
}

/** The component that has the most core points of an old component. */
interface Heir {
  component: number;
  readonly most: number;
  isTie: boolean;
  /** At a tie, the smallest id of those core points. */
  smallest: number;
}

/**
 * Ids of clusters that survive changes.
 *
 * After each batch an old cluster looks for its heir: the component with most of its old core points; at ties that of
 * the smallest id among those points. A component keeps the id of the cluster that gave it most old core points among
 * those whose heir it is; at ties the smallest id. The others have merged into it. A component that is no heir gets
 * a new id: it has split from the cluster that gave it most, or was born if it has no old core points.
 *
 * @complexity  O(components and old clusters of the batch's changes); at a tie, O(points of the components)
 */
export class ClusterIds {
  readonly log: ChangeLog = new ChangeLog();
  /** By component. */
  ids: Float64Array = new Float64Array(0);
  next = 0;
  /** Components of clusters in the log. */
  readonly #places = new Map<number, number>();
  readonly #store: PointStore;
  readonly #components: Components;
  readonly #shares: Shares;

  constructor(store: PointStore, components: Components, shares: Shares) {
    this.#store = store;
    this.#components = components;
    this.#shares = shares;
  }

  /**
   * Names the components that a batch has changed.
   *
   * @param fresh  slots of the points that became core in the batch
   */
  update(fresh: ArrayLike<number>): void {
    const {changed, before} = this.#shares;
    if (changed.size === 0) return;
    this.ids = withRoom(this.ids, this.#components.end);
    for (const [component, size] of before) this.log.touched(this.ids[component], size);
    const claims = this.#claims(fresh);
    const names = new Map<number, number>();
    const newcomers: Newcomer[] = [];
    for (const [component, share] of changed) {
      if (this.#components.cells[component] === 0) continue;
      const heirs = claims.get(component) ?? [];
      if (heirs.length === 0) newcomers.push({component, from: this.#largest(share, share.keys())});
      else names.set(component, this.#largest(share, heirs));
    }
    this.#logEnds(claims, names);
    this.#nameNew(newcomers, names);
    for (const [component, id] of names) {
      this.ids[component] = id;
      this.#places.set(id, component);
    }
  }

  /** Empties the log of changes. */
  takeChanges(): ClusterChange[] {
    const {points} = this.#components;
    const changes = this.log.take((id) => points[this.#places.get(id) ?? 0]);
    this.#places.clear();
    return changes;
  }

  /** Names the components of a snapshot. */
  restore(components: readonly number[], ids: Float64Array, next: number, log: SavedLog): void {
    this.takeChanges();
    this.log.load(log);
    this.next = next;
    components.forEach((component, k) => {
      this.ids[component] = ids[k];
      this.#places.set(ids[k], component);
    });
  }

  /** Old components by the component that is their heir; under −1 those without core points. */
  #claims(fresh: ArrayLike<number>): Map<number, number[]> {
    const {changed, before} = this.#shares;
    const heirs = new Map<number, Heir>();
    let hasTies = false;
    for (const [component, share] of changed) {
      for (const [old, most] of share) {
        const heir = heirs.get(old);
        if (heir === undefined || most > heir.most) {
          heirs.set(old, {component, most, isTie: false, smallest: Infinity});
        } else if (most === heir.most) hasTies = heir.isTie = true;
      }
    }
    if (hasTies) this.#breakTies(heirs, new Set(Array.from(fresh)));
    const claims = new Map<number, number[]>();
    for (const old of before.keys()) {
      const heir = heirs.get(old)?.component ?? -1;
      const list = claims.get(heir);
      if (list === undefined) claims.set(heir, [old]);
      else list.push(old);
    }
    return claims;
  }

  /** Chooses the tied component with the smallest id of a core point. Visits each component at most once. */
  #breakTies(heirs: ReadonlyMap<number, Heir>, fresh: ReadonlySet<number>): void {
    const {ids} = this.#store;
    for (const [component, share] of this.#shares.changed) {
      const tied = new Map<number, Heir>();
      for (const [old, count] of share) {
        const heir = heirs.get(old);
        if (heir?.isTie === true && heir.most === count) tied.set(old, heir);
      }
      if (tied.size === 0) continue;
      this.#visitCores(component, (slot) => {
        const heir = tied.get(this.#shares.oldOf(slot, fresh));
        if (heir !== undefined && ids[slot] < heir.smallest) [heir.smallest, heir.component] = [ids[slot], component];
      });
    }
  }

  /** The id of the component before the batch that gave most; at ties the smallest. −1 if there is none. */
  #largest(share: Share, olds: Iterable<number>): number {
    let [id, most] = [-1, 0];
    for (const old of olds) {
      const count = share.get(old) ?? 0;
      if (count > most || (count === most && this.ids[old] < id)) [id, most] = [this.ids[old], count];
    }
    return id;
  }

  #logEnds(claims: ReadonlyMap<number, readonly number[]>, names: ReadonlyMap<number, number>): void {
    for (const [component, olds] of claims) {
      const into = names.get(component);
      for (const old of olds) {
        const id = this.ids[old];
        if (id !== into) this.#places.delete(id);
        if (into === undefined) this.log.died(id);
        else if (id !== into) this.log.merged(id, into);
      }
    }
  }

  /** New ids, in the order of the smallest core point of each component. */
  #nameNew(newcomers: readonly Newcomer[], names: Map<number, number>): void {
    const ranked = newcomers.map((one) => ({
      ...one,
      smallest: newcomers.length === 1 ? 0 : this.#smallestId(one.component),
    }));
    ranked.sort((a, b) => a.smallest - b.smallest);
    for (const {component, from} of ranked) {
      const id = this.next++;
      names.set(component, id);
      if (from < 0) this.log.born(id);
      else this.log.split(id, from);
    }
  }

  /** The smallest id of the core points of a component. */
  #smallestId(component: number): number {
    const {ids} = this.#store;
    let smallest = Infinity;
    this.#visitCores(component, (slot) => (smallest = Math.min(smallest, ids[slot])));
    return smallest;
  }

  #visitCores(component: number, call: (slot: number) => void): void {
    const {start, cores, slotAt} = this.#store;
    this.#components.visit(component, (cell) => {
      for (let k = start[cell]; k < start[cell] + cores[cell]; k++) call(slotAt[k]);
    });
  }
}
