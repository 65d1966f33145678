import {InvalidParameterError, pointCount, type PointSet, type Radius} from '@epsball/clustering';
import * as choices from '@epsball/clustering/catalogue';
import {catalogue} from './catalogue.ts';
import type {CatalogueRow} from './catalogueRow.ts';
import * as measured from './crossovers.ts';
import {estimateCandidates} from './estimateCandidates.ts';
import {GRID_DIM, type RunSize} from './predict.ts';

/**
 * Replaces `pds` by what suits the density of the points: `sequential` on the calling thread for sparse points, where
 * it is up to 2.4 times as fast, and `dense-grid` for crowded ones, where `sequential` is quadratic and `pds` may be.
 * Points that were not sampled count as crowded: should the run leave the GPU, nothing quadratic runs.
 */
export function adaptToDensity(
  ranked: readonly choices.Choice<CatalogueRow>[],
  size: RunSize,
): readonly choices.Choice<CatalogueRow>[] {
  const {dim, candidates = Infinity} = size;
  const isCrowded = dim <= GRID_DIM && candidates > crowdedFrom(size);
  return ranked.map(({row, backend}) => {
    if (row.id !== 'pds') return {row, backend};
    if (isCrowded) return {row: rowOf('dense-grid'), backend};
    return backend === 'sequential' && isSparse(size) ? {row: rowOf('sequential'), backend} : {row, backend};
  });
}

/** The candidates of `RunSize`, estimated; undefined where no choice depends on them. */
export function sampleCandidates(points: PointSet, radius: Radius, isOneShot: boolean): number | undefined {
  const isNeeded = points.dim <= GRID_DIM || (isOneShot && hasFewPairs(pointCount(points), points.dim));
  return isNeeded ? estimateCandidates(points, radius, isOneShot) : undefined;
}

function isSparse({n, dim, candidates = Infinity, isOneShot, isInTime = false}: RunSize): boolean {
  // With times `pds` takes half to three quarters of the time of `sequential`, also where no two points are near.
  if (!isInTime && dim <= GRID_DIM && candidates < measured.SEQUENTIAL_CANDIDATES_MAX[dim]) return true;
  return isOneShot && hasFewPairs(n, dim) && n * candidates * dim <= measured.COLD_CANDIDATE_COORDINATES;
}

function hasFewPairs(n: number, dim: number): boolean {
  return dim <= GRID_DIM || n * n * dim <= measured.COLD_PAIR_COORDINATES;
}

function crowdedFrom({n, dim, isInTime = false}: RunSize): number {
  if (isInTime) return measured.CROWDED_CANDIDATES_IN_TIME;
  return dim < GRID_DIM
    ? measured.CROWDED_CANDIDATES
    : Math.max(measured.CROWDED_CANDIDATES, measured.CROWDED_SHARE_4D * n);
}

function rowOf(id: string): CatalogueRow {
  const row = catalogue.find((one) => one.id === id);
  if (row === undefined) throw new Error(`no row ${id} in the catalogue`);
  return row;
}

/** The rows for points in device memory, by falling preference, at least one. */
export function rankDeviceRows(algorithm: string): readonly CatalogueRow[] {
  const able = choices.byPreference(catalogue, 'gpu').filter((row) => row.createOnDevice !== undefined);
  const requested = algorithm === 'auto' ? able : able.filter((row) => row.id === algorithm);
  if (requested.length > 0) return requested;
  const ids = able.map((row) => row.id);
  throw new InvalidParameterError('algorithm', algorithm, `one of auto, ${ids.join(', ')} for points on a device`);
}
