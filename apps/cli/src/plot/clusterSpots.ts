import {NOISE, type PointSet} from '@epsball/clustering';
import {placeX, placeY, type Frame} from './frame.ts';
import type {ClusterSpot} from './palette.ts';

/** Size and centre of every cluster on the page, by label. */
export function locateClusters(points: PointSet, labels: Int32Array, frame: Frame): ClusterSpot[] {
  let clusterCount = 0;
  for (const label of labels) clusterCount = Math.max(clusterCount, label + 1);
  const size = new Float64Array(clusterCount);
  const sumX = new Float64Array(clusterCount);
  const sumY = new Float64Array(clusterCount);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i];
    if (label === NOISE) continue;
    size[label]++;
    sumX[label] += placeX(frame, points, i);
    sumY[label] += placeY(frame, points, i);
  }
  return Array.from({length: clusterCount}, (_, label) => ({
    label,
    size: size[label],
    x: sumX[label] / size[label],
    y: sumY[label] / size[label],
  }));
}
