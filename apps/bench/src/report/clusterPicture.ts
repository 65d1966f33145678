import {writeFile} from 'node:fs/promises';
import {pointCount, type PointSet} from '@epsball/clustering';
import {fitFrame, placeX, placeY, type Frame} from '../plot/frame.ts';
import {assignColors, type ClusterSpot} from '../plot/palette.ts';
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
  const colors = assignColors(findSpots(points, labels, frame));
  await writeFile(file, encodeIndexedPng(rasterizePoints(points, labels, colors, frame)));
}

/** Size and mean position of every cluster. */
function findSpots(points: PointSet, labels: Int32Array, frame: Frame): ClusterSpot[] {
  const spots: {label: number; size: number; x: number; y: number}[] = [];
  for (let i = 0; i < pointCount(points); i++) {
    const label = labels[i];
    if (label < 0) continue;
    // Labels are 0…k−1 by their smallest core point, but a border point may come first.
    while (spots.length <= label) spots.push({label: spots.length, size: 0, x: 0, y: 0});
    const spot = spots[label];
    spot.size++;
    spot.x += (placeX(frame, points, i) - spot.x) / spot.size;
    spot.y += (placeY(frame, points, i) - spot.y) / spot.size;
  }
  return spots;
}
