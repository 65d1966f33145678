import type {PointSet} from '@epsball/clustering';
import type {FillChunk} from '@epsball/gpu';
import {pointBounds, type PointBounds} from '@epsball/spatial-grid';
import type {CheckedRun} from '../../checkRun.ts';
import {boxScale, UNITS_PER_BANDWIDTH, type PointScale} from './pointScale.ts';

/** Exponents of factors, at most, with which nothing overflows or vanishes in float32. */
const SINGLE_EXPONENTS = 100;

/** Coordinates as the activeList kernels take them: those of `PointScale`, in quads filled up with zeros. */
export interface VectorScale extends PointScale {
  /** Whether positions are computed in float32: then the centre and the factor are float32 numbers. */
  readonly isSingle: boolean;
  /** Quads that coordinates take. */
  readonly blocks: number;
  /** Quads a position: `blocks`, or twice as many where coordinates have two parts. */
  readonly quads: number;
  /**
   * 0, or what a whole number stands for, a power of two: then `blocks` quads hold a coordinate's whole quanta as i32, and as many the rest as float32. So a
   * coordinate has 24 bits below the quantum, however wide the box.
   */
  readonly quantum: number;
  /** The points' box, in device units. */
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/**
 * From the centre to the farthest point, in bandwidths: beyond, one float32 a coordinate would round steps by more than 10^-5 of a bandwidth or so, and takes
 * two parts.
 */
const WIDE = 512;

/** Quanta in a unit, at most; and from the centre to the farthest position. */
const QUANTA_PER_UNIT = 2 ** 12;
const QUANTA = 2 ** 29;

/** The points of a run, as far as their scale goes. */
export interface PointsToScale {
  readonly dim: number;
  readonly bounds: PointBounds;
  /** Whether the points are float32 and may be scaled in float32. */
  readonly isSingle: boolean;
}

/**
 * The scale of a run. The flat kernel's is a power of two: what lies on the border of the kernel stays there.
 */
export function vectorScale(points: PointsToScale, {rules, seeds}: CheckedRun): VectorScale {
  const {dim, bounds} = points;
  const gaussian = boxScale(bounds, seeds === undefined ? bounds : pointBounds(seeds), rules.bandwidth);
  const isSingle = points.isSingle && Math.abs(Math.log2(gaussian.factor)) < SINGLE_EXPONENTS;
  const round = (x: number): number => (isSingle ? Math.fround(x) : x);
  // Between two float32, the centre stays between them when it is rounded.
  const center = gaussian.center.map(round);
  const factor = round(rules.kernel === 'flat' ? 2 ** Math.floor(Math.log2(gaussian.factor)) : gaussian.factor);
  // Rounding keeps order: these are the smallest and the largest rounded coordinate.
  const scaled = (x: number, d: number): number => Math.fround(round(x - center[d]) * factor);
  const blocks = Math.ceil(dim / 4);
  const box = {min: bounds.min.map(scaled), max: bounds.max.map(scaled)};
  return {isSingle, center, factor, blocks, quads: blocks, quantum: 0, ...box};
}

/**
 * The scale with two parts a coordinate, where the box is so wide that one would not do; else as it was.
 *
 * @param starts  what trajectories
 */
export function widen(scale: VectorScale, starts: PointBounds): VectorScale {
  const {center, factor, blocks, min, max} = scale;
  const farthest = center.reduce((most, x, d) => Math.max(most, starts.max[d] - x, x - starts.min[d]), 0) * factor;
  const reach = max.reduce((most, x, d) => Math.max(most, x, -min[d], farthest), 0);
  if (reach <= WIDE * UNITS_PER_BANDWIDTH) return scale;
  const quantum = 2 ** Math.ceil(Math.log2(Math.max(1 / QUANTA_PER_UNIT, reach / QUANTA)));
  // Kernels round a position to one float32 in two ways that may differ by as much.
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

/** Writes positions for an upload. */
export function vectorWords(points: PointSet, {center, factor, blocks, quads, quantum}: VectorScale): FillChunk {
  const {coords, dim} = points;
  const stride = 4 * quads;
  return (target, startByte, endByte) => {
    const words = new Float32Array(target, 0, (endByte - startByte) / 4).fill(0);
    const wholes = new Int32Array(target, 0, words.length);
    const first = startByte / 4;
    const begin = Math.floor(first / stride);
    const end = Math.ceil((first + words.length) / stride);
    // Axis by axis: a short loop for each is twice as fast as one over points that loops over axes.
    for (let d = 0; d < dim; d++) {
      const origin = center[d];
      // A chunk may cut a position in two: what is outside of an array is not written.
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

/** The caller's coordinates. */
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
