import {NOISE, validateDbscanParams, type DbscanParams, type DbscanResult} from './dbscan.ts';
import {comparedDistance, isNeighbor, limitOf} from './neighborhood.ts';
import {pointCount, validatePoints, type PointSet} from './points.ts';
import {isSumEnough} from './weights/weightSum.ts';
import {toWeights} from './weights/weights.ts';

/** Results are compared with the definition up to this many points: it looks at all pairs, for up to a second. */
export const DEFINITION_LIMIT = 4000;

/** The part of a result that every variant must return byte for byte. */
export type DbscanLabels = Pick<DbscanResult, 'labels' | 'coreMask' | 'clusterCount'>;

/**
 * DBSCAN by its definition. Every variant is compared with it.
 *
 * Three loops: count neighbours; flood from each unvisited core point through core points, in index order; give every
 * other point the lowest label among its core neighbours.
 *
 * @param points  not modified
 * @returns       arrays owned by the caller
 * @throws        InvalidParameterError, InvalidPointsError
 * @complexity    O(n²) time, O(n) memory
 * @source        Ester et al. 1996, Defs. 1–6; ties and numbering as docs/contract.md
 */
export function dbscanOracle(points: PointSet, params: DbscanParams): DbscanLabels {
  validatePoints(points);
  validateDbscanParams(params);
  const n = pointCount(points);
  const areNeighbors = neighborTest(points, params);
  const weights = params.sampleWeight === undefined ? undefined : toWeights(params.sampleWeight, n);

  const coreMask = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    let neighborCount = 0;
    const terms: number[] = [];
    for (let j = 0; j < n; j++) {
      if (!areNeighbors(i, j)) continue;
      neighborCount++;
      if (weights !== undefined) terms.push(weights[j]);
    }
    const isCore = weights === undefined ? neighborCount >= params.minPts : isSumEnough(terms, params.minPts);
    coreMask[i] = isCore ? 1 : 0;
  }

  const labels = new Int32Array(n).fill(NOISE);
  let clusterCount = 0;
  for (let start = 0; start < n; start++) {
    if (coreMask[start] === 0 || labels[start] !== NOISE) continue;
    const label = clusterCount++;
    labels[start] = label;
    const pending = [start];
    for (let i = pending.pop(); i !== undefined; i = pending.pop()) {
      for (let j = 0; j < n; j++) {
        if (coreMask[j] === 1 && labels[j] === NOISE && areNeighbors(i, j)) {
          labels[j] = label;
          pending.push(j);
        }
      }
    }
  }

  for (let i = 0; i < n; i++) {
    if (coreMask[i] === 1) continue;
    for (let j = 0; j < n; j++) {
      if (coreMask[j] === 1 && areNeighbors(i, j) && (labels[i] === NOISE || labels[j] < labels[i]))
        labels[i] = labels[j];
    }
  }
  return {labels, coreMask, clusterCount};
}

function neighborTest({coords, dim}: PointSet, params: DbscanParams): (i: number, j: number) => boolean {
  // float64 represents every float32 exactly, and a single array type keeps the O(n²) loops fast.
  const exact = new Float64Array(coords);
  const {metric = 'euclidean', epsTime} = params;
  const limit = limitOf(params);
  // A limit for each pair takes half as long again.
  if (epsTime === undefined) return (i, j) => comparedDistance(exact, dim, i, j, metric) <= limit;
  return (i, j) => isNeighbor(exact, dim, i, j, params);
}
