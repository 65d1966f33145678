import {InvalidParameterError, type UnsupportedDimensionError} from '@epsball/clustering';
import * as choices from '@epsball/clustering/catalogue';
import {catalogue} from './catalogue.ts';
import type {CatalogueRow} from './catalogueRow.ts';

/**
 * From this many points on, `backend: 'auto'` looks for a hardware GPU, and else takes worker threads.
 *
 * Opening a device and building its pipelines takes 0.6 to 0.8 s, once (NVIDIA H200). The sequential variant needs 0.1 s
 * for 100,000 points of the dataset `milanesi`, 0.6 s for 300,000 and 6 s for a million, because its points get denser
 * with n; for a million even ones it needs 0.3 s, where the open GPU needs 0.07 s. So no n is right for all data. Here a
 * GPU chosen in vain costs less than a second, once; the processor chosen in vain would cost seconds, every run.
 * An open device is ahead from about 10,000 points on (4 ms against 7 ms), but `auto` cannot know of further runs.
 */
export const GPU_PAYS_FROM = 100_000;

/** `validateWish` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function validateWish(wish: choices.Wish): void {
  choices.validateWish(catalogue, wish);
}

/** `rankChoices` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function rankChoices(
  wish: choices.Wish,
  n: number,
  dim: number,
  gpuAsked: boolean,
): readonly choices.Choice<CatalogueRow>[] {
  return choices.rankChoices(catalogue, wish, {n, dim, gpuAsked, gpuPaysFrom: GPU_PAYS_FROM});
}

/**
 * The rows to try for points that are on a device already, best first.
 *
 * @param algorithm  a catalogue id, or `auto`
 * @returns          at least one row, each with `createOnDevice`
 * @throws InvalidParameterError  if no row, or not the wished one, can; lists those that can
 */
export function rankDeviceRows(algorithm: string): readonly CatalogueRow[] {
  const able = choices.byPreference(catalogue, 'gpu').filter((row) => row.createOnDevice !== undefined);
  const wished = algorithm === 'auto' ? able : able.filter((row) => row.id === algorithm);
  if (wished.length > 0) return wished;
  const ids = able.map((row) => row.id);
  throw new InvalidParameterError('algorithm', algorithm, `one of auto, ${ids.join(', ')} for points on a device`);
}

/** `unsupportedDimension` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function unsupportedDimension(name: string, dim: number, maxDim: number): UnsupportedDimensionError {
  return choices.unsupportedDimension(catalogue, name, dim, maxDim);
}
