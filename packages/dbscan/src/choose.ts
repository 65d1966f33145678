import {InvalidParameterError, type PointSet, type UnsupportedDimensionError} from '@epsball/clustering';
import * as choices from '@epsball/clustering/catalogue';
import {catalogue} from './catalogue.ts';
import type {CatalogueRow} from './catalogueRow.ts';
import {CROWDED_CANDIDATES, CROWDED_SHARE_4D, GPU_PAYS_FROM, SEQUENTIAL_CANDIDATES_MAX} from './crossovers.ts';
import {estimateCandidates} from './estimateCandidates.ts';
import {backendOrder, type RunSize} from './predict.ts';

/** `validateRequest` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function validateRequest(request: choices.VariantRequest): void {
  choices.validateRequest(catalogue, request);
}

/** `rankChoices` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function rankChoices(
  request: choices.VariantRequest,
  size: RunSize,
  gpuRequested: boolean,
): readonly choices.Choice<CatalogueRow>[] {
  const {n, dim} = size;
  const order = backendOrder(size);
  return choices.rankChoices(catalogue, request, {n, dim, gpuRequested, gpuPaysFrom: GPU_PAYS_FROM, order});
}

/**
 * Replaces `pds` by what suits the density of the points, estimated by a sample: `sequential` on the calling thread for
 * sparse points, where it is up to 2.4 times as fast, and `dense-grid` for crowded ones, where `sequential` is
 * quadratic and `pds` may be.
 *
 * Beyond the dimensions of grids nothing is replaced.
 *
 * @param ranked      as `rankChoices` returns them for the algorithm `auto`
 * @param candidates  mean number of candidates of a point; Infinity if unknown, as if points were crowded
 */
export function adaptToDensity(
  ranked: readonly choices.Choice<CatalogueRow>[],
  dim: number,
  n: number,
  candidates: number,
): readonly choices.Choice<CatalogueRow>[] {
  if (dim > MAX_SAMPLED_DIM) return ranked;
  const isCrowded = candidates > crowdedFrom(n, dim);
  const isSparse = candidates < SEQUENTIAL_CANDIDATES_MAX[dim];
  return ranked.map(({row, backend}) => {
    if (row.id !== 'pds') return {row, backend};
    if (isCrowded) return {row: rowOf('dense-grid'), backend};
    return isSparse && backend === 'sequential' ? {row: rowOf('sequential'), backend} : {row, backend};
  });
}

/**
 * The candidates of `RunSize`, estimated; undefined in dimensions without a grid.
 *
 * @param points  need not be valid
 * @param eps     finite, > 0
 */
export function sampleCandidates(points: PointSet, eps: number, isOneShot: boolean): number | undefined {
  return points.dim > MAX_SAMPLED_DIM ? undefined : estimateCandidates(points, eps, isOneShot);
}

/** Dimensions of grids, for which the constants are. */
const MAX_SAMPLED_DIM = 4;

function crowdedFrom(n: number, dim: number): number {
  return dim < MAX_SAMPLED_DIM ? CROWDED_CANDIDATES : Math.max(CROWDED_CANDIDATES, CROWDED_SHARE_4D * n);
}

function rowOf(id: string): CatalogueRow {
  const row = catalogue.find((one) => one.id === id);
  if (row === undefined) throw new Error(`no row ${id} in the catalogue`);
  return row;
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
