import type {PointSet} from '@epsball/clustering';
import type {FillChunk} from '@epsball/gpu';
import {pointBounds} from '@epsball/spatial-grid';
import {boxScale, UNITS_PER_BANDWIDTH, type PointScale} from '../points/pointScale.ts';

/**
 * Most quanta from the centre to the farthest point: differences then fit in 31 bits, and two float32 hold a
 * coordinate.
 */
const QUANTA = 2 ** 29;

/** Largest distance from the centre, in bandwidths, for which a quantum is fine enough over ten iterations. */
const WHOLE = 512;

/**
 * Coordinates as integer numbers of quanta: 29 bits from the centre to the farthest point, where float32 has 24. In a
 * box of many bandwidths this keeps the error of a coordinate a small part of a bandwidth. Kernels convert a coordinate
 * to one float32, or to two.
 */
export interface FixedScale extends PointScale {
  /** A power of two, in device units. */
  readonly quantum: number;
  /** Whether the remainders below a quantum follow the integers, as float32 in device units. */
  readonly hasRemainder: boolean;
  /** From the centre to the farthest point or seed on any axis, in device units. */
  readonly farthest: number;
  /** Half the diagonal of the box around both, squared, in device units. */
  readonly halfDiagonal2: number;
}

/**
 * The scale of a run.
 *
 * @param points  at least one
 * @param starts  the points themselves, or at least one seed
 */
export function fixedScale(points: PointSet, starts: PointSet, bandwidth: number): FixedScale {
  const box = pointBounds(points);
  const startBox = starts === points ? box : pointBounds(starts);
  const {center, factor} = boxScale(box, startBox, bandwidth);
  const reach = center.map((x, d) =>
    Math.max(box.max[d] - x, x - box.min[d], startBox.max[d] - x, x - startBox.min[d]),
  );
  const units = factor * reach.reduce((most, x) => Math.max(most, x), 0);
  const halfDiagonal2 = reach.reduce((sum, x) => sum + (factor * x) ** 2, 0);
  const quantum = units === 0 ? 1 : 2 ** Math.ceil(Math.log2(units / QUANTA));
  return {center, factor, farthest: units, halfDiagonal2, quantum, hasRemainder: units > WHOLE * UNITS_PER_BANDWIDTH};
}

/** Words of all coordinates: one each, or two with remainders. */
export function fixedLength({coords}: PointSet, {hasRemainder}: FixedScale): number {
  return hasRemainder ? 2 * coords.length : coords.length;
}

/** Writes the structure of arrays `x₁ x₂ … y₁ y₂ …` for an upload, with the remainders behind it in the same order. */
export function fixedWords({coords, dim}: PointSet, {center, factor, quantum}: FixedScale): FillChunk {
  const n = coords.length / dim;
  const perUnit = factor / quantum;
  return (target, startByte, endByte) => {
    const words = new Int32Array(target, 0, (endByte - startByte) / 4);
    const remainders = new Float32Array(target, 0, words.length);
    const start = startByte / 4;
    for (let k = 0; k < words.length;) {
      const row = Math.floor((start + k) / n);
      const d = row % dim;
      const from = start + k - row * n;
      const count = Math.min(n - from, words.length - k);
      const origin = center[d];
      if (row < dim) {
        for (let i = 0; i < count; i++) words[k + i] = Math.round((coords[(from + i) * dim + d] - origin) * perUnit);
      } else {
        for (let i = 0; i < count; i++) {
          const x = (coords[(from + i) * dim + d] - origin) * perUnit;
          remainders[k + i] = (x - Math.round(x)) * quantum;
        }
      }
      k += count;
    }
  };
}

/** The caller's coordinates, point-major, from a structure of arrays. */
export function fromFixed(words: Int32Array, dim: number, scale: FixedScale): Float64Array {
  const {center, factor, quantum, hasRemainder} = scale;
  const m = words.length / (hasRemainder ? 2 * dim : dim);
  const unit = quantum / factor;
  const coords = new Float64Array(m * dim);
  if (hasRemainder) {
    const remainders = new Float32Array(words.buffer, words.byteOffset, words.length).subarray(m * dim);
    for (let k = 0; k < m * dim; k++) coords[(k % m) * dim + Math.floor(k / m)] = remainders[k] / factor;
  }
  for (let d = 0; d < dim; d++) {
    for (let i = 0; i < m; i++) coords[i * dim + d] += center[d] + words[d * m + i] * unit;
  }
  return coords;
}
