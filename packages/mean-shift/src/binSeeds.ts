import {InvalidParameterError, pointCount, validatePoints, type PointSet} from '@epsball/clustering';

/**
 * Seeds for `ShiftOptions.seeds`: the bins of a lattice of side `binSize` in which points lie. Far fewer climbs than one a
 * point, for about the same clusters.
 *
 * @param binSize  finite, > 0; most often the bandwidth
 * @param minFrequency  bins with fewer points give no seed; integer ≥ 1
 * @returns  float32 coordinates in the order of each bin's first point, as scikit-learn has them; the points themselves where
 *           every point has a bin of its own
 * @throws InvalidPointsError     if the coordinates are not whole, finite points
 * @throws InvalidParameterError  if a parameter is out of range
 * @complexity  O(n · dim) expected
 * @source      scikit-learn 1.2, `get_bin_seeds`
 */
export function binSeeds(points: PointSet, binSize: number, minFrequency = 1): PointSet {
  validatePoints(points);
  if (!Number.isFinite(binSize) || binSize <= 0) {
    throw new InvalidParameterError('binSize', binSize, 'a finite number > 0');
  }
  if (!Number.isInteger(minFrequency) || minFrequency < 1) {
    throw new InvalidParameterError('minFrequency', minFrequency, 'an integer ≥ 1');
  }
  const {coords, dim} = points;
  const n = pointCount(points);
  const bins = new Map<number | string, {readonly bin: Float64Array; points: number}>();
  const bin = new Float64Array(dim);
  for (let i = 0; i < n; i++) {
    for (let d = 0; d < dim; d++) bin[d] = roundHalfEven(coords[i * dim + d] / binSize);
    const key = keyOf(bin);
    const known = bins.get(key);
    if (known === undefined) bins.set(key, {bin: bin.slice(), points: 1});
    else known.points++;
  }
  const frequent = [...bins.values()].filter((one) => one.points >= minFrequency);
  if (frequent.length === n) return points;
  const seeds = new Float32Array(frequent.length * dim);
  // The product of float32 numbers, rounded once: float64 holds it in full.
  frequent.forEach((one, k) =>
    seeds.set(
      one.bin.map((at) => Math.fround(at) * Math.fround(binSize)),
      k * dim,
    ),
  );
  return {coords: seeds, dim};
}

/** Bins of an axis that a numeric key has room for: three axes of 17 bits fit the 53 of a number. */
const KEY_BINS = 2 ** 17;
const KEY_AXES = 3;

/** One key a bin: a number, which is found several times as fast, where the bins are few enough. */
function keyOf(bin: Float64Array): number | string {
  if (bin.length > KEY_AXES) return bin.join();
  let key = 0;
  for (const index of bin) {
    const place = index + KEY_BINS / 2;
    if (!(place >= 0 && place < KEY_BINS)) return bin.join();
    key = key * KEY_BINS + place;
  }
  return key;
}

/** To the nearest integer, halves to the even one, with the sign of the value. */
function roundHalfEven(value: number): number {
  return value - Math.floor(value) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value);
}
