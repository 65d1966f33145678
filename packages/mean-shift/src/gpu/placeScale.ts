import type {PointSet} from '@epsball/clustering';
import type {FillChunk} from '@epsball/gpu';
import {pointBounds, type PointBounds} from '@epsball/spatial-grid';
import type {CheckedRun} from '../checkRun.ts';
import {boxScale, type PointScale} from './pointScale.ts';

/** Exponents of factors, at most, with which nothing overflows or vanishes in float32. */
const SINGLE_EXPONENTS = 100;

/** Coordinates as the climbing kernels take them: those of `PointScale`, in quads filled up with zeros. */
export interface PlaceScale extends PointScale {
  /** Whether places are computed in float32: then the centre and the factor are float32 numbers. */
  readonly isSingle: boolean;
  /** Quads a place. */
  readonly blocks: number;
  /** The points' box, in device units. */
  readonly min: Float64Array;
  readonly max: Float64Array;
}

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
export function placeScale(points: PointsToScale, {rules, seeds}: CheckedRun): PlaceScale {
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
  return {isSingle, center, factor, blocks, min: bounds.min.map(scaled), max: bounds.max.map(scaled)};
}

/** Writes places for an upload. */
export function placeWords(points: PointSet, {center, factor, blocks}: PlaceScale): FillChunk {
  const {coords, dim} = points;
  const stride = 4 * blocks;
  return (target, startByte, endByte) => {
    const words = new Float32Array(target, 0, (endByte - startByte) / 4).fill(0);
    const first = startByte / 4;
    const begin = Math.floor(first / stride);
    const end = Math.ceil((first + words.length) / stride);
    // Axis by axis: a short loop for each is twice as fast as one over points that loops over axes.
    for (let d = 0; d < dim; d++) {
      const origin = center[d];
      // A chunk may cut a place in two: what is outside of an array is not written.
      for (let i = begin, from = begin * dim + d, to = begin * stride - first + d; i < end; i++) {
        words[to] = (coords[from] - origin) * factor;
        from += dim;
        to += stride;
      }
    }
  };
}

/** The caller's coordinates. */
export function coordsOfPlaces(words: Float32Array, dim: number, {center, factor, blocks}: PlaceScale): Float64Array {
  const stride = 4 * blocks;
  const m = words.length / stride;
  const coords = new Float64Array(m * dim);
  for (let i = 0; i < m; i++) {
    for (let d = 0; d < dim; d++) coords[i * dim + d] = center[d] + words[i * stride + d] / factor;
  }
  return coords;
}
