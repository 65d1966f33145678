import {NOISE} from '@epsball/clustering';
import type {Engine} from './engine.ts';

/** Tells the component of each point: core points have one, border points take the first of those around them. */
export class Labeller {
  readonly #engine: Engine;
  /** By component: its place in the order of the smallest ids of core points. Undefined after a change. */
  #ranks: Int32Array | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Call after each change. */
  forget(): void {
    this.#ranks = undefined;
  }

  /**
   * Slots of all points by id.
   *
   * @complexity  O(n log n)
   */
  slots(): Int32Array {
    const {store} = this.#engine;
    const ids = new Float64Array(store.count);
    for (let slot = 0, to = 0; slot < store.slotEnd; slot++) if (store.cellOf[slot] >= 0) ids[to++] = store.ids[slot];
    return Int32Array.from(ids.sort(), (id) => store.slotOf(id));
  }

  /** Number of a component among all, by their smallest core points: its canonical label. */
  ranks(slots?: Int32Array): Int32Array {
    if (this.#ranks !== undefined) return this.#ranks;
    const {store, graph} = this.#engine;
    const ranks = new Int32Array(graph.components.end).fill(-1);
    let count = 0;
    for (const slot of slots ?? this.slots()) {
      if (!store.isCore(slot)) continue;
      const component = graph.components.of[store.cellOf[slot]];
      if (ranks[component] < 0) ranks[component] = count++;
    }
    this.#ranks = ranks;
    return ranks;
  }

  /** The component of a point, or −1. */
  componentOf(slot: number): number {
    const {store, graph} = this.#engine;
    const own = store.cellOf[slot];
    if (store.isCore(slot)) return graph.components.of[own];
    let best = store.cores[own] > 0 ? graph.components.of[own] : NOISE;
    const at = store.positionOf[slot] * store.dim;
    const near = store.cells.collectNear(own, store.coords, at);
    for (let k = 0; k < near; k++) {
      const cell = store.cells.near[k];
      const component = graph.components.of[cell];
      if (store.cores[cell] === 0 || component === best) continue;
      // Ranks, which cost all points once, are only needed between two clusters.
      if (best >= 0 && this.#ranks !== undefined && this.#ranks[component] > this.#ranks[best]) continue;
      if (!this.#engine.ball.meetsCore(store.coords, at, cell)) continue;
      if (best >= 0 && this.#ranks === undefined && this.ranks()[component] > this.ranks()[best]) continue;
      best = component;
    }
    return best;
  }
}
