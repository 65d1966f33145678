import {COLOURS} from './palette.ts';
import {NO_LABEL, SETS_FROM, type DrawnPoints, type Picture} from './picture.ts';

/**
 * Draws labelled points by sums at each pixel: a point adds its coverage of a pixel, and its colour times the coverage.
 * So crowded points show their density, whatever their order.
 *
 * @param palette  in the layout of `paletteOf`
 * @returns        RGBA, 4 · width · height bytes
 */
export function drawPoints(
  points: DrawnPoints,
  palette: Float32Array,
  picture: Picture,
): Uint8ClampedArray<ArrayBuffer> {
  return mixPixels(addPoints(points, palette, picture), picture);
}

/** Coverage, then coverage · red, green and blue, of each pixel. */
function addPoints({coords, labels}: DrawnPoints, palette: Float32Array, picture: Picture): Float32Array {
  const {scale, shift, width, height, radius, step, selected} = picture;
  const sums = new Float32Array(4 * width * height);
  const reach = radius + 0.5;
  for (let i = 0; i < labels.length; i += step) {
    const px = coords[2 * i] * scale[0] + shift[0];
    const py = coords[2 * i + 1] * scale[1] + shift[1];
    // Written so that NaN fails.
    if (!(px > -reach && py > -reach && px < width + reach && py < height + reach)) continue;
    const entry = 4 * entryOf(labels[i], selected);
    const endX = Math.min(width, Math.floor(px + reach + 0.5));
    const endY = Math.min(height, Math.floor(py + reach + 0.5));
    for (let y = Math.max(0, Math.floor(py - reach + 0.5)); y < endY; y++) {
      const dy = py - y - 0.5;
      for (let x = Math.max(0, Math.floor(px - reach + 0.5)); x < endX; x++) {
        const dx = px - x - 0.5;
        const covered = Math.min(1, reach - Math.sqrt(dx * dx + dy * dy)) * palette[entry + 3];
        if (covered <= 0) continue;
        const at = 4 * (y * width + x);
        sums[at] += covered;
        sums[at + 1] += covered * palette[entry];
        sums[at + 2] += covered * palette[entry + 1];
        sums[at + 3] += covered * palette[entry + 2];
      }
    }
  }
  return sums;
}

function entryOf(label: number, selected: number): number {
  if (selected !== NO_LABEL && label !== selected) return 2;
  return label < 0 ? label + 2 : SETS_FROM + (label % COLOURS);
}

function mixPixels(
  sums: Float32Array,
  {width, height, opacity, background, step}: Picture,
): Uint8ClampedArray<ArrayBuffer> {
  const words = new Uint32Array(width * height).fill(background);
  const bytes = new Uint8ClampedArray(words.buffer);
  const seenThrough = Math.log(1 - opacity) * step;
  for (let pixel = 0; pixel < words.length; pixel++) {
    const covered = sums[4 * pixel];
    if (covered === 0) continue;
    const hidden = 1 - Math.exp(covered * seenThrough);
    for (let c = 0; c < 3; c++) {
      const at = 4 * pixel + c;
      bytes[at] += ((sums[at + 1] / covered) * 255 - bytes[at]) * hidden;
    }
  }
  return bytes;
}
