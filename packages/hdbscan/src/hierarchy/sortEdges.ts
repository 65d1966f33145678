export interface TreeEdges {
  /** One end of each edge; likewise `to`. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Squared weights, not negative. */
  readonly squared: Float64Array;
}

/** The tree of one place, or of too few. */
export const NO_EDGES: TreeEdges = {from: new Int32Array(0), to: new Int32Array(0), squared: new Float64Array(0)};

/** From this many edges on, a radix sort is faster than a comparison sort. */
const RADIX_FROM = 4096;

const DIGIT_BITS = 16;

/**
 * Sorts edges by their weights.
 *
 * @param edges  not modified
 * @returns      new arrays; the order among equal weights is not specified
 * @complexity   O(m)
 */
export function sortEdges({from, to, squared}: TreeEdges): TreeEdges {
  const order = squared.length < RADIX_FROM ? compareOrder(squared) : radixOrder(squared);
  const sorted = {
    from: new Int32Array(from.length),
    to: new Int32Array(from.length),
    squared: new Float64Array(from.length),
  };
  for (let k = 0; k < order.length; k++) {
    const edge = order[k];
    sorted.from[k] = from[edge];
    sorted.to[k] = to[edge];
    sorted.squared[k] = squared[edge];
  }
  return sorted;
}

function compareOrder(keys: Float64Array): Uint32Array {
  return Uint32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || 0);
}

/** Floats that are not negative have the order of their bits. */
function radixOrder(keys: Float64Array): Uint32Array {
  const {length} = keys;
  const bits = new Float64Array(length);
  let order = new Uint32Array(length);
  for (let k = 0; k < length; k++) {
    // + 0 turns −0 into 0.
    bits[k] = keys[k] + 0;
    order[k] = k;
  }
  const halves = new Uint16Array(bits.buffer);
  let next = new Uint32Array(length);
  const starts = new Uint32Array(2 ** DIGIT_BITS);
  for (let digit = 0; digit < 4; digit++) {
    starts.fill(0);
    for (let at = digit; at < halves.length; at += 4) starts[halves[at]]++;
    let sum = 0;
    for (let value = 0; value < starts.length; value++) {
      const count = starts[value];
      starts[value] = sum;
      sum += count;
    }
    for (let k = 0; k < length; k++) next[starts[halves[4 * order[k] + digit]]++] = order[k];
    [order, next] = [next, order];
  }
  return order;
}
