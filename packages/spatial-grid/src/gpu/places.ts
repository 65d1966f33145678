import type {GridGeometry} from '../geometry.ts';
import type {DevicePoints} from './devicePoints.ts';

/** Cells on an axis up to which float32 places points well enough. */
const MAX_CELLS = 2 ** 17;
const MAX_MARGIN = 1 / 8;
/** Range in which float32 neither overflows nor flushes what matters, as for distances (distanceBounds.ts). */
const [MIN_EPS, MAX_EPS, MAX_MAGNITUDE] = [2 ** -50, 2 ** 50, 2 ** 60];
/** eps / side is rounded up by this factor, which covers the roundings of the side, of invSide and of the square. */
const ROUNDING = 1 + 2 ** -16;

/** How float32 finds a point's place in the box, in cells; fields of `GridParams` in grid.wgsl. */
export interface Places {
  readonly corner: readonly number[];
  readonly inverse: readonly number[];
  /** 1 if float32 cannot place points. */
  readonly placeMargin: number;
  readonly radius2: number;
}

/**
 * Bounds the error of a place t = (x − origin) · invSide in float32, against the float64 place that gives the cell.
 *
 * Both differ from the real number: the float64 place by 2^-21 cells (geometry.ts), the float32 place by three
 * roundings of 2^-24 each, t · 2^-22 cells, and by `displacement` if the coordinates are rounded themselves. float32
 * holds the corner exactly: it is a coordinate of a float32 point, or 0 for float64 points, whose float32 coordinates
 * are relative to it. The margin is twice that and more, because two such errors meet in a distance.
 */
export function placesOf(
  {dim, eps, origin, invSide, cellCounts}: GridGeometry,
  {displacement, wideCoords}: Pick<DevicePoints, 'displacement' | 'wideCoords'>,
): Places {
  const inverse = Math.max(...invSide);
  const mostCells = Math.max(...cellCounts);
  const placeMargin = 2 ** -10 + mostCells * 2 ** -20 + 2 * displacement * inverse;
  const magnitude = Math.max(...origin.map(Math.abs)) + mostCells / inverse;
  const isOrdinary = eps >= MIN_EPS && eps <= MAX_EPS && magnitude <= MAX_MAGNITUDE;
  if (!isOrdinary || mostCells > MAX_CELLS || placeMargin > MAX_MARGIN) {
    return {corner: [], inverse: [], placeMargin: 1, radius2: 0};
  }
  const radius = eps * inverse * ROUNDING;
  const corner = Array.from({length: dim}, (_, d) => (wideCoords === undefined ? origin[d] : 0));
  return {corner, inverse: Array.from(invSide), placeMargin, radius2: radius * radius};
}
