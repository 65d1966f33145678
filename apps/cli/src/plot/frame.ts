import type {PointSet} from '@epsball/clustering';

export interface Frame {
  /** Size of the plot area, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly xRange: readonly [min: number, max: number];
  readonly yRange: readonly [min: number, max: number];
  /** A unit of x is as long as a unit of y, so that eps is a circle. */
  readonly isEqual: boolean;
  /** Pixels per unit of x. */
  readonly scaleX: number;
}

/** Data with a larger ratio of width to height, or height to width, is stretched to be visible. */
const ASPECT_MAX = 3.2;
/** Height of a plot of stretched data, relative to its width. */
const STRETCHED = 0.6;
/** Margin on each side of an axis, relative to its extent. */
export const PADDING = 0.025;
/** Points beyond are drawn at the edge: the width of a range with them overflows float64. */
const FARTHEST = 8e307;

/**
 * Fits the points of axes 0 and 1 into a plot area.
 *
 * @param width  largest width of the plot area, in pixels; tall data gets a narrower area of the same height
 */
export function fitFrame(points: PointSet, width: number): Frame {
  const xs = axisRange(points, 0);
  const ys = points.dim === 1 ? ([0, 1] as const) : axisRange(points, 1);
  const aspect = (ys[1] - ys[0]) / (xs[1] - xs[0]);
  const isEqual = points.dim > 1 && aspect <= ASPECT_MAX && aspect >= 1 / ASPECT_MAX;
  const height = Math.round(isEqual ? Math.min(width, width * aspect) : points.dim === 1 ? 200 : width * STRETCHED);
  const plotWidth = Math.round(isEqual ? height / aspect : width);
  return {
    width: plotWidth,
    height,
    xRange: xs,
    yRange: ys,
    isEqual,
    scaleX: plotWidth / (xs[1] - xs[0]),
  };
}

/** Position of point i inside the plot area: x to the right, y downwards. */
export function placeX(frame: Frame, points: PointSet, i: number): number {
  return shareOf(points.coords[i * points.dim], frame.xRange) * frame.width;
}

export function placeY(frame: Frame, points: PointSet, i: number): number {
  if (points.dim === 1) return scatterHeight(i) * frame.height;
  return (1 - shareOf(points.coords[i * points.dim + 1], frame.yRange)) * frame.height;
}

/** Position of a value in a range, 0 to 1. Pixels per unit would overflow for tiny ranges. */
export function shareOf(value: number, [min, max]: readonly [min: number, max: number]): number {
  return Math.min(1, Math.max(0, (value - min) / (max - min)));
}

/** Spreads the points of a line over the height by a fixed rule, so that dense parts show. */
function scatterHeight(i: number): number {
  return 0.1 + 0.8 * ((i * 0.618_033_988_749_895) % 1);
}

/** The extent of an axis with a margin; a width of 1 around a single value. */
function axisRange({coords, dim}: PointSet, axis: number): readonly [min: number, max: number] {
  let min = Infinity;
  let max = -Infinity;
  for (let at = axis; at < coords.length; at += dim) {
    min = Math.min(min, coords[at]);
    max = Math.max(max, coords[at]);
  }
  if (min > max) return [0, 1];
  min = Math.max(min, -FARTHEST);
  max = Math.min(max, FARTHEST);
  const margin = (max - min) * PADDING || Math.max(0.5, Math.abs(max) * 1e-6);
  return [min - margin, max + margin];
}
