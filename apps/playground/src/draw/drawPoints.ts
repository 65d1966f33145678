import {COLOR_COUNT} from '@epsball/clustering/palette';
import {ASIDE, NO_LABEL, SETS_FROM, type DrawnPoints, type Picture} from './picture.ts';

/**
 * Draws labelled points by sums at each pixel: a point adds its coverage of a pixel, and its colour times the coverage.
 * So crowded points show their density, whatever their order.
 *
 * @param palette  in the layout of `paletteOf`
 * @returns        RGBA, 4 · width · height bytes; transparent where no point is
 */
export function drawPoints(
  points: DrawnPoints,
  palette: Float32Array,
  picture: Picture,
): Uint8ClampedArray<ArrayBuffer> {
  const {width, height, opacity, step} = picture;
  const sums = addPoints(points, palette, picture);
  const bytes = new Uint8ClampedArray(4 * width * height);
  const seenThrough = Math.log(1 - opacity) * step;
  for (let at = 0; at < bytes.length; at += 4) {
    const covered = sums[at];
    if (covered === 0) continue;
    for (let c = 0; c < 3; c++) bytes[at + c] = (sums[at + 1 + c] / covered) * 255;
    bytes[at + 3] = (1 - Math.exp(covered * seenThrough)) * 255;
  }
  return bytes;
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

/** The entry of the palette for a label. */
export function entryOf(label: number, selected: number): number {
  if (label === ASIDE || (selected !== NO_LABEL && label !== selected)) return 2;
  return label < 0 ? label + 2 : SETS_FROM + (label % COLOR_COUNT);
}
