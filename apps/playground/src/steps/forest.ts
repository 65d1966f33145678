import {findRoot, makeSets, unite} from '@epsball/union-find';
import {UNSEEN, type Edge} from './frame.ts';
import type {Balls} from './neighbors.ts';
import {count, type Tape} from './tape.ts';

/** Disjoint sets over the points of a tape, with pictures. */
export class Forest {
  readonly #parent: Int32Array;
  readonly #tape: Tape;
  sets: number;

  constructor(tape: Tape) {
    this.#tape = tape;
    this.#parent = new Int32Array(tape.core.length);
    makeSets(this.#parent);
    this.sets = tape.core.reduce((sum, flag) => sum + flag, 0);
  }

  root(i: number): number {
    return findRoot(this.#parent, i);
  }

  /** Unites the sets of two core points; returns whether they were different. */
  unite(a: number, b: number): boolean {
    const hasChanged = unite(this.#parent, a, b);
    if (hasChanged) this.sets--;
    return hasChanged;
  }

  edges(): Edge[] {
    return [...this.#parent].flatMap((to, from): Edge[] => (to === from ? [] : [{from, to, kind: 'tree'}]));
  }

  /** Paints each core point in the colour of its root. A point alone in its set is not painted. */
  paint(): void {
    const {core, paint} = this.#tape;
    const roots = Array.from(core, (_, i) => this.root(i));
    const sizes = new Int32Array(core.length);
    for (const root of roots) sizes[root]++;
    roots.forEach((root, i) => (paint[i] = core[i] === 1 && sizes[root] > 1 ? root : UNSEEN));
  }

  /** The last steps: roots, then labels. */
  finish(balls: Balls): void {
    const {core} = this.#tape;
    const roots = [...core.keys()].filter((i) => core[i] === 1 && this.root(i) === i);
    const text = `Each root is the first point of its set. ${count(roots.length, 'root')}: as many clusters.`;
    this.#tape.step(text, {focus: roots});
    this.#tape.paintLabels(
      'Roots are numbered in order. A border point takes its lowest adjacent cluster; the others are noise.',
      balls,
      (i) => this.root(i),
    );
  }
}
