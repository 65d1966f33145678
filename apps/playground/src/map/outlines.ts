import type {Topology} from 'topojson-specification';
import world from 'world-atlas/countries-50m.json?url';
import type {Box} from '../draw/camera.ts';
import type {Picture} from '../draw/picture.ts';
import {mercator} from './mercator.ts';

/** Coasts and borders as lines around an origin of the projection, each with its box. */
export type Outlines = readonly {readonly path: Path2D; readonly box: Box}[];

let topology: Promise<Topology> | undefined;

/**
 * Coasts and borders of Natural Earth, 1 : 50,000,000, public domain. They are a file of the page, read when the first
 * map is shown.
 */
export async function loadOutlines(origin: readonly [number, number]): Promise<Outlines> {
  topology ??= fetch(world).then<Topology>((answer) => answer.json());
  const [{mesh}, found] = await Promise.all([import('topojson-client'), topology]);
  return mesh(found).coordinates.map((line) => outlineOf(line, origin));
}

function outlineOf(line: readonly (readonly number[])[], [x, y]: readonly [number, number]): Outlines[number] {
  const path = new Path2D();
  const min: [number, number] = [Infinity, Infinity];
  const max: [number, number] = [-Infinity, -Infinity];
  let before = Infinity;
  for (const [longitude, latitude] of line) {
    const place = [longitude - x, mercator(latitude) - y] as const;
    // A line that goes on at the other side of the map.
    if (Math.abs(longitude - before) > 180) path.moveTo(...place);
    else path.lineTo(...place);
    before = longitude;
    for (const axis of [0, 1]) {
      min[axis] = Math.min(min[axis], place[axis]);
      max[axis] = Math.max(max[axis], place[axis]);
    }
  }
  return {path, box: {min, max}};
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
