/**
 * The inner loop of the source: adds up what all points pull on a position.
 *
 * Offsets are summed, not coordinates: x' = x + Σ w · (xᵢ − x) / Σ w is the same point, but rounding then follows the offsets of the
 * points that weigh something, not the distance to the origin; and a position among equal points stays, to the bit.
 *
 * @param coords   point-major coordinates of all points
 * @param at       the position
 * @param falloff  w = exp(falloff · d²); ≤ 0
 * @param sums     receives Σ w · (xᵢ − x) on each axis, then Σ w: `dim` + 1 values
 * @source         Agnolucci 2020, Algorithm 2
 */
export type OffsetSum = (coords: Float64Array, at: Float64Array, falloff: number, sums: Float64Array) => void;

/** Weights of smaller logarithm are 0 in float64, so the point adds nothing. */
const LEAST_LOG = -746;

/** The loop for points of `dim` coordinates; written out for 2 to 5. */
export function offsetSum(dim: number): OffsetSum {
  if (dim === 2) return sum2;
  if (dim === 3) return sum3;
  if (dim === 4) return sum4;
  if (dim === 5) return sum5;
  return sumAny;
}

const sum2: OffsetSum = (coords, at, falloff, sums) => {
  const [x, y] = [at[0], at[1]];
  let xs = 0;
  let ys = 0;
  let weights = 0;
  for (let k = 0; k < coords.length; k += 2) {
    const dx = coords[k] - x;
    const dy = coords[k + 1] - y;
    const log = falloff * (dx * dx + dy * dy);
    // Also not taken where log is NaN: 0 · ∞, a huge bandwidth and a squared distance beyond float64.
    if (!(log > LEAST_LOG)) continue;
    const w = Math.exp(log);
    xs += w * dx;
    ys += w * dy;
    weights += w;
  }
  sums[0] = xs;
  sums[1] = ys;
  sums[2] = weights;
};

const sum3: OffsetSum = (coords, at, falloff, sums) => {
  const [x, y, z] = [at[0], at[1], at[2]];
  let xs = 0;
  let ys = 0;
  let zs = 0;
  let weights = 0;
  for (let k = 0; k < coords.length; k += 3) {
    const dx = coords[k] - x;
    const dy = coords[k + 1] - y;
    const dz = coords[k + 2] - z;
    const log = falloff * (dx * dx + dy * dy + dz * dz);
    if (!(log > LEAST_LOG)) continue;
    const w = Math.exp(log);
    xs += w * dx;
    ys += w * dy;
    zs += w * dz;
    weights += w;
  }
  sums[0] = xs;
  sums[1] = ys;
  sums[2] = zs;
  sums[3] = weights;
};

const sum4: OffsetSum = (coords, at, falloff, sums) => {
  const [x, y, z, u] = [at[0], at[1], at[2], at[3]];
  let xs = 0;
  let ys = 0;
  let zs = 0;
  let us = 0;
  let weights = 0;
  for (let k = 0; k < coords.length; k += 4) {
    const dx = coords[k] - x;
    const dy = coords[k + 1] - y;
    const dz = coords[k + 2] - z;
    const du = coords[k + 3] - u;
    const log = falloff * (dx * dx + dy * dy + dz * dz + du * du);
    if (!(log > LEAST_LOG)) continue;
    const w = Math.exp(log);
    xs += w * dx;
    ys += w * dy;
    zs += w * dz;
    us += w * du;
    weights += w;
  }
  sums[0] = xs;
  sums[1] = ys;
  sums[2] = zs;
  sums[3] = us;
  sums[4] = weights;
};

const sum5: OffsetSum = (coords, at, falloff, sums) => {
  const [x, y, z, u, v] = [at[0], at[1], at[2], at[3], at[4]];
  let xs = 0;
  let ys = 0;
  let zs = 0;
  let us = 0;
  let vs = 0;
  let weights = 0;
  for (let k = 0; k < coords.length; k += 5) {
    const dx = coords[k] - x;
    const dy = coords[k + 1] - y;
    const dz = coords[k + 2] - z;
    const du = coords[k + 3] - u;
    const dv = coords[k + 4] - v;
    const log = falloff * (dx * dx + dy * dy + dz * dz + du * du + dv * dv);
    if (!(log > LEAST_LOG)) continue;
    const w = Math.exp(log);
    xs += w * dx;
    ys += w * dy;
    zs += w * dz;
    us += w * du;
    vs += w * dv;
    weights += w;
  }
  sums[0] = xs;
  sums[1] = ys;
  sums[2] = zs;
  sums[3] = us;
  sums[4] = vs;
  sums[5] = weights;
};

const sumAny: OffsetSum = (coords, at, falloff, sums) => {
  const dim = at.length;
  sums.fill(0);
  for (let k = 0; k < coords.length; k += dim) {
    let d2 = 0;
    for (let d = 0; d < dim; d++) {
      const delta = coords[k + d] - at[d];
      d2 += delta * delta;
    }
    const log = falloff * d2;
    if (!(log > LEAST_LOG)) continue;
    const w = Math.exp(log);
    for (let d = 0; d < dim; d++) sums[d] += w * (coords[k + d] - at[d]);
    sums[dim] += w;
  }
};
