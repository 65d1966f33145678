import {InvalidParameterError, UnsupportedDimensionError} from '@epsball/clustering';
import {BACKENDS, catalogue, type Backend, type CatalogueRow} from './catalogue.ts';

/**
 * From this many points on, `backend: 'auto'` looks for a hardware GPU.
 *
 * Opening a device and building its pipelines takes 0.6 to 0.8 s, once (NVIDIA H200). The sequential variant needs 0.1 s
 * for 100,000 points of the dataset `milanesi`, 0.6 s for 300,000 and 6 s for a million, because its points get denser
 * with n; for a million even ones it needs 0.3 s, where the open GPU needs 0.07 s. So no n is right for all data. Here a
 * GPU chosen in vain costs less than a second, once; the processor chosen in vain would cost seconds, every run.
 * An open device is ahead from about 10,000 points on (4 ms against 7 ms), but `auto` cannot know of further runs.
 */
export const GPU_PAYS_FROM = 100_000;

export interface Wish {
  /** A catalogue id, or `auto`. */
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
}

export interface Choice {
  readonly row: CatalogueRow;
  readonly backend: Backend;
}

/**
 * Checks a wish before any data is seen.
 *
 * @throws InvalidParameterError  if the algorithm is unknown, or no row, or not the wished one, has the backend
 */
export function validateWish(wish: Wish): void {
  if (wish.algorithm !== 'auto' && !catalogue.some((row) => row.id === wish.algorithm)) {
    const ids = catalogue.map((row) => row.id);
    throw new InvalidParameterError('algorithm', wish.algorithm, `one of auto, ${ids.join(', ')}`);
  }
  const rows = wishedRows(wish.algorithm);
  const backends = BACKENDS.filter((backend) => rows.some((row) => row.backends.includes(backend)));
  if (wish.backend !== 'auto' && !backends.includes(wish.backend)) {
    const scope = wish.algorithm === 'auto' ? '' : ` for ${wish.algorithm}`;
    throw new InvalidParameterError('backend', wish.backend, `one of auto, ${backends.join(', ')}${scope}`);
  }
}

/**
 * The variants and backends to try for a point set, best first.
 *
 * 1. A wished algorithm or backend is kept; every other row and backend is left out.
 * 2. Where the backend is `auto`: the GPU when it is asked for (an adapter, a device or a `Gpu` was named), else
 *    a hardware GPU from `GPU_PAYS_FROM` points on, else worker threads from there on, else the calling thread.
 * 3. Where the algorithm is `auto`: the first catalogue row that has the backend and takes the dimensions.
 *
 * A GPU that was not asked for is a hope: the caller moves on where there is no hardware adapter, or where its
 * memory is too small. The last choice is one that is always tried.
 *
 * @param wish       as checked by `validateWish`
 * @param gpuAsked   an adapter, a device or a `Gpu` was named
 * @returns          at least one choice
 * @throws UnsupportedDimensionError  if no wished row takes `dim`; names the rows that can
 */
export function rankChoices(wish: Wish, n: number, dim: number, gpuAsked: boolean): readonly Choice[] {
  const rows = wishedRows(wish.algorithm);
  const choices: Choice[] = [];
  for (const backend of wishedBackends(wish.backend, rows, n, gpuAsked)) {
    const row = rows.find((candidate) => candidate.backends.includes(backend) && candidate.maxDim >= dim);
    if (row !== undefined) choices.push({row, backend});
  }
  if (choices.length === 0) throw unsupportedDimension(wish, rows, dim, gpuAsked);
  return choices;
}

function wishedRows(algorithm: string): readonly CatalogueRow[] {
  return algorithm === 'auto' ? catalogue : catalogue.filter((row) => row.id === algorithm);
}

/** Backends to try, best first. */
function wishedBackends(
  wished: Backend | 'auto',
  rows: readonly CatalogueRow[],
  n: number,
  gpuAsked: boolean,
): readonly Backend[] {
  if (wished !== 'auto') return [wished];
  const has = (backend: Backend): boolean => rows.some((row) => row.backends.includes(backend));
  if (gpuAsked && has('gpu')) return ['gpu'];
  const order: readonly Backend[] =
    n >= GPU_PAYS_FROM ? ['gpu', 'workers', 'sequential'] : ['sequential', 'workers', 'gpu'];
  return order.filter(has);
}

function unsupportedDimension(
  wish: Wish,
  rows: readonly CatalogueRow[],
  dim: number,
  gpuAsked: boolean,
): UnsupportedDimensionError {
  const backend = wish.backend === 'auto' && gpuAsked ? 'gpu' : wish.backend;
  const fitting = rows.filter((row) => backend === 'auto' || row.backends.includes(backend));
  const maxDim = Math.max(...fitting.map((row) => row.maxDim));
  const name = wish.algorithm === 'auto' ? `the backend ${backend}` : wish.algorithm;
  const others = catalogue.filter((row) => row.maxDim >= dim).map((row) => row.id);
  return new UnsupportedDimensionError(name, dim, maxDim, others);
}
