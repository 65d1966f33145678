import {
  pointCount,
  throwIfAborted,
  type DbscanParams,
  type DbscanResult,
  type PointSet,
  type ProgressListener,
} from '@epsball/clustering';
import {DEFINITION_LIMIT, dbscanOracle} from '@epsball/clustering/definition';
import {catalogue, type CatalogueRow, type DbscanOutcome} from '@epsball/dbscan';
import {FailureError} from '../errors.ts';

/** The variant that results are compared with, and its backend. */
const REFERENCE = {row: 'sequential', backend: 'sequential'} as const;

type Labelling = Pick<DbscanResult, 'labels' | 'coreMask'>;

/**
 * Compares a result with the reference variant's, or with another serial variant's if the reference made the result.
 * Up to 4000 points are compared with the definition as well. `checkVerifiable` has checked that a comparison exists.
 *
 * @returns  names of the references
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
  const reference = referenceRow(outcome, points.dim, params);
  if (reference !== undefined) {
    const algorithm = await reference.create({backend: REFERENCE.backend});
    const expected = await algorithm
      .run(points, params, {signal, onProgress: ({done, total}) => onProgress({phase: 'verify', done, total})})
      .finally(() => algorithm.destroy());
    const name = `the variant ${reference.id} (${REFERENCE.backend})`;
    compare(outcome, expected, name);
    verified.push(name);
  }
  if (n <= DEFINITION_LIMIT) {
    throwIfAborted(signal, 'verify');
    compare(outcome, dbscanOracle(points, params), 'the definition');
    verified.push('the definition (all pairs)');
  }
  return verified;
}

/** The reference variant, or another serial variant if the reference made the result. */
export function referenceRow(
  {algorithm, backend}: Pick<DbscanOutcome, 'algorithm' | 'backend'>,
  dim: number,
  {metric = 'euclidean', sampleWeight}: Pick<DbscanParams, 'metric' | 'sampleWeight'> = {},
): CatalogueRow | undefined {
  const {backend: serially} = REFERENCE;
  const serial = catalogue.filter(
    ({maxDims, metrics, weights}) =>
      (maxDims[serially] ?? 0) >= dim &&
      metrics[serially]?.includes(metric) === true &&
      (sampleWeight === undefined || weights[serially] === 'any'),
  );
  const others = serial.filter(({id}) => id !== algorithm || backend !== REFERENCE.backend);
  return others.find(({id}) => id === REFERENCE.row) ?? others.at(0);
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
