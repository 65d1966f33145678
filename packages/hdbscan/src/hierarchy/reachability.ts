import {indicesBelow} from '@epsball/clustering';
import type {LeafOrder} from './leafOrder.ts';
import type {Steps} from './steps.ts';

const NONE = -1;

/**
 * The list of a hierarchy in the one order that is the same for every spanning tree: the parts of each step by their
 * smallest member.
 *
 * @param list   not modified
 * @param steps  of the list
 * @returns      owned by the caller
 * @complexity   O(n · log n)
 * @source       Ankerst, Breunig, Kriegel and Sander 1999 (reachability plot)
 */
export function reachability({order}: LeafOrder, {start, end, level}: Steps): LeafOrder {
  const lists = new Lists(order);
  /** Lists that no step has joined to others yet, in the order of their ranges, and where these begin and end. */
  const open: {readonly list: number; readonly start: number; readonly end: number}[] = [];
  for (let step = 0; step < start.length; step++) {
    const parts: number[] = [];
    let to = end[step];
    const addSingles = (from: number): void => {
      while (to > from) parts.push(--to);
    };
    for (let part = open.at(-1); part !== undefined && part.start >= start[step]; part = open.at(-1)) {
      addSingles(part.end);
      parts.push(part.list);
      to = part.start;
      open.pop();
    }
    addSingles(start[step]);
    open.push({list: lists.join(parts, level[step]), start: start[step], end: end[step]});
  }
  return lists.read(open.at(0)?.list ?? 0);
}

/** Lists of entries, each named by its first one, which is its smallest member. */
class Lists {
  readonly #order: Int32Array;
  readonly #next: Int32Array;
  /** Of a first entry: the last one. */
  readonly #last: Int32Array;
  readonly #heights: Float64Array;

  constructor(order: Int32Array) {
    this.#order = order;
    this.#next = new Int32Array(order.length).fill(NONE);
    this.#last = indicesBelow(order.length);
    this.#heights = new Float64Array(order.length).fill(Infinity);
  }

  /** Appends lists to the one with the smallest member, in the order of their smallest members. */
  join(parts: number[], height: number): number {
    const order = this.#order;
    parts.sort((a, b) => order[a] - order[b]);
    const [first] = parts;
    for (const part of parts.slice(1)) {
      this.#next[this.#last[first]] = part;
      this.#heights[part] = height;
      this.#last[first] = this.#last[part];
    }
    return first;
  }

  read(first: number): LeafOrder {
    const n = this.#order.length;
    const list = {order: new Int32Array(n), heights: new Float64Array(n)};
    for (let k = 0, entry = first; k < n; k++, entry = this.#next[entry]) {
      list.order[k] = this.#order[entry];
      list.heights[k] = this.#heights[entry];
    }
    return list;
  }
}
