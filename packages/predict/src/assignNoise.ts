import {checkKnownOptions, NOISE, pointsAt, toPoints, type DbscanResult, type PointsInput} from '@epsball/clustering';
import {createModel} from './createModel.ts';
import type {ModelParams} from './model.ts';

/**
 * Labels the noise of a clustering by the nearest core point, and leaves all other labels as they are.
 *
 * @param options  `within`: as for `DbscanModel.nearest`
 * @returns        labels; owned by the caller
 * @throws as `createModel`; InvalidParameterError also if `within` is out of range
 */
export function assignNoise(
  input: PointsInput,
  params: ModelParams,
  result: Pick<DbscanResult, 'labels' | 'coreMask'>,
  options: {readonly within?: number | undefined} = {},
): Int32Array {
  checkKnownOptions(options, ['within'], 'options', 'an object such as {within: 2}');
  const points = toPoints(input);
  const model = createModel(points, params, result);
  const labels = Int32Array.from(result.labels);
  const noise = Array.from(labels.keys()).filter((i) => labels[i] === NOISE);
  const found = model.nearest({...points, ...pointsAt(points, noise)}, options);
  for (const [k, i] of noise.entries()) labels[i] = found[k];
  return labels;
}
