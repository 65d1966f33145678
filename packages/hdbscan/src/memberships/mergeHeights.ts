import type {CondensedTree} from '../algorithm.ts';
import {lambdaOf} from '../hierarchy/steps.ts';
import type {Selected} from './exemplars.ts';

/** In the place of the λ at which a point leaves its last cluster. */
export const OWN_LEVEL = -1;

/**
 * The λ at which points of one cluster of the condensed tree and selected clusters are last in one component. Points
 * are with a cluster that holds them, or that is below their own, until they leave.
 */
export class MergeHeights {
  readonly #tree: CondensedTree;
  readonly #selected: Selected;
  /** By cluster: the cluster behind the last one below it, in preorder. */
  readonly #end: Int32Array;
  /** Labels of the selected clusters, in preorder, and the number of selected clusters before each cluster. */
  readonly #labels: Int32Array;
  readonly #before: Int32Array;

  constructor(tree: CondensedTree, selected: Selected) {
    const {parent} = tree;
    this.#tree = tree;
    this.#selected = selected;
    this.#end = Int32Array.from(parent, (_, c) => c + 1);
    for (let c = parent.length - 1; c > 0; c--) {
      this.#end[parent[c]] = Math.max(this.#end[parent[c]], this.#end[c]);
    }
    const {clusters} = selected;
    const byCluster = Int32Array.from(clusters.keys()).sort((a, b) => clusters[a] - clusters[b]);
    this.#labels = byCluster;
    this.#before = new Int32Array(parent.length + 1);
    for (const c of clusters) this.#before[c + 1]++;
    for (let c = 0; c < parent.length; c++) this.#before[c + 1] += this.#before[c];
  }

  /**
   * Writes, by label, the λ for points whose last cluster is `last`; `OWN_LEVEL` where it is that of the point.
   *
   * @complexity  O(selected clusters + depth)
   */
  write(last: number, heights: Float64Array): void {
    const {parent, deathSquared} = this.#tree;
    const own = this.#selected.labelOf[last];
    if (own >= 0) heights[own] = OWN_LEVEL;
    let [from, to] = this.#write(last, [0, 0], OWN_LEVEL, heights);
    for (let c = parent[last]; c >= 0; c = parent[c]) {
      [from, to] = this.#write(c, [from, to], lambdaOf(deathSquared[c]), heights);
    }
    // A selected cluster above `last` is not below any of these.
    if (own >= 0) heights[own] = OWN_LEVEL;
  }

  /** Writes a λ for the selected clusters at or below a cluster that lie outside of a range. Returns their range. */
  #write(c: number, [from, to]: readonly [number, number], lambda: number, heights: Float64Array): [number, number] {
    const [first, last] = [this.#before[c], this.#before[this.#end[c]]];
    for (let k = first; k < last; k++) if (k < from || k >= to) heights[this.#labels[k]] = lambda;
    return [first, last];
  }
}
