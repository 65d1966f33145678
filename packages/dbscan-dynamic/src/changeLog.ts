/** What became of a cluster since changes were last read. Sizes are numbers of core points. */
export type ClusterChange =
  | {readonly kind: 'born'; readonly id: number; readonly size: number}
  | {readonly kind: 'grown' | 'shrunk'; readonly id: number; readonly size: number; readonly before: number}
  | {readonly kind: 'split'; readonly id: number; readonly from: number; readonly size: number}
  | {readonly kind: 'merged'; readonly id: number; readonly into: number}
  | {readonly kind: 'died'; readonly id: number};

/** A log as JSON keeps it: entries of its maps. */
export interface SavedLog {
  readonly origins: readonly (readonly [number, number])[];
  readonly absorbed: readonly (readonly [number, number[]])[];
  readonly sizes: readonly (readonly [number, number])[];
  readonly died: readonly number[];
}

/**
 * What became of clusters since the log was last taken. A cluster that came and went in between is not in it: its
 * origin and its end pass to the clusters that are.
 */
export class ChangeLog {
  /** New clusters, with the cluster that they broke off from; −1 if there is none. */
  readonly #origins = new Map<number, number>();
  /** Clusters that are there, with the old ones that merged into them. */
  readonly #absorbed = new Map<number, number[]>();
  #died: number[] = [];
  /** Sizes when the log was last taken, of clusters that may have another one now. */
  readonly #sizes = new Map<number, number>();

  /** Before the size of a cluster changes. */
  touched(id: number, size: number): void {
    if (!this.#sizes.has(id) && !this.#origins.has(id)) this.#sizes.set(id, size);
  }

  born(id: number): void {
    this.#origins.set(id, -1);
  }

  split(id: number, from: number): void {
    this.#origins.set(id, this.#origins.get(from) ?? from);
  }

  merged(id: number, into: number): void {
    const ended = this.#end(id);
    if (ended.length === 0) return;
    const absorbed = this.#absorbed.get(into) ?? [];
    for (const old of ended) absorbed.push(old);
    this.#absorbed.set(into, absorbed);
  }

  died(id: number): void {
    for (const old of this.#end(id)) this.#died.push(old);
  }

  /**
   * Empties the log.
   *
   * @param sizeOf  number of core points of a cluster that is there
   * @returns       deaths, merges, splits, births, then clusters that shrank or grew; each by id
   */
  take(sizeOf: (id: number) => number): ClusterChange[] {
    const died = this.#died.map((id) => ({kind: 'died', id}) as const);
    const merged = [...this.#absorbed].flatMap(([into, ids]) => ids.map((id) => ({kind: 'merged', id, into}) as const));
    const added = [...this.#origins].map(([id, from]) => ({id, from, size: sizeOf(id)}));
    const split = added.filter(({from}) => from >= 0).map((one) => ({kind: 'split', ...one}) as const);
    const born = added.filter(({from}) => from < 0).map(({id, size}) => ({kind: 'born', id, size}) as const);
    const resized = [...this.#sizes]
      .map(([id, before]) => ({id, size: sizeOf(id), before}))
      .filter(({size, before}) => size !== before)
      .map((one) => ({kind: one.size > one.before ? 'grown' : 'shrunk', ...one}) as const);
    this.#origins.clear();
    this.#absorbed.clear();
    this.#sizes.clear();
    this.#died = [];
    return [died, merged, split, born, resized].flatMap((list: ClusterChange[]) => list.sort((a, b) => a.id - b.id));
  }

  save(): SavedLog {
    return {origins: [...this.#origins], absorbed: [...this.#absorbed], sizes: [...this.#sizes], died: this.#died};
  }

  load({origins, absorbed, sizes, died}: SavedLog): void {
    for (const [id, from] of origins) this.#origins.set(id, from);
    for (const [id, ids] of absorbed) this.#absorbed.set(id, [...ids]);
    for (const [id, size] of sizes) this.#sizes.set(id, size);
    this.#died.push(...died);
  }

  /** The old clusters that end with a cluster: itself, unless it is new, and those that had merged into it. */
  #end(id: number): number[] {
    const ended = this.#absorbed.get(id) ?? [];
    if (!this.#origins.delete(id)) ended.push(id);
    this.#absorbed.delete(id);
    this.#sizes.delete(id);
    return ended;
  }
}
