/**
 * Adds up the points in [start, end) around a position: Σ w · x on each axis, then Σ w.
 *
 * @param coords   point-major coordinates
 * @param at       the position
 * @param radius2  points whose d² is larger weigh nothing
 * @param falloff  w = exp(falloff · d²); 0: all within weigh 1
 * @param sums     `dim` + 1 values, added to
 */
export type RangeSum = (
  coords: Float32Array | Float64Array,
  at: Float64Array,
  start: number,
  end: number,
  radius2: number,
  falloff: number,
  sums: Float64Array,
) => void;

/** The sum for points of `dim` coordinates; written out for the dimensions of planes, solids and coloured pixels. */
export function rangeSum(dim: number): RangeSum {
  if (dim === 2) return sum2;
  if (dim === 3) return sum3;
  if (dim === 5) return sum5;
  return sumAny;
}

const sum2: RangeSum = (coords, at, start, end, radius2, falloff, sums) => {
  const x = at[0];
  const y = at[1];
  let weights = 0;
  let xs = 0;
  let ys = 0;
  for (let k = 2 * start; k < 2 * end; k += 2) {
    const px = coords[k];
    const py = coords[k + 1];
    const d2 = (x - px) * (x - px) + (y - py) * (y - py);
    if (d2 > radius2) continue;
    const w = falloff === 0 ? 1 : Math.exp(falloff * d2);
    weights += w;
    xs += w * px;
    ys += w * py;
  }
  sums[0] += xs;
  sums[1] += ys;
  sums[2] += weights;
};

const sum3: RangeSum = (coords, at, start, end, radius2, falloff, sums) => {
  const x = at[0];
  const y = at[1];
  const z = at[2];
  let weights = 0;
  let xs = 0;
  let ys = 0;
  let zs = 0;
  for (let k = 3 * start; k < 3 * end; k += 3) {
    const px = coords[k];
    const py = coords[k + 1];
    const pz = coords[k + 2];
    const d2 = (x - px) * (x - px) + (y - py) * (y - py) + (z - pz) * (z - pz);
    if (d2 > radius2) continue;
    const w = falloff === 0 ? 1 : Math.exp(falloff * d2);
    weights += w;
    xs += w * px;
    ys += w * py;
    zs += w * pz;
  }
  sums[0] += xs;
  sums[1] += ys;
  sums[2] += zs;
  sums[3] += weights;
};

const sum5: RangeSum = (coords, at, start, end, radius2, falloff, sums) => {
  const [x, y, l, a, b] = at;
  let weights = 0;
  let xs = 0;
  let ys = 0;
  let ls = 0;
  let as = 0;
  let bs = 0;
  for (let k = 5 * start; k < 5 * end; k += 5) {
    const px = coords[k];
    const py = coords[k + 1];
    const pl = coords[k + 2];
    let d2 = (x - px) * (x - px) + (y - py) * (y - py) + (l - pl) * (l - pl);
    if (d2 > radius2) continue;
    const pa = coords[k + 3];
    const pb = coords[k + 4];
    d2 = d2 + (a - pa) * (a - pa) + (b - pb) * (b - pb);
    if (d2 > radius2) continue;
    const w = falloff === 0 ? 1 : Math.exp(falloff * d2);
    weights += w;
    xs += w * px;
    ys += w * py;
    ls += w * pl;
    as += w * pa;
    bs += w * pb;
  }
  sums[0] += xs;
  sums[1] += ys;
  sums[2] += ls;
  sums[3] += as;
  sums[4] += bs;
  sums[5] += weights;
};

const sumAny: RangeSum = (coords, at, start, end, radius2, falloff, sums) => {
  const dim = at.length;
  for (let k = dim * start; k < dim * end; k += dim) {
    let d2 = 0;
    for (let d = 0; d < dim; d++) d2 += (at[d] - coords[k + d]) * (at[d] - coords[k + d]);
    if (d2 > radius2) continue;
    const w = falloff === 0 ? 1 : Math.exp(falloff * d2);
    for (let d = 0; d < dim; d++) sums[d] += w * coords[k + d];
    sums[dim] += w;
  }
};
