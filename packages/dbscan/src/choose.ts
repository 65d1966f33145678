import {InvalidParameterError, UnsupportedDimensionError} from '@epsball/clustering';
import {catalogue} from './catalogue.ts';
import {BACKENDS, type Backend, type CatalogueRow} from './catalogueRow.ts';
import {checkNames, givenNames, resolveOptions, type VariantOptionValues} from './variantOptions.ts';

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

export interface Wish {
  /** A catalogue id, or `auto`. */
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
  /** Of the named algorithm. */
  readonly options?: VariantOptionValues | undefined;
}

export interface Choice {
  readonly row: CatalogueRow;
  readonly backend: Backend;
}

/**
 * Checks a wish before any data is seen.
 *
 * @throws InvalidParameterError  if the algorithm is unknown, no row, or not the wished one, has the backend, or an option
 *                                is unknown, not allowed, or given without an algorithm
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
  if (wish.options !== undefined) validateWishedOptions(wish, wish.options);
}

function validateWishedOptions({algorithm, backend}: Wish, values: VariantOptionValues): void {
  const names = givenNames(values);
  if (names.length === 0) return;
  const [row] = wishedRows(algorithm);
  if (algorithm === 'auto') {
    throw new InvalidParameterError(
      'algorithm',
      algorithm,
      `a variant by its name, to which ${names.join(', ')} belongs`,
    );
  }
  const all = BACKENDS.flatMap((one) => (backend === 'auto' || backend === one ? (row.options[one] ?? []) : []));
  const unique = all.filter((option, k) => all.findIndex(({name}) => name === option.name) === k);
  checkNames(unique, values, backend === 'auto' ? row.id : `${row.id} on ${backend}`);
  const able = (backend === 'auto' ? row.backends : [backend]).filter((one) => hasOptions(row, one, values));
  if (able.length === 0) {
    throw new InvalidParameterError('options', names.join(', '), `options that one backend of ${row.id} has together`);
  }
  resolveOptions(row.options[able[0]] ?? [], values, row.id);
}

/** Whether a row has all given options on a backend. */
function hasOptions(row: CatalogueRow, backend: Backend, values: VariantOptionValues = {}): boolean {
  return givenNames(values).every((name) => row.options[backend]?.some((option) => option.name === name));
}

/**
 * The variants and backends to try for a point set, best first.
 *
 * 1. A wished algorithm or backend is kept; every other row and backend is left out, and so is a backend on which the
 *    algorithm lacks a wished option.
 * 2. Where the backend is `auto`: the GPU when it is asked for (an adapter, a device or a `Gpu` was named), else
 *    a hardware GPU from `GPU_PAYS_FROM` points on, else worker threads from there on, else the calling thread.
 * 3. Where the algorithm is `auto`: of the rows that have the backend and take the dimensions on it, the one whose
 *    preference on that backend is highest.
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
  for (const backend of wishedBackends(wish, rows, n, gpuAsked)) {
    const row = byPreference(rows, backend).find((candidate) => takes(candidate, backend, dim));
    if (row !== undefined) choices.push({row, backend});
  }
  if (choices.length === 0) throw noChoice(wish, rows, dim, gpuAsked);
  return choices;
}

/**
 * The rows to try for points that are on a device already, best first.
 *
 * @param algorithm  a catalogue id, or `auto`
 * @returns          at least one row, each with `createOnDevice`
 * @throws InvalidParameterError  if no row, or not the wished one, can; lists those that can
 */
export function rankDeviceRows(algorithm: string): readonly CatalogueRow[] {
  const able = byPreference(catalogue, 'gpu').filter((row) => row.createOnDevice !== undefined);
  const wished = algorithm === 'auto' ? able : able.filter((row) => row.id === algorithm);
  if (wished.length > 0) return wished;
  const ids = able.map((row) => row.id);
  throw new InvalidParameterError('algorithm', algorithm, `one of auto, ${ids.join(', ')} for points on a device`);
}

/** Whether a row takes so many dimensions on a backend. */
export function takes(row: CatalogueRow, backend: Backend, dim: number): boolean {
  return (row.maxDims[backend] ?? 0) >= dim;
}

/**
 * The error of the front door: it knows the catalogue, so it names what takes the dimensions.
 *
 * @param name    what does not take them: a catalogue id, or a description
 * @param maxDim  the dimensions that it takes
 */
export function unsupportedDimension(name: string, dim: number, maxDim: number): UnsupportedDimensionError {
  const others = catalogue
    .filter((row) => row.maxDim >= dim)
    .map((row) => (row.id === name ? `${name} on ${backendsFor(row, dim).join(' or ')}` : row.id));
  return new UnsupportedDimensionError(name, dim, maxDim, others);
}

function backendsFor(row: CatalogueRow, dim: number): readonly Backend[] {
  return row.backends.filter((backend) => takes(row, backend, dim));
}

/** The rows that have a backend, the preferred one first. */
function byPreference(rows: readonly CatalogueRow[], backend: Backend): readonly CatalogueRow[] {
  const preference = (row: CatalogueRow): number => row.preferences[backend] ?? -Infinity;
  return rows.filter((row) => row.backends.includes(backend)).toSorted((a, b) => preference(b) - preference(a));
}

function wishedRows(algorithm: string): readonly CatalogueRow[] {
  return algorithm === 'auto' ? catalogue : catalogue.filter((row) => row.id === algorithm);
}

/** Backends to try, best first. */
function wishedBackends(
  {backend: wished, options}: Wish,
  rows: readonly CatalogueRow[],
  n: number,
  gpuAsked: boolean,
): readonly Backend[] {
  if (wished !== 'auto') return [wished];
  const has = (backend: Backend): boolean =>
    rows.some((row) => row.backends.includes(backend) && hasOptions(row, backend, options));
  if (gpuAsked && has('gpu')) return ['gpu'];
  const order: readonly Backend[] =
    n >= GPU_PAYS_FROM ? ['gpu', 'workers', 'sequential'] : ['sequential', 'workers', 'gpu'];
  return order.filter(has);
}

/** No wished row takes the dimensions on a wished backend. */
function noChoice(
  wish: Wish,
  rows: readonly CatalogueRow[],
  dim: number,
  gpuAsked: boolean,
): UnsupportedDimensionError {
  const backend = wish.backend === 'auto' && gpuAsked ? 'gpu' : wish.backend;
  const maxDims = rows.map((row) => (backend === 'auto' ? row.maxDim : (row.maxDims[backend] ?? 0)));
  const name = wish.algorithm === 'auto' ? `the backend ${backend}` : wish.algorithm;
  return unsupportedDimension(name, dim, Math.max(...maxDims));
}
