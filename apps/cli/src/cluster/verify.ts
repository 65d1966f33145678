import {
  pointCount,
  type DbscanParams,
  type DbscanResult,
  type PointSet,
  type ProgressListener,
  type RunStats,
} from '@epsball/clustering';
import {runGroups} from '@epsball/clustering/catalogue';
import {DEFINITION_LIMIT, dbscanOracle} from '@epsball/clustering/definition';
import {catalogue, type CatalogueRow, type DbscanOutcome} from '@epsball/dbscan';
import {FailureError} from '../errors.ts';

/** The variant that results are compared with, and the backend of all references. */
const REFERENCE = 'sequential';

/** What ran: points and parameters as variants take them. */
interface VerifiedRun {
  readonly points: PointSet;
  readonly params: DbscanParams;
  /** The group of each point. Default: one group. */
  readonly keys?: ArrayLike<number> | undefined;
}

type Labelled = Pick<DbscanResult, 'labels' | 'coreMask' | 'clusterCount'> & {readonly stats: RunStats<string>};

const NO_STATS: RunStats<string> = {wallMs: 0, phaseMs: {}, counters: {}};

/**
 * Compares a result with the reference variant's, or with another serial variant's if the reference made the result.
 * Up to 4000 points are compared with the definition as well. `checkVerifiable` has checked that a comparison exists.
 * Returns the names of the references.
 */
export async function verifyOutcome(
  ran: VerifiedRun,
  outcome: DbscanOutcome,
  signal: AbortSignal,
  onProgress: ProgressListener,
): Promise<string[]> {
  const {points, params} = ran;
  const verified: string[] = [];
  const n = pointCount(points);
  const reference = referenceRow(outcome, points.dim, params);
  if (reference !== undefined) {
    const algorithm = await reference.create({backend: REFERENCE});
    const report: ProgressListener = ({done, total}) => onProgress({phase: 'verify', done, total});
    const expected = await inGroups(
      ran,
      (own, its, progress) => algorithm.run(own, its, {signal, onProgress: progress}),
      report,
    ).finally(() => algorithm.destroy());
    const name = `the variant ${reference.id} (${REFERENCE})`;
    compare(outcome, expected, name);
    verified.push(name);
  }
  if (n <= DEFINITION_LIMIT) {
    signal.throwIfAborted();
    const byPairs = async (own: PointSet, its: DbscanParams): Promise<Labelled> => ({
      ...dbscanOracle(own, its),
      stats: NO_STATS,
    });
    compare(outcome, await inGroups(ran, byPairs), 'the definition');
    verified.push('the definition (all pairs)');
  }
  return verified;
}

/** Runs the points at once, or each group alone. */
async function inGroups(
  {points, params, keys}: VerifiedRun,
  run: (own: PointSet, params: DbscanParams, onProgress?: ProgressListener) => Promise<Labelled>,
  onProgress?: ProgressListener,
): Promise<Pick<DbscanResult, 'labels' | 'coreMask'>> {
  if (keys === undefined) return run(points, params, onProgress);
  const {sampleWeight} = params;
  const coreMask = new Uint8Array(keys.length);
  const {labels} = await runGroups<number, string, Labelled>(
    points,
    keys,
    (own, indices, report) =>
      run(own, {...params, sampleWeight: sampleWeight && Float64Array.from(indices, (i) => sampleWeight[i])}, report),
    (result, indices) => indices.forEach((i, k) => (coreMask[i] = result.coreMask[k])),
    onProgress,
  );
  return {labels, coreMask};
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
