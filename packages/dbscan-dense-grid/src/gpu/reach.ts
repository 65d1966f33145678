import type {ParamRing, BufferSlice} from '@epsball/gpu';
import type {DevicePoints, GpuGrid} from '@epsball/spatial-grid/gpu';
import {reachStructs} from './reach.wgsl.ts';

/** Cells on an axis up to which float32 finds places well enough. */
const MAX_CELLS = 2 ** 17;
/** Range in which float32 neither overflows nor flushes what matters, as for distances (distanceBounds.ts). */
const [MIN_EPS, MAX_EPS, MAX_MAGNITUDE] = [2 ** -50, 2 ** 50, 2 ** 60];
/** eps / side is rounded up by this factor, which covers the roundings of the side, of invSide and of the square. */
const ROUNDING = 1 + 2 ** -16;

/** How kernels cut rows of cells to the ball around a point. */
export interface Reach {
  /** Whether they do: `IS_NARROWED` of reach.wgsl. */
  readonly isNarrowed: boolean;
  readonly params: BufferSlice;
}

/**
 * Decides whether rows can be cut, and writes the parameters of reach.wgsl.
 *
 * The margin bounds the error of a place t = (x − origin) · invSide in float32, against the float64 place that gave the
 * cell. Both differ from the real number: the float64 place by 2^-21 cells (geometry.ts), the float32 place by three
 * roundings of 2^-24 each, t · 2^-22 cells, and by `displacement` if the coordinates are rounded themselves. float32
 * holds the corner exactly: it is a coordinate of a point, or 0 for float64 points. Two such errors meet in a distance.
 */
export function writeReach(
  ring: ParamRing,
  {geometry, overrides}: GpuGrid,
  {displacement, wideCoords}: Pick<DevicePoints, 'displacement' | 'wideCoords'>,
): Reach {
  const {dim, eps, origin, invSide, cellCounts} = geometry;
  const inverse = Math.max(...invSide);
  const mostCells = Math.max(...cellCounts);
  const margin = 2 ** -10 + mostCells * 2 ** -21 + 2 * displacement * inverse;
  const radius = eps * inverse * ROUNDING;
  const magnitude = Math.max(...origin.map(Math.abs)) + mostCells / inverse;
  const isOrdinary = eps >= MIN_EPS && eps <= MAX_EPS && magnitude <= MAX_MAGNITUDE;
  const isNarrowed = overrides.IS_RANKED === true && isOrdinary && mostCells <= MAX_CELLS && margin < 1 / 8;
  const corner = Array.from({length: dim}, (_, d) => (wideCoords === undefined ? origin[d] : 0));
  const params = ring.write(reachStructs.BallParams, {
    origin: isNarrowed ? corner : [],
    invSide: isNarrowed ? Array.from(invSide) : [],
    radius2: isNarrowed ? radius * radius : 0,
    margin,
  });
  return {isNarrowed, params};
}
