import {
  pointCount,
  type DbscanParams,
  type DbscanResult,
  type PointSet,
  type ProgressListener,
} from '@epsball/clustering';
import {DEFINITION_LIMIT, dbscanOracle} from '@epsball/clustering/definition';
import {catalogue, type CatalogueRow, type DbscanOutcome} from '@epsball/dbscan';
import {FailureError} from '../errors.ts';

/** The variant that results are compared with, and the backend of all references. */
const REFERENCE = 'sequential';

/**
 * Compares a result with the reference variant's, or with another serial variant's if the reference made the result.
 * Up to 4000 points are compared with the definition as well. `checkVerifiable` has checked that a comparison exists.
 * Returns the names of the references.
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
    const algorithm = await reference.create({backend: REFERENCE});
    const expected = await algorithm
      .run(points, params, {signal, onProgress: ({done, total}) => onProgress({phase: 'verify', done, total})})
      .finally(() => algorithm.destroy());
    const name = `the variant ${reference.id} (${REFERENCE})`;
    compare(outcome, expected, name);
    verified.push(name);
  }
  if (n <= DEFINITION_LIMIT) {
    signal.throwIfAborted();
    compare(outcome, dbscanOracle(points, params), 'the definition');
    verified.push('the definition (all pairs)');
  }
  return verified;
}

/** The reference variant, or another serial variant if the reference made the result. */
export function referenceRow(
  {algorithm, backend}: Pick<DbscanOutcome, 'algorithm' | 'backend'>,
  dim: number,
  {metric = 'euclidean', sampleWeight, epsTime}: Pick<DbscanParams, 'metric' | 'sampleWeight' | 'epsTime'> = {},
): CatalogueRow | undefined {
  const others = catalogue.filter(({id, on}) => {
    const {maxDim = 0, metrics = [], weights, maxIndexedDimInTime} = on[REFERENCE] ?? {};
    const isOther = id !== algorithm || backend !== REFERENCE;
    const isAble =
      (sampleWeight === undefined || weights === 'any') && (epsTime === undefined || maxIndexedDimInTime !== undefined);
    return isOther && maxDim >= dim && metrics.includes(metric) && isAble;
  });
  const preferred = others.toSorted((a, b) => (b.on[REFERENCE]?.preference ?? 0) - (a.on[REFERENCE]?.preference ?? 0));
  return others.find(({id}) => id === REFERENCE) ?? preferred.at(0);
}

function compare(
  outcome: DbscanOutcome,
  {labels, coreMask}: Pick<DbscanResult, 'labels' | 'coreMask'>,
  name: string,
): void {
  for (let i = 0; i < labels.length; i++) {
    const isEqual = outcome.labels[i] === labels[i] && outcome.coreMask[i] === coreMask[i];
    if (isEqual) continue;
    const [what, found, expected] =
      outcome.labels[i] === labels[i]
        ? ['core flag', outcome.coreMask[i], coreMask[i]]
        : ['label', outcome.labels[i], labels[i]];
    throw new FailureError(`--verify: ${what} of point ${i} = ${found}; expected ${expected} as in ${name}`);
  }
}
