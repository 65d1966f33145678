import type {ZoomTransform} from 'd3-zoom';
import type {Picture} from './picture.ts';

/** The box of points that a view fits. */
export interface Box {
  readonly min: readonly [number, number];
  readonly max: readonly [number, number];
}

/** Share of the view that stays free around the points. */
const MARGIN = 0.04;

/** Style pixels of a coordinate unit before zooming: the whole box fits. */
function fitScale({min, max}: Box, width: number, height: number): number {
  const inner = 1 - 2 * MARGIN;
  const scale = Math.min((inner * width) / (max[0] - min[0]), (inner * height) / (max[1] - min[1]));
  return Number.isFinite(scale) ? scale : 1;
}

/**
 * The affine map from coordinates to pixels; y points up in coordinates and down in pixels.
 *
 * @param zoom  pixel' = k · pixel + (x, y), in style pixels
 */
export function mapOf(
  box: Box,
  zoom: Pick<ZoomTransform, 'k' | 'x' | 'y'>,
  width: number,
  height: number,
  density: number,
): Pick<Picture, 'scale' | 'shift'> {
  const fit = fitScale(box, width, height);
  const [cx, cy] = [0, 1].map((axis) => (box.min[axis] + box.max[axis]) / 2);
  const scale = density * zoom.k * fit;
  return {
    scale: [scale, -scale],
    shift: [
      density * (zoom.k * (width / 2) + zoom.x) - scale * cx,
      density * (zoom.k * (height / 2) + zoom.y) + scale * cy,
    ],
  };
}

/** Radius of a point in style pixels: small while points crowd the view, larger when they are few or zoomed in. */
export function radiusFor(n: number, zoom: number): number {
  const alone = 70 / Math.sqrt(Math.max(1, n));
  return Math.min(5, Math.max(0.55, Math.min(3, alone) * 2 ** (Math.log2(Math.max(1, zoom)) * 0.35)));
}

/** Share of the background that a point hides: crowded points are translucent, so that density shows. */
export function opacityFor(n: number, zoom: number): number {
  const crowding = Math.log10(Math.max(1, n / 3000)) - Math.log10(Math.max(1, zoom));
  return Math.min(0.92, Math.max(0.3, 0.92 - 0.22 * Math.max(0, crowding)));
}
