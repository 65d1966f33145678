import {InvalidParameterError, type DbscanResult, type MissingRows, type PointsInput} from '@epsball/clustering';
import {
  createHdbscanModel,
  type HdbscanClustering,
  type HdbscanModel,
  type HdbscanModelParams,
} from './hdbscanModel.ts';
import {createDbscanModel, type DbscanModel, type ModelParams} from './model.ts';

/**
 * Makes a model of a clustering by `dbscan` or `hdbscan`.
 *
 * @param input   the points that were clustered. Those that `missing` made noise or left out are not in the model
 * @param params  as for the clustering; weights are not needed
 * @param result  of the clustering
 * @returns       shares no array with the arguments
 * @throws InvalidParameterError, InvalidPointsError  if parameters or points are not valid, or do not fit the result;
 *                                                    also if a parameter does not exist: names the nearest one
 * @throws UnsupportedDimensionError                  beyond 1536 dimensions
 * @complexity    O(n · log n)
 */
export function createModel(
  input: PointsInput,
  params: ModelParams,
  result: Pick<DbscanResult, 'labels' | 'coreMask'> & MissingRows,
): DbscanModel;
export function createModel(
  input: PointsInput,
  params: HdbscanModelParams,
  result: HdbscanClustering & MissingRows,
): HdbscanModel;
export function createModel(
  input: PointsInput,
  params: ModelParams | HdbscanModelParams,
  result: Partial<Pick<DbscanResult, 'labels' | 'coreMask'> & HdbscanClustering & MissingRows> | undefined,
): DbscanModel | HdbscanModel {
  const {labels, coreMask, condensedTree, hierarchy, rows} = result ?? {};
  if (labels !== undefined && condensedTree !== undefined && hierarchy !== undefined) {
    return createHdbscanModel(input, params, {labels, condensedTree, hierarchy, rows});
  }
  if (labels === undefined || coreMask === undefined) {
    const expectation = 'the result of the clustering: {labels, coreMask} or {labels, condensedTree, hierarchy}';
    throw new InvalidParameterError('result', result, expectation);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked there
  return createDbscanModel(input, params as ModelParams, {labels, coreMask, rows});
}
