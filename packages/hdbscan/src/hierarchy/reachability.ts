import type {LeafOrder} from './leafOrder.ts';

const NONE = -1;

/**
 * The list of a hierarchy in the one order that is the same for every spanning tree: the parts of each step by their
 * smallest member.
 *
 * @param list  not modified
 * @returns     owned by the caller
 * @complexity  O(n · log n)
 * @source      Ankerst, Breunig, Kriegel and Sander 1999 (reachability plot)
 */
export function reachability({order, heights}: LeafOrder): LeafOrder {
  const n = order.length;
  const lists = new Lists(order);
  /** Open steps of falling levels, and the parts of each so far. */
  const levels = new Float64Array(n);
  const parts: number[][] = [];
  let open = 0;
  for (let k = 1; k <= n; k++) {
    // At the end all steps close: no level is at least NaN.
    const height = k === n ? NaN : heights[k];
    let part = k - 1;
    while (open > 0 && !(levels[open - 1] >= height)) {
      open--;
      parts[open].push(part);
      part = lists.join(parts[open], levels[open]);
    }
    if (k === n) return lists.read(part);
    if (open > 0 && levels[open - 1] === height) parts[open - 1].push(part);
    else {
      levels[open] = height;
      parts[open++] = [part];
    }
  }
  return {order: new Int32Array(0), heights: new Float64Array(0)};
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
    this.#last = Int32Array.from(order.keys());
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
