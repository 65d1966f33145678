import {NOISE, type PointSet} from '@epsball/clustering';
import {COLOR_COUNT} from '@epsball/clustering/palette';
import {placeX, placeY, type Frame} from './frame.ts';

/** With more clusters the colours repeat in order. */
const PLACED_CLUSTERS = 1500;

/** Size and centre of a cluster, in pixels. */
export interface ClusterSpot {
  readonly label: number;
  readonly size: number;
  readonly x: number;
  readonly y: number;
}

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

/**
 * Gives each cluster a colour, largest cluster first: the colour whose nearest cluster is farthest away. So neighbours
 * differ.
 *
 * @returns  `Uint8Array`, number of a colour by label
 * @complexity O(k²) up to 1500 clusters, O(k) beyond
 */
export function assignColors(spots: readonly ClusterSpot[]): Uint8Array {
  const colorCount = COLOR_COUNT;
  const colors = Uint8Array.from({length: spots.length}, (_, label) => label % colorCount);
  const bySize = spots.toSorted((a, b) => b.size - a.size || a.label - b.label);
  const placed: ClusterSpot[] = [];
  for (const spot of bySize.slice(0, PLACED_CLUSTERS)) {
    const nearest = new Float64Array(colorCount).fill(Infinity);
    for (const other of placed) {
      const color = colors[other.label];
      nearest[color] = Math.min(nearest[color], (other.x - spot.x) ** 2 + (other.y - spot.y) ** 2);
    }
    // An unused colour is infinitely far, and the first one wins. So ten clusters take the palette in order.
    colors[spot.label] = nearest.indexOf(Math.max(...nearest));
    placed.push(spot);
  }
  return colors;
}
