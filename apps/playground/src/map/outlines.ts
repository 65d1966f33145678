import type {Outline} from '@epsball/datasets/outlines';
import type {Box} from '../draw/camera.ts';
import type {Picture} from '../draw/picture.ts';
import {mercator} from './mercator.ts';

/** Coasts and borders as lines around an origin of the projection, each with its box. */
export type Outlines = readonly {readonly path: Path2D; readonly box: Box}[];

/** Coasts and borders. The page loads their data when it shows the first map. */
export async function projectOutlines(origin: readonly [number, number]): Promise<Outlines> {
  const {loadOutlines} = await import('@epsball/datasets/outlines');
  return (await loadOutlines()).map((outline) => projected(outline, origin));
}

function projected({line, min, max}: Outline, [x, y]: readonly [number, number]): Outlines[number] {
  const place = ([longitude, latitude]: readonly [number, number]) => [longitude - x, mercator(latitude) - y] as const;
  const path = new Path2D();
  for (const position of line) path.lineTo(...place(position));
  return {path, box: {min: place(min), max: place(max)}};
}

/** Draws the outlines below what a canvas shows. @param lineWidth  in pixels */
export function drawOutlines(
  context: CanvasRenderingContext2D,
  outlines: Outlines,
  {scale, shift, width, height}: Picture,
  {color, lineWidth}: {readonly color: string; readonly lineWidth: number},
): void {
  context.save();
  context.globalCompositeOperation = 'destination-over';
  context.setTransform(scale[0], 0, 0, scale[1], ...shift);
  context.strokeStyle = color;
  context.lineWidth = lineWidth / scale[0];
  for (const {path, box} of outlines) {
    const isBeside = box.max[0] * scale[0] + shift[0] < 0 || box.min[0] * scale[0] + shift[0] > width;
    // The second scale is negative: the largest y is the upper end.
    const isAboveOrBelow = box.min[1] * scale[1] + shift[1] < 0 || box.max[1] * scale[1] + shift[1] > height;
    if (!isBeside && !isAboveOrBelow) context.stroke(path);
  }
  context.restore();
}
