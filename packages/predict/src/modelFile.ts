import {
  checkInteger,
  checkKnownOptions,
  filled,
  InvalidParameterError,
  metricRadius,
  validateDbscanParams,
  validatePoints,
  type PointSet,
  type RunOptions,
} from '@epsball/clustering';
import {KD_DIM_MAX} from '@epsball/kd-tree';
import {readArrowFile, type ArrowFile} from './arrowFile.ts';
import {checkMetric, HdbscanModel, type HdbscanModelState} from './hdbscanModel.ts';
import {DbscanModel, type ModelParams} from './model.ts';
import type {ModelPoints} from './modelPoints.ts';

const KEY = 'epsball.model';

/** Version of the format. A reader rejects other versions. */
const VERSION = 1;

const CLUSTER = 'cluster';
/** Float64 columns of a model of HDBSCAN* behind the coordinates: squared distances. */
const SQUARED = ['coreSquared', 'leavesSquared', 'birthSquared', 'deathSquared'] as const;

interface Header extends ModelPoints {
  readonly version: number;
  readonly algorithm?: 'hdbscan' | undefined;
  readonly params: ModelParams & HdbscanModelState['params'];
}

/**
 * Writes a model as one Arrow file (the IPC file format, `.arrow` or `.feather`). Each row is a core point of DBSCAN,
 * or a point of HDBSCAN*: float64 columns `x0`, `x1`, … in the space of the metric, and the int32 column `cluster`; of
 * HDBSCAN* also float64 columns of squared distances. The metadata `epsball.model` of the schema is JSON with the
 * version, the algorithm, the dimensions and the parameters.
 *
 * @returns  owned by the caller
 */
export async function saveModel({state}: DbscanModel | HdbscanModel): Promise<Uint8Array> {
  const {Field, Float64, Int32, makeData, RecordBatch, Schema, Struct, Table, tableToIPC} =
    await import('apache-arrow');
  const {params, dim, columns, clusters} = state;
  const isDbscan = 'core' in state;
  const points = isDbscan ? state.core : state.points;
  const header = {version: VERSION, ...(isDbscan ? {} : {algorithm: 'hdbscan'}), dim, columns, params};
  const axisOf = (d: number): Float64Array =>
    filled(new Float64Array(clusters.length), (k) => points.coords[k * points.dim + d]);
  const floats: [string, Float64Array][] = Array.from({length: points.dim}, (_, d) => [`x${d}`, axisOf(d)]);
  if (!isDbscan) floats.push(...SQUARED.map((name): [string, Float64Array] => [name, state[name]]));
  const fields = [
    ...floats.map(([name]) => new Field(name, new Float64(), false)),
    new Field(CLUSTER, new Int32(), false),
  ];
  const schema = new Schema(fields, new Map([[KEY, JSON.stringify(header)]]));
  const children = [
    ...floats.map(([, data]) => makeData({type: new Float64(), data})),
    makeData({type: new Int32(), data: clusters}),
  ];
  const length = clusters.length;
  const batch = new RecordBatch(schema, makeData({type: new Struct(fields), length, nullCount: 0, children}));
  return tableToIPC(new Table(schema, [batch]), 'file');
}

/**
 * Reads a model from the bytes of an Arrow file that `saveModel` wrote. Damaged bytes end in an error, or in a model
 * with other values: the format has no checksum.
 *
 * @param bytes    not modified
 * @param options  `onProgress` hears of the index
 * @throws InvalidParameterError  if the bytes are no such file, damaged, or of another version
 * @throws InvalidPointsError     if a coordinate is not finite
 * @complexity   O(n log n) for n rows; allocates the model and a copy of the bytes
 */
export async function loadModel(
  bytes: Uint8Array,
  options: Pick<RunOptions<'index'>, 'onProgress'> = {},
): Promise<DbscanModel | HdbscanModel> {
  checkKnownOptions(options, ['onProgress'], 'options', 'an object such as {onProgress}');
  const model = modelOf(bytes);
  model.index(options.onProgress);
  return model;
}

function modelOf(bytes: Uint8Array): DbscanModel | HdbscanModel {
  const file = checkedFile(bytes);
  const {algorithm, dim, columns, params} = headerOf(file.metadata.get(KEY));
  const isDbscan = algorithm === undefined;
  const points = pointsOf(file, isDbscan ? [CLUSTER] : [...SQUARED, CLUSTER], params);
  const clusters = columnOf(file, CLUSTER, Int32Array, 'int32');
  const expectedDim = params.metric === 'haversine' ? 2 : points.dim;
  if (dim !== expectedDim) throw new InvalidParameterError('dim', dim, `${expectedDim}, as its points have`);
  if (columns !== undefined && columns.length !== dim) {
    throw new InvalidParameterError('columns', columns.join(', '), `${dim} names, one a coordinate`);
  }
  const least = isDbscan ? 0 : -1;
  const bad = clusters.findIndex((cluster) => cluster < least);
  if (bad >= 0) throw new InvalidParameterError(`cluster[${bad}]`, clusters[bad], `an integer ≥ ${least}`);
  const kept = {params, dim, ...(columns === undefined ? {} : {columns})};
  if (isDbscan) return new DbscanModel({...kept, core: points, clusters});
  const [coreSquared, leavesSquared, birthSquared, deathSquared] = SQUARED.map((name) => squaredOf(file, name));
  return new HdbscanModel({...kept, points, clusters, coreSquared, leavesSquared, birthSquared, deathSquared});
}

/** The coordinates of a file whose other columns have these names. */
function pointsOf(
  file: ArrowFile,
  others: readonly string[],
  {metric}: Header['params'],
): PointSet & {readonly coords: Float64Array} {
  const dim = metric === 'haversine' ? 3 : file.columns.size - others.length;
  if (dim < 1 || dim > KD_DIM_MAX) throw new InvalidParameterError('dim', dim, `1 to ${KD_DIM_MAX}`);
  const coords = new Float64Array(file.rowCount * dim);
  for (let d = 0; d < dim; d++) {
    const values = columnOf(file, `x${d}`, Float64Array, 'float64');
    for (let k = 0; k < file.rowCount; k++) coords[k * dim + d] = values[k];
  }
  const points = {coords, dim};
  validatePoints(points);
  return points;
}

function squaredOf(file: ArrowFile, name: string): Float64Array {
  const values = columnOf(file, name, Float64Array, 'float64');
  const bad = values.findIndex((value) => !(value >= 0));
  if (bad >= 0) throw new InvalidParameterError(`${name}[${bad}]`, values[bad], 'a number ≥ 0');
  return values;
}

function checkedFile(bytes: Uint8Array): ArrowFile {
  try {
    return readArrowFile(bytes);
  } catch (error) {
    // Also of a read beyond the bytes.
    const why = error instanceof RangeError ? ` (${error.message})` : '';
    throw new InvalidParameterError('model', bytes, `the bytes of an Arrow file that saveModel wrote${why}`);
  }
}

function columnOf<Values extends Float64Array | Int32Array>(
  {columns}: ArrowFile,
  name: string,
  kind: new (...more: never[]) => Values,
  type: string,
): Values {
  const values = columns.get(name);
  if (values instanceof kind) return values;
  const names = [...columns.keys()].join(', ');
  throw new InvalidParameterError('model', names, `a column ${name} of ${type}`);
}

function headerOf(text: string | undefined): Header {
  let header: unknown;
  try {
    header = JSON.parse(text ?? 'null');
  } catch {
    header = null;
  }
  if (!isHeader(header)) throw new InvalidParameterError('model', text, `an Arrow file with the metadata ${KEY}`);
  if (header.version !== VERSION) {
    throw new InvalidParameterError(
      'model version',
      header.version,
      `${VERSION}; a newer @epsball/predict wrote the file`,
    );
  }
  const {params, algorithm} = header;
  if (algorithm === undefined) {
    validateDbscanParams({...metricRadius(params.eps, params), minPts: params.minPts});
    return header;
  }
  checkInteger('rank', params.rank, 1);
  const {rootSquared = 0} = params;
  if (!(rootSquared >= 0)) throw new InvalidParameterError('rootSquared', rootSquared, 'a number ≥ 0');
  checkMetric(params);
  return header;
}

function isHeader(value: unknown): value is Header {
  if (!isObject(value) || !isObject(value['params'])) return false;
  const {columns, algorithm} = value;
  const isList = Array.isArray(columns) && columns.every((name) => typeof name === 'string');
  const isKnown = algorithm === undefined || algorithm === 'hdbscan';
  return 'version' in value && 'dim' in value && isKnown && (columns === undefined || isList);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
