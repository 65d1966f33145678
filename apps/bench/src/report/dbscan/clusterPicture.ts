import {writeFile} from 'node:fs/promises';
import type {PointSet} from '@epsball/clustering';
import {assignColors, encodeIndexedPng, fitFrame, locateClusters, rasterizePoints} from '@epsball/cli/plot';

/** CSS pixels; the file has twice as many each way. Wide data, such as a map, fills the page. */
const WIDTH = 640;
const WIDE_WIDTH = 1040;
const WIDE_ASPECT = 1.6;

/**
 * Draws a clustering as a PNG with a transparent background, for light and dark pages.
 *
 * @param file  overwritten
 */
export async function drawClusters(points: PointSet, labels: Int32Array, file: string): Promise<void> {
  const square = fitFrame(points, WIDTH);
  const frame = square.width > WIDE_ASPECT * square.height ? fitFrame(points, WIDE_WIDTH) : square;
  const colors = assignColors(locateClusters(points, labels, frame));
  await writeFile(file, encodeIndexedPng(rasterizePoints(points, labels, colors, frame)));
}
