import {pointCount, type PointSet} from '@epsball/clustering';
import type {FillChunk} from '@epsball/gpu';
import type {CheckedRun} from '../checkRun.ts';
import {pointScale, type PointScale} from './pointScale.ts';

/** Coordinates as the climbing kernels take them: those of `PointScale`, in quads filled up with zeros. */
export interface PlaceScale extends PointScale {
  /** Quads a place. */
  readonly blocks: number;
  /** The points' box, in device units. */
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/**
 * The scale of a run. The flat kernel's is a power of two: what lies on the border of the kernel stays there.
 */
export function placeScale(points: PointSet, {rules, seeds}: CheckedRun): PlaceScale {
  const {coords, dim} = points;
  const gaussian = pointScale(points, seeds ?? points, rules.bandwidth);
  const {center} = gaussian;
  const factor = rules.kernel === 'flat' ? 2 ** Math.floor(Math.log2(gaussian.factor)) : gaussian.factor;
  const min = new Float64Array(dim).fill(Infinity);
  const max = new Float64Array(dim).fill(-Infinity);
  for (let k = 0; k < coords.length; k += dim) {
    for (let d = 0; d < dim; d++) {
      min[d] = Math.min(min[d], coords[k + d]);
      max[d] = Math.max(max[d], coords[k + d]);
    }
  }
  // Rounding keeps order: these are the smallest and the largest rounded coordinate.
  const scaled = (x: number, d: number): number => Math.fround((x - center[d]) * factor);
  return {center, factor, blocks: Math.ceil(dim / 4), min: min.map(scaled), max: max.map(scaled)};
}

/** Writes places for an upload. */
export function placeWords(points: PointSet, {center, factor, blocks}: PlaceScale): FillChunk {
  const {coords, dim} = points;
  const n = pointCount(points);
  const stride = 4 * blocks;
  return (target, startByte, endByte) => {
    const words = new Float32Array(target, 0, (endByte - startByte) / 4).fill(0);
    const first = startByte / 4;
    // Chunks of transfers hold whole quads, so a place may be cut between two of its own only.
    for (let i = Math.floor(first / stride); i < n && i * stride < first + words.length; i++) {
      for (let d = 0; d < dim; d++) {
        const at = i * stride + d - first;
        if (at >= 0 && at < words.length) words[at] = (coords[i * dim + d] - center[d]) * factor;
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
