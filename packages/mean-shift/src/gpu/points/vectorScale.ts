import type {PointSet} from '@epsball/clustering';
import type {FillChunk} from '@epsball/gpu';
import {pointBounds, type PointBounds} from '@epsball/spatial-grid';
import type {CheckedClimb} from '../../checkRun.ts';

/** Largest coordinate, relative to the centre: squares of differences are then finite in float32, in 16 dimensions. */
const FARTHEST = 2 ** 60;

/** Least half extent of the points: closer points have the same weights, up to rounding. */
const NEAREST = 2 ** -14;

/** Device units in a bandwidth: a point at distance r, in device units, has the weight 2^(−r²). */
export const UNITS_PER_BANDWIDTH: number = Math.sqrt(Math.LOG2E / 2);

/** Largest exponent of a factor for which nothing overflows or vanishes in float32. */
const SINGLE_EXPONENTS = 100;

/**
 * Coordinates for kernels, in quads padded with zeros: relative to the centre of the box, so that float32 spends its
 * digits on differences, and scaled so that exp(−d² / (2 · bandwidth²)) is exp2(−d²) and no kernel multiplies by the
 * bandwidth.
 */
export interface VectorScale {
  readonly center: Float64Array;
  /** Device units in a coordinate unit. */
  readonly factor: number;
  /** Whether vectors are scaled in float32. The centre and the factor are then float32 numbers. */
  readonly isSingle: boolean;
  /** Quads for one part of the coordinates. */
  readonly blocks: number;
  /** Quads in a vector: `blocks`, or twice as many if coordinates have two parts. */
  readonly quads: number;
  /**
   * 0, or the value of one unit of the upper part, a power of two. Then `blocks` quads hold the integer number of
   * quanta of each coordinate as i32, and as many the remainders as float32: 24 bits below the quantum, however wide
   * the box.
   */
  readonly quantum: number;
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** Most quanta in a device unit, and from the centre to the farthest position. */
const QUANTA_PER_UNIT = 2 ** 12;
const QUANTA = 2 ** 29;

/** The factor of the flat kernel is a power of two, so that points on the border of the kernel stay there. */
export function vectorScale(
  {dim, bounds, ...points}: {dim: number; bounds: PointBounds; isSingle: boolean},
  {rules, seeds}: CheckedClimb,
): VectorScale {
  const gaussian = boxScale(bounds, seeds === undefined ? bounds : pointBounds(seeds), rules.bandwidth);
  const isSingle = points.isSingle && Math.abs(Math.log2(gaussian.factor)) < SINGLE_EXPONENTS;
  const round = (x: number): number => (isSingle ? Math.fround(x) : x);
  // The centre lies between two float32, so its rounded value does, too.
  const center = gaussian.center.map(round);
  const factor = round(rules.kernel === 'flat' ? 2 ** Math.floor(Math.log2(gaussian.factor)) : gaussian.factor);
  // Rounding is monotonic: these are the smallest and the largest rounded coordinate.
  const scaled = (x: number, d: number): number => Math.fround(round(x - center[d]) * factor);
  const blocks = Math.ceil(dim / 4);
  const box = {min: bounds.min.map(scaled), max: bounds.max.map(scaled)};
  return {isSingle, center, factor, blocks, quads: blocks, quantum: 0, ...box};
}

/**
 * The middle of the box, and device units in a coordinate unit. If the box is wider than 2^60 bandwidths, the bandwidth
 * is 2^−60 of it, far below what float32 resolves; if it is narrower than 2^−14 bandwidths, 2^14 boxes: all weights are
 * then at least 1 − 2^−24.
 */
function boxScale(box: PointBounds, startBox: PointBounds, bandwidth: number): Pick<VectorScale, 'center' | 'factor'> {
  // Halves first: their sum is finite.
  const center = box.min.map((x, d) => x / 2 + box.max[d] / 2);
  const extent = halfExtent(box, center);
  const farthest = Math.max(extent, halfExtent(startBox, center));
  let factor = UNITS_PER_BANDWIDTH / bandwidth;
  if (extent > 0) factor = Math.max(factor, NEAREST / extent);
  if (farthest > 0) factor = Math.min(factor, FARTHEST / farthest);
  // Neither 0 nor infinite for any bandwidth.
  return {center, factor: Math.min(Math.max(factor, Number.MIN_VALUE), 2 ** 1000)};
}

function halfExtent({min, max}: PointBounds, center: Float64Array): number {
  return center.reduce((extent, x, d) => Math.max(extent, max[d] - x, x - min[d]), 0);
}

/** Two parts a coordinate if positions are farther than `wideFrom` bandwidths from the centre. */
export function widen(scale: VectorScale, starts: PointBounds, wideFrom: number): VectorScale {
  const {center, factor, blocks, min, max} = scale;
  const reach = max.reduce((most, x, d) => Math.max(most, x, -min[d]), halfExtent(starts, center) * factor);
  if (reach <= wideFrom * UNITS_PER_BANDWIDTH) return scale;
  const quantum = 2 ** Math.ceil(Math.log2(Math.max(1 / QUANTA_PER_UNIT, reach / QUANTA)));
  // Kernels round a vector to one float32 in two ways, which may differ by as much.
  const margin = reach * 2 ** -22;
  return {
    ...scale,
    isSingle: false,
    quads: 2 * blocks,
    quantum,
    min: min.map((x) => Math.fround(x - margin)),
    max: max.map((x) => Math.fround(x + margin)),
  };
}

export function vectorWords(points: PointSet, {center, factor, blocks, quads, quantum}: VectorScale): FillChunk {
  const {coords, dim} = points;
  const stride = 4 * quads;
  return (target, startByte, endByte) => {
    const words = new Float32Array(target, 0, (endByte - startByte) / 4).fill(0);
    const wholes = new Int32Array(target, 0, words.length);
    const first = startByte / 4;
    const begin = Math.floor(first / stride);
    const end = Math.ceil((first + words.length) / stride);
    // One short loop for each axis is twice as fast as one loop over points that loops over axes.
    for (let d = 0; d < dim; d++) {
      const origin = center[d];
      // A chunk may begin or end inside a vector. Writes outside an array have no effect.
      for (let i = begin, from = begin * dim + d, to = begin * stride - first + d; i < end; i++) {
        const x = (coords[from] - origin) * factor;
        if (quantum === 0) {
          words[to] = x;
        } else {
          const whole = Math.round(x / quantum);
          wholes[to] = whole;
          words[to + 4 * blocks] = x - whole * quantum;
        }
        from += dim;
        to += stride;
      }
    }
  };
}

export function coordsOfVectors(words: Float32Array, dim: number, scale: VectorScale): Float64Array {
  const {center, factor, blocks, quads, quantum} = scale;
  const stride = 4 * quads;
  const m = words.length / stride;
  const coords = new Float64Array(m * dim);
  const wholes = new Int32Array(words.buffer, words.byteOffset, words.length);
  for (let i = 0; i < m; i++) {
    for (let d = 0; d < dim; d++) {
      const word = i * stride + d;
      const x = quantum === 0 ? words[word] : wholes[word] * quantum + words[word + 4 * blocks];
      coords[i * dim + d] = center[d] + x / factor;
    }
  }
  return coords;
}
