import type {PointSet} from '@epsball/clustering';
import {writeContent} from '@epsball/datasets';
import {assignColors, encodeIndexedPng, fitFrame, locateClusters, rasterizePoints} from '@epsball/cli/plot';

/** CSS pixels; the file has twice as many each way. Wide data, such as a map, fills the page. */
const WIDTH = 640;
const WIDE_WIDTH = 1040;
const WIDE_ASPECT = 1.6;

/**
 * Draws a clustering as a PNG with a transparent background, for light and dark pages.
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
  await writeContent(file, encodeIndexedPng(rasterizePoints(points, labels, colors, frame)));
}
