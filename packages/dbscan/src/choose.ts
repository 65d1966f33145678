import {InvalidParameterError, type PointSet, type UnsupportedDimensionError} from '@epsball/clustering';
import * as choices from '@epsball/clustering/catalogue';
import {catalogue} from './catalogue.ts';
import type {CatalogueRow} from './catalogueRow.ts';
import {SEQUENTIAL_CANDIDATES_MAX} from './crossover.ts';
import {estimateCandidates} from './estimateCandidates.ts';

/**
 * Number of points from which `backend: 'auto'` tries a hardware GPU, then worker threads.
 *
 * A device and its pipelines take 0.6 to 0.8 s to open, once (NVIDIA H200). `sequential` takes 0.1 s for 100,000 points
 * of the dataset `milanesi`, 0.6 s for 300,000 and 6 s for a million, because the points get denser with n. A million
 * uniform points take it 0.3 s, and an open GPU 0.07 s. So no number suits all data. From here on, a needless GPU costs
 * less than a second, once, and a needless CPU run costs seconds each time. An open device is faster from about 10,000
 * points on (4 ms against 7 ms), but `auto` does not know how many runs follow.
 */
export const GPU_PAYS_FROM = 100_000;

/** `validateRequest` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function validateRequest(request: choices.VariantRequest): void {
  choices.validateRequest(catalogue, request);
}

/** `rankChoices` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function rankChoices(
  request: choices.VariantRequest,
  n: number,
  dim: number,
  gpuRequested: boolean,
): readonly choices.Choice<CatalogueRow>[] {
  return choices.rankChoices(catalogue, request, {n, dim, gpuRequested, gpuPaysFrom: GPU_PAYS_FROM});
}

/**
 * Replaces `pds` on the calling thread by `sequential` if `pds` is the first choice and a sample of the points is
 * sparse. `sequential` is up to 2.4 times as fast on sparse points and quadratic in crowded cells.
 *
 * @param ranked  as `rankChoices` returns them for the algorithm `auto`
 * @param points  need not be valid
 * @param eps     finite, > 0
 */
export function adaptToDensity(
  ranked: readonly choices.Choice<CatalogueRow>[],
  points: PointSet,
  eps: number,
): readonly choices.Choice<CatalogueRow>[] {
  const [{row, backend}, ...others] = ranked;
  if (row.id !== 'pds' || backend !== 'sequential') return ranked;
  const sequential = catalogue.find(({id}) => id === 'sequential');
  const isSparse = estimateCandidates(points, eps) < SEQUENTIAL_CANDIDATES_MAX[points.dim];
  return sequential !== undefined && isSparse ? [{row: sequential, backend}, ...others] : ranked;
}

/**
 * The rows for points in device memory, by falling preference.
 *
 * @param algorithm  a catalogue id, or `auto`
 * @returns          at least one row, each with `createOnDevice`
 * @throws InvalidParameterError  if the requested row has no `createOnDevice`; lists those that have
 */
export function rankDeviceRows(algorithm: string): readonly CatalogueRow[] {
  const able = choices.byPreference(catalogue, 'gpu').filter((row) => row.createOnDevice !== undefined);
  const requested = algorithm === 'auto' ? able : able.filter((row) => row.id === algorithm);
  if (requested.length > 0) return requested;
  const ids = able.map((row) => row.id);
  throw new InvalidParameterError('algorithm', algorithm, `one of auto, ${ids.join(', ')} for points on a device`);
}

/** `unsupportedDimension` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function unsupportedDimension(name: string, dim: number, maxDim: number): UnsupportedDimensionError {
  return choices.unsupportedDimension(catalogue, name, dim, maxDim);
}
