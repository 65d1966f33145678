import {writeFile} from 'node:fs/promises';
import type {PointSet} from '@epsball/clustering';
import {locateClusters} from '../plot/clusterSpots.ts';
import {fitFrame} from '../plot/frame.ts';
import {assignColors} from '../plot/palette.ts';
import {encodeIndexedPng} from '../plot/pngFile.ts';
import {rasterizePoints} from '../plot/raster.ts';

/** CSS pixels; the file has twice as many each way. */
const PICTURE_WIDTH = 640;

/**
 * Draws a clustering as a PNG on nothing: transparent, so that it sits on light and dark pages alike.
 *
 * @param file  overwritten
 */
export async function drawClusters(points: PointSet, labels: Int32Array, file: string): Promise<void> {
  const frame = fitFrame(points, PICTURE_WIDTH);
  const colors = assignColors(locateClusters(points, labels, frame));
  await writeFile(file, encodeIndexedPng(rasterizePoints(points, labels, colors, frame)));
}
