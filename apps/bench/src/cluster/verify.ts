import {
  canonicalizeLabels,
  NOISE,
  pointCount,
  squaredDistance,
  squaredEps,
  throwIfAborted,
  type DbscanParams,
  type DbscanResult,
  type PointSet,
  type ProgressListener,
} from '@epsball/clustering';
import {catalogue, type DbscanOutcome} from '@epsball/dbscan';
import {FailureError} from '../errors.ts';

/** Up to here the definition itself, which looks at all pairs, takes no more than a second or two. */
const DEFINITION_LIMIT = 5000;

type Labelling = Pick<DbscanResult, 'labels' | 'coreMask'>;

/**
 * Compares a result with the sequential variant's, or with the serial grid-BFS's where the sequential variant made it,
 * and up to 5000 points with the definition.
 *
 * @returns  what it was compared with, in words
 * @throws FailureError  at the first label or core flag that differs
 */
export async function verifyOutcome(
  points: PointSet,
  params: DbscanParams,
  outcome: DbscanOutcome,
  signal: AbortSignal,
  onProgress: ProgressListener,
): Promise<string[]> {
  const verified: string[] = [];
  const n = pointCount(points);
  const reference = referenceRow(outcome, points.dim);
  if (reference !== undefined) {
    const algorithm = await reference.create({backend: 'sequential'});
    const expected = await algorithm
      .run(points, params, {signal, onProgress: ({done, total}) => onProgress({phase: 'verify', done, total})})
      .finally(() => algorithm.destroy());
    const name = `the variant ${reference.id} (sequential)`;
    compare(outcome, expected, name);
    verified.push(name);
  }
  if (n <= DEFINITION_LIMIT) {
    compare(outcome, labelByDefinition(points, params, signal), 'the definition');
    verified.push('the definition (all pairs)');
  }
  if (verified.length === 0) {
    throw new FailureError(
      `--verify: nothing to compare with; expected at most ${DEFINITION_LIMIT} points in ${points.dim} dimensions for sequential`,
    );
  }
  return verified;
}

/** A sequential variant other than the one that ran. */
function referenceRow({algorithm, backend}: DbscanOutcome, dim: number): (typeof catalogue)[number] | undefined {
  return catalogue.find(
    (row) =>
      row.backends.includes('sequential') && row.maxDim >= dim && !(row.id === algorithm && backend === 'sequential'),
  );
}

function compare(outcome: DbscanOutcome, expected: Labelling, name: string): void {
  for (let i = 0; i < expected.labels.length; i++) {
    if (outcome.labels[i] !== expected.labels[i]) {
      throw mismatch(`label of point ${i}`, outcome.labels[i], expected.labels[i], name);
    }
    if (outcome.coreMask[i] !== expected.coreMask[i]) {
      throw mismatch(`core flag of point ${i}`, outcome.coreMask[i], expected.coreMask[i], name);
    }
  }
}

function mismatch(what: string, found: number, expected: number, name: string): FailureError {
  return new FailureError(`--verify: ${what} = ${found}; expected ${expected} as in ${name}`);
}

/** DBSCAN as docs/contract.md defines it, by looking at all pairs; shares no search structure with the variants. */
export function labelByDefinition(points: PointSet, params: DbscanParams, signal?: AbortSignal): Labelling {
  const n = pointCount(points);
  const neighbours: number[][] = Array.from({length: n}, () => []);
  const eps2 = squaredEps(params.eps);
  for (let i = 0; i < n; i++) {
    throwIfAborted(signal, 'verify');
    for (let j = 0; j < n; j++) {
      if (squaredDistance(points.coords, points.dim, i, j) <= eps2) neighbours[i].push(j);
    }
  }
  const coreMask = Uint8Array.from(neighbours, (near) => (near.length >= params.minPts ? 1 : 0));
  const labels = new Int32Array(n).fill(NOISE);
  for (let i = 0; i < n; i++) {
    if (coreMask[i] === 0 || labels[i] !== NOISE) continue;
    const reached = [i];
    labels[i] = i;
    for (const at of reached) {
      for (const j of neighbours[at]) {
        if (coreMask[j] === 0 || labels[j] !== NOISE) continue;
        labels[j] = i;
        reached.push(j);
      }
    }
  }
  canonicalizeLabels(labels, coreMask);
  for (let i = 0; i < n; i++) {
    if (coreMask[i] === 1) continue;
    const adjacent = neighbours[i].filter((j) => coreMask[j] === 1).map((j) => labels[j]);
    if (adjacent.length > 0) labels[i] = Math.min(...adjacent);
  }
  return {labels, coreMask};
}
