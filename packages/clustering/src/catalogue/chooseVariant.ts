import {InvalidParameterError, UnsupportedDimensionError} from '../errors.ts';
import type {VariantMetric} from '../metric/metric.ts';
import {describeNames} from '../nearestName.ts';
import type {WeightKind} from '../weights/integerWeights.ts';
import {checkNames, givenNames, resolveOptions, type VariantOptionValues} from './variantOptions.ts';
import {BACKENDS, type Backend, type VariantRow} from './variantRow.ts';

export type RankedRow = Pick<VariantRow<unknown, never>, 'id' | 'backends' | 'maxDim' | 'on'>;

/** The variant and backend that a caller requests. */
export interface VariantRequest {
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
  /** Options of the named algorithm. */
  readonly options?: VariantOptionValues | undefined;
}

export interface Choice<Row> {
  readonly row: Row;
  readonly backend: Backend;
}

/** The size of the points, and whether the caller requested the GPU. */
export interface ChoiceInput {
  readonly n: number;
  readonly dim: number;
  /** The caller named an adapter, a device or a `Gpu`. */
  readonly gpuRequested: boolean;
  /** Number of points from which a GPU, or else worker threads, come before the calling thread. Default: any. */
  readonly gpuPaysFrom?: number | undefined;
  /** The backends, best first, in place of that rule. */
  readonly order?: readonly Backend[] | undefined;
  /** What the run needs beyond points. Default: nothing. */
  readonly needs?: RunNeeds | undefined;
}

/** What a run needs that not every variant has. */
export interface RunNeeds {
  /** Default: `euclidean`. */
  readonly metric?: VariantMetric | undefined;
  /** The weights of the points. Default: none. */
  readonly weights?: WeightKind | undefined;
  /** The second radius, where neighbours are near in time, too. Default: none. */
  readonly epsTime?: number | undefined;
}

/**
 * Checks a request before any points are known.
 *
 * @throws InvalidParameterError  if the algorithm is unknown, the backend is unknown or the algorithm lacks it, or an
 *                                option is unknown, not allowed, or given without an algorithm
 */
export function validateRequest(catalogue: readonly RankedRow[], request: VariantRequest): void {
  if (request.backend !== 'auto' && !BACKENDS.includes(request.backend)) {
    throw new InvalidParameterError('backend', request.backend, `one of auto, ${BACKENDS.join(', ')}`);
  }
  if (request.algorithm !== 'auto' && !catalogue.some((row) => row.id === request.algorithm)) {
    const ids = catalogue.map((row) => row.id);
    throw new InvalidParameterError('algorithm', request.algorithm, describeNames(request.algorithm, ['auto', ...ids]));
  }
  const rows = requestedRows(catalogue, request.algorithm);
  const backends = BACKENDS.filter((backend) => rows.some((row) => row.backends.includes(backend)));
  if (request.backend !== 'auto' && !backends.includes(request.backend)) {
    const scope = request.algorithm === 'auto' ? '' : ` for ${request.algorithm}`;
    throw new InvalidParameterError('backend', request.backend, `one of auto, ${backends.join(', ')}${scope}`);
  }
  if (request.options !== undefined) validateRequestedOptions(rows[0], request, request.options);
}

function validateRequestedOptions(
  row: RankedRow,
  {algorithm, backend}: VariantRequest,
  values: VariantOptionValues,
): void {
  const names = givenNames(values);
  if (names.length === 0) return;
  if (algorithm === 'auto') {
    throw new InvalidParameterError(
      'algorithm',
      algorithm,
      `the name of an algorithm with the options ${names.join(', ')}`,
    );
  }
  const all = BACKENDS.flatMap((one) => (backend === 'auto' || backend === one ? (row.on[one]?.options ?? []) : []));
  const unique = all.filter((option, k) => all.findIndex(({name}) => name === option.name) === k);
  checkNames(unique, values, backend === 'auto' ? row.id : `${row.id} on ${backend}`);
  const able = (backend === 'auto' ? row.backends : [backend]).filter((one) => hasOptions(row, one, values));
  if (able.length === 0) {
    throw new InvalidParameterError('options', names.join(', '), `options of one backend of ${row.id}`);
  }
  resolveOptions(row.on[able[0]]?.options ?? [], values, row.id);
}

function hasOptions(row: RankedRow, backend: Backend, values: VariantOptionValues = {}): boolean {
  return givenNames(values).every((name) => row.on[backend]?.options.some((option) => option.name === name));
}

/**
 * The variants and backends to try for a point set, best first.
 *
 * 1. A requested algorithm or backend excludes all others. A requested option excludes the backends that lack it.
 * 2. If the backend is `auto`: the GPU if the caller named an adapter, a device or a `Gpu`; else, from `gpuPaysFrom`
 *    points on, a hardware GPU, then worker threads; else the calling thread. A given `order` replaces that rule.
 * 3. If the algorithm is `auto`: of the rows that have the backend and take the dimensions on it, the row with the
 *    highest preference on that backend.
 * 4. Rows and backends with an index for the dimensions come before those that test all pairs, in 2. and in 3.
 *
 * A GPU that the caller did not request is optional: without a hardware adapter, or with too little memory, the next
 * choice follows. The last choice is always tried.
 *
 * Weights whose sums int32 does not hold run on a processor, even if the caller requested the GPU: see
 * `refusedByWeights`.
 *
 * @param request  as checked by `validateRequest`
 * @returns     at least one choice
 * @throws UnsupportedDimensionError  if no requested row takes `dim`; names the rows that do
 * @throws InvalidParameterError      if no requested row has the metric, or takes weights or times; names
 *                                    the rows that do
 */
export function rankChoices<Row extends RankedRow>(
  catalogue: readonly Row[],
  request: VariantRequest,
  input: ChoiceInput,
): readonly Choice<Row>[] {
  const choices = bestOfBackends(catalogue, request, input);
  if (choices.length === 0) {
    const refused = refusedByWeights(catalogue, request, input);
    if (refused.length > 0)
      return rankChoices(catalogue, {...request, backend: 'auto'}, {...input, gpuRequested: false});
    throw noChoice(catalogue, request, input);
  }
  // The sort is stable: it keeps the order of backends within each half.
  return choices.toSorted((a, b) => Number(hasIndex(b, input)) - Number(hasIndex(a, input)));
}

/** The choices that come before those of `rankChoices`, but for weights whose sums int32 does not hold. */
export function refusedByWeights<Row extends RankedRow>(
  catalogue: readonly Row[],
  request: VariantRequest,
  input: ChoiceInput,
): readonly Choice<Row>[] {
  const {needs, dim} = input;
  const rows = requestedRows(catalogue, request.algorithm);
  const isMet = needs?.weights === 'any' && rows.some((row) => row.backends.some((one) => meets(row, one, needs)));
  if (!isMet) return [];
  const relaxed = bestOfBackends(catalogue, request, {...input, needs: {...needs, weights: 'int32'}});
  const first = relaxed.findIndex(({backend}) =>
    rows.some((row) => takes(row, backend, dim) && meets(row, backend, needs)),
  );
  return first < 0 ? relaxed : relaxed.slice(0, first);
}

/** The best row that fits on each requested backend. */
function bestOfBackends<Row extends RankedRow>(
  catalogue: readonly Row[],
  request: VariantRequest,
  input: ChoiceInput,
): Choice<Row>[] {
  const {dim, needs} = input;
  const rows = requestedRows(catalogue, request.algorithm);
  return requestedBackends(request, rows, input).flatMap((backend) => {
    const able = byPreference(rows, backend)
      .filter((row) => takes(row, backend, dim) && meets(row, backend, needs))
      .map((row) => ({row, backend}));
    return able.find((choice) => hasIndex(choice, input)) ?? able.slice(0, 1);
  });
}

function hasIndex({row, backend}: Choice<RankedRow>, {dim, needs}: ChoiceInput): boolean {
  const {maxIndexedDim = 0, maxIndexedDimInTime = 0} = row.on[backend] ?? {};
  return (needs?.epsTime === undefined ? maxIndexedDim : maxIndexedDimInTime) >= dim;
}

function meets(row: RankedRow, backend: Backend, {metric = 'euclidean', weights, epsTime}: RunNeeds = {}): boolean {
  const entry = row.on[backend];
  if (entry?.metrics.includes(metric) !== true || (epsTime !== undefined && entry.maxIndexedDimInTime === undefined))
    return false;
  return weights === undefined || entry.weights === 'any' || entry.weights === weights;
}

/** The error if requested rows take the dimensions, but not what a run needs. Names the rows that do. */
function unmetNeeds(
  catalogue: readonly RankedRow[],
  {algorithm, backend}: VariantRequest,
  needs: RunNeeds,
): InvalidParameterError {
  const able = catalogue.flatMap((row) => {
    const backends = row.backends.filter((one) => meets(row, one, needs));
    return backends.length === 0 ? [] : [`${row.id} on ${backends.join(' or ')}`];
  });
  const subject = algorithm === 'auto' ? `the backend ${backend}` : algorithm;
  const scope = backend === 'auto' || algorithm === 'auto' ? subject : `${subject} on ${backend}`;
  const {metric = 'euclidean', epsTime} = needs;
  const [parameter, value, what] =
    epsTime !== undefined
      ? ['epsTime', epsTime, 'no epsTime']
      : metric === 'euclidean'
        ? ['sampleWeight', [], 'no weights']
        : (['metric', metric, 'euclidean, haversine or cosine'] as const);
  return new InvalidParameterError(parameter, value, `${what} for ${scope} (${able.join(', ')} can)`);
}

/** Whether a row takes points of `dim` dimensions on a backend. */
export function takes(row: RankedRow, backend: Backend, dim: number): boolean {
  return (row.on[backend]?.maxDim ?? 0) >= dim;
}

/**
 * The error for too many dimensions of `name`, a catalogue id or a description. It names the variants that take them.
 */
export function unsupportedDimension(
  catalogue: readonly RankedRow[],
  name: string,
  dim: number,
  maxDim: number,
): UnsupportedDimensionError {
  const others = catalogue
    .filter((row) => row.maxDim >= dim)
    .map((row) => {
      const backends = row.backends.filter((backend) => takes(row, backend, dim));
      return row.id === name ? `${name} on ${backends.join(' or ')}` : row.id;
    });
  return new UnsupportedDimensionError(name, dim, maxDim, others);
}

/** The rows that have a backend, by falling preference. */
export function byPreference<Row extends RankedRow>(rows: readonly Row[], backend: Backend): readonly Row[] {
  const preference = (row: Row): number => row.on[backend]?.preference ?? -Infinity;
  return rows.filter((row) => row.backends.includes(backend)).toSorted((a, b) => preference(b) - preference(a));
}

function requestedRows<Row extends RankedRow>(catalogue: readonly Row[], algorithm: string): readonly Row[] {
  return algorithm === 'auto' ? catalogue : catalogue.filter((row) => row.id === algorithm);
}

function requestedBackends(
  {backend: requested, options}: VariantRequest,
  rows: readonly RankedRow[],
  {n, gpuRequested, gpuPaysFrom = 0, order: given}: ChoiceInput,
): readonly Backend[] {
  if (requested !== 'auto') return [requested];
  const has = (backend: Backend): boolean =>
    rows.some((row) => row.backends.includes(backend) && hasOptions(row, backend, options));
  if (gpuRequested && has('gpu')) return ['gpu'];
  const order: readonly Backend[] =
    given ?? (n >= gpuPaysFrom ? ['gpu', 'workers', 'sequential'] : ['sequential', 'workers', 'gpu']);
  return order.filter(has);
}

function noChoice(
  catalogue: readonly RankedRow[],
  request: VariantRequest,
  {dim, gpuRequested, needs = {}}: ChoiceInput,
): UnsupportedDimensionError | InvalidParameterError {
  const rows = requestedRows(catalogue, request.algorithm);
  const backend = request.backend === 'auto' && gpuRequested ? 'gpu' : request.backend;
  const tried = backend === 'auto' ? BACKENDS : [backend];
  if (rows.some((row) => tried.some((one) => takes(row, one, dim)))) {
    return unmetNeeds(catalogue, {...request, backend}, needs);
  }
  const maxDims = rows.map((row) => (backend === 'auto' ? row.maxDim : (row.on[backend]?.maxDim ?? 0)));
  const name = request.algorithm === 'auto' ? `the backend ${backend}` : request.algorithm;
  const able = catalogue.filter((row) => row.backends.some((one) => meets(row, one, needs)));
  const scope = needs.epsTime !== undefined ? `${name}, the time counted` : name;
  return unsupportedDimension(able, scope, dim, Math.max(...maxDims));
}
