import {findRoot, makeSets, unite} from '@epsball/union-find';
import {UNSEEN, type Edge} from './frame.ts';

/** Disjoint sets over the points, with pictures. */
export class Forest {
  readonly parent: Int32Array;
  #sets: number;

  constructor(core: Uint8Array) {
    this.parent = new Int32Array(core.length);
    makeSets(this.parent);
    this.#sets = core.reduce((sum, flag) => sum + flag, 0);
  }

  /** Number of sets of core points. */
  get sets(): number {
    return this.#sets;
  }

  root(i: number): number {
    return findRoot(this.parent, i);
  }

  /** Unites the sets of two core points; returns whether they were different. */
  unite(a: number, b: number): boolean {
    const hasChanged = unite(this.parent, a, b);
    if (hasChanged) this.#sets--;
    return hasChanged;
  }

  /** An edge from each member to its parent. */
  edges(): Edge[] {
    return [...this.parent].flatMap((to, from): Edge[] => (to === from ? [] : [{from, to, kind: 'tree'}]));
  }

  /** Paints each core point in the colour of its root. A point alone in its set is not painted. */
  paintInto(paint: Int32Array, core: Uint8Array): void {
    const sizes = new Int32Array(core.length);
    for (let i = 0; i < core.length; i++) sizes[this.root(i)]++;
    for (let i = 0; i < core.length; i++) {
      const root = this.root(i);
      paint[i] = core[i] === 1 && sizes[root] > 1 ? root : UNSEEN;
    }
  }
}
