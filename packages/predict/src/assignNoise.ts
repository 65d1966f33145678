import {
  checkKnownOptions,
  indicesBelow,
  InvalidParameterError,
  NOISE,
  pointsAt,
  scatterRows,
  type DbscanResult,
  type MissingRows,
  type PointsInput,
} from '@epsball/clustering';
import {createDbscanModel, type ModelParams, type NearestOptions} from './model.ts';
import {clusteredOf} from './modelPoints.ts';

/**
 * Labels the noise of a clustering by the nearest core point, and leaves all other labels as they are.
 *
 * @param result   of `dbscan`. That of `hdbscan` has `assignNoise` of @epsball/hdbscan, by `membership`
 * @param options  `by`: `nearest-core`, the default. others: as for `DbscanModel.nearest`
 * @returns        labels; owned by the caller
 * @throws as `createModel`; InvalidParameterError also if `within` is out of range
 */
export function assignNoise(
  input: PointsInput,
  params: ModelParams,
  result: Pick<DbscanResult, 'labels' | 'coreMask'> & MissingRows,
  options: NearestOptions & {readonly by?: 'nearest-core' | undefined} = {},
): Int32Array {
  checkKnownOptions(options, ['by', 'within', 'onProgress'], 'options', 'an object such as {within: 2}');
  const {by = 'nearest-core', ...nearest} = options;
  const other = "assignNoise of @epsball/hdbscan labels noise of hdbscan by 'membership'";
  if (by !== 'nearest-core') throw new InvalidParameterError('by', by, `'nearest-core'; ${other}`);
  // Callers without type checks may pass anything.
  const given: Partial<typeof result> | undefined = result;
  if (given?.labels === undefined || given.coreMask === undefined) {
    throw new InvalidParameterError('result', result, `{labels, coreMask} of dbscan; ${other}`);
  }
  const {points, result: own} = clusteredOf(input, result);
  const model = createDbscanModel(points, params, own);
  const labels = Int32Array.from(own.labels);
  const noise = indicesBelow(labels.length).filter((i) => labels[i] === NOISE);
  const found = model.nearest({...points, ...pointsAt(points, noise)}, nearest);
  for (const [k, i] of noise.entries()) labels[i] = found[k];
  const {length: n} = result.labels;
  return labels.length === n ? labels : scatterRows(labels, result.rows, n, NOISE);
}
