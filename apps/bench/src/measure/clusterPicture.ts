import type {PointSet} from '@epsball/clustering';
import {writeContent} from '@epsball/datasets';
import {assignColors, encodeIndexedPng, fitFrame, locateClusters, rasterizePoints} from '@epsball/cli/plot';

/** CSS pixels; the file has twice as many each way. Wide data, such as a map, fills the page. */
const WIDTH = 640;
const WIDE_WIDTH = 1040;
const WIDE_ASPECT = 1.6;

/**
 * Draws a clustering as a PNG on white: the colours are those of a light page.
 *
 * @param file   overwritten
 * @param width  CSS pixels; wider for wide data. Default: 640
 */
export async function drawClusters(
  points: PointSet,
  labels: Int32Array,
  file: string,
  width: number = WIDTH,
): Promise<void> {
  const square = fitFrame(points, width);
  const isWide = square.width > WIDE_ASPECT * square.height;
  const frame = isWide ? fitFrame(points, (width * WIDE_WIDTH) / WIDTH) : square;
  const colors = assignColors(locateClusters(points, labels, frame));
  const image = rasterizePoints(points, labels, colors, frame);
  await writeContent(file, encodeIndexedPng({...image, palette: onWhite(image.palette)}));
}

/** RGBA colours as a white page shows them, opaque. */
function onWhite(palette: Uint8Array): Uint8Array {
  return palette.map((byte, k) => {
    if (k % 4 === 3) return 255;
    const opacity = palette[k - (k % 4) + 3] / 255;
    return Math.round(255 + (byte - 255) * opacity);
  });
}
