/**
 * Adds the weighted sum over the points in [start, end) for a position (Agnolucci 2020, Algorithm 2).
 *
 * With the position as origin offsets are summed: rounding then depends on the offsets of the points that have weight,
 * and a position among equal points stays, to the bit.
 *
 * @param origin   subtracted from the coordinates: the position, or zeros
 * @param falloff  w = exp(falloff · d²), ≤ 0; 0: all points within the radius have weight 1
 * @param sums     Σ w · (xᵢ − origin) on each axis, then Σ w; added to
 */
export type WeightedSum = (
  coords: Float32Array | Float64Array,
  at: Float64Array,
  origin: Float64Array,
  start: number,
  end: number,
  radius2: number,
  falloff: number,
  sums: Float64Array,
) => void;

/** Points that are filtered by distance before they are summed. */
const BLOCK = 256;

/**
 * Finds the words and d² of points in [start, end) within a radius. Every point is written, and overwritten by the next
 * one if it is too far away: a mispredicted branch costs as much as three distances.
 */
type Filter = (
  coords: Float32Array | Float64Array,
  at: Float64Array,
  start: number,
  end: number,
  radius2: number,
  words: Int32Array,
  distances: Float64Array,
) => number;

/** The sum for points of `dim` coordinates. It has scratch memory of its own, so two threads need two. */
export function weightedSum(dim: number): WeightedSum {
  const [filter, add] = LOOPS[dim] ?? [filterAny, addAny];
  const words = new Int32Array(BLOCK);
  const distances = new Float64Array(BLOCK);
  const subtotal = new Float64Array(dim + 1);
  return (coords, at, origin, start, end, radius2, falloff, sums) => {
    subtotal.fill(0);
    for (let first = start; first < end; first += BLOCK) {
      const count = filter(coords, at, first, Math.min(end, first + BLOCK), radius2, words, distances);
      // From here on `distances` holds weights.
      for (let k = 0; k < count; k++) distances[k] = falloff === 0 ? 1 : Math.exp(falloff * distances[k]);
      add(coords, origin, words, distances, count, subtotal);
    }
    for (let d = 0; d <= dim; d++) sums[d] += subtotal[d];
  };
}

type Add = (
  coords: Float32Array | Float64Array,
  origin: Float64Array,
  words: Int32Array,
  weights: Float64Array,
  count: number,
  sums: Float64Array,
) => void;

const addAny: Add = (coords, origin, words, weights, count, sums) => {
  const dim = origin.length;
  for (let k = 0; k < count; k++) {
    const w = weights[k];
    for (let d = 0; d < dim; d++) sums[d] += w * (coords[words[k] + d] - origin[d]);
    sums[dim] += w;
  }
};

const add2: Add = (coords, origin, words, weights, count, sums) => {
  const [x, y] = origin;
  let [xs, ys, total] = sums;
  for (let k = 0; k < count; k++) {
    const w = weights[k];
    const word = words[k];
    xs += w * (coords[word] - x);
    ys += w * (coords[word + 1] - y);
    total += w;
  }
  sums[0] = xs;
  sums[1] = ys;
  sums[2] = total;
};

const add3: Add = (coords, origin, words, weights, count, sums) => {
  const [x, y, z] = origin;
  let [xs, ys, zs, total] = sums;
  for (let k = 0; k < count; k++) {
    const w = weights[k];
    const word = words[k];
    xs += w * (coords[word] - x);
    ys += w * (coords[word + 1] - y);
    zs += w * (coords[word + 2] - z);
    total += w;
  }
  sums[0] = xs;
  sums[1] = ys;
  sums[2] = zs;
  sums[3] = total;
};

const add5: Add = (coords, origin, words, weights, count, sums) => {
  const [x, y, l, a, b] = origin;
  let [xs, ys, ls, as, bs, total] = sums;
  for (let k = 0; k < count; k++) {
    const w = weights[k];
    const word = words[k];
    xs += w * (coords[word] - x);
    ys += w * (coords[word + 1] - y);
    ls += w * (coords[word + 2] - l);
    as += w * (coords[word + 3] - a);
    bs += w * (coords[word + 4] - b);
    total += w;
  }
  sums[0] = xs;
  sums[1] = ys;
  sums[2] = ls;
  sums[3] = as;
  sums[4] = bs;
  sums[5] = total;
};

const filter2: Filter = (coords, at, start, end, radius2, words, distances) => {
  const [x, y] = at;
  let count = 0;
  for (let k = 2 * start; k < 2 * end; k += 2) {
    const dx = x - coords[k];
    const dy = y - coords[k + 1];
    const d2 = dx * dx + dy * dy;
    words[count] = k;
    distances[count] = d2;
    count += Number(d2 <= radius2);
  }
  return count;
};

const filter3: Filter = (coords, at, start, end, radius2, words, distances) => {
  const [x, y, z] = at;
  let count = 0;
  for (let k = 3 * start; k < 3 * end; k += 3) {
    const dx = x - coords[k];
    const dy = y - coords[k + 1];
    const dz = z - coords[k + 2];
    const d2 = dx * dx + dy * dy + dz * dz;
    words[count] = k;
    distances[count] = d2;
    count += Number(d2 <= radius2);
  }
  return count;
};

const filter5: Filter = (coords, at, start, end, radius2, words, distances) => {
  const [x, y, l, a, b] = at;
  let count = 0;
  for (let k = 5 * start; k < 5 * end; k += 5) {
    const dx = x - coords[k];
    const dy = y - coords[k + 1];
    const dl = l - coords[k + 2];
    const da = a - coords[k + 3];
    const db = b - coords[k + 4];
    const d2 = dx * dx + dy * dy + dl * dl + da * da + db * db;
    words[count] = k;
    distances[count] = d2;
    count += Number(d2 <= radius2);
  }
  return count;
};

const filterAny: Filter = (coords, at, start, end, radius2, words, distances) => {
  const dim = at.length;
  let count = 0;
  for (let k = dim * start; k < dim * end; k += dim) {
    let d2 = 0;
    for (let d = 0; d < dim; d++) d2 += (at[d] - coords[k + d]) * (at[d] - coords[k + d]);
    words[count] = k;
    distances[count] = d2;
    count += Number(d2 <= radius2);
  }
  return count;
};

/** Loops written out for planes, space and coloured pixels: they take less than half the time. */
const LOOPS: Readonly<Record<number, readonly [Filter, Add]>> = {
  2: [filter2, add2],
  3: [filter3, add3],
  5: [filter5, add5],
};
