import {InvalidParameterError, metricRadius, validateDbscanParams, validatePoints} from '@epsball/clustering';
import {KD_DIM_MAX} from '@epsball/kd-tree';
import {readArrowFile, type ArrowFile} from './arrowFile.ts';
import {DbscanModel, type ModelParams} from './model.ts';

const KEY = 'epsball.model';

/** Version of the format. A reader rejects other versions. */
const VERSION = 1;

const CLUSTER = 'cluster';

interface Header {
  readonly version: number;
  readonly dim: number;
  readonly columns?: readonly string[] | undefined;
  readonly params: ModelParams;
}

/**
 * Writes a model as one Arrow file (the IPC file format, `.arrow` or `.feather`). Each row is a core point: float64
 * columns `x0`, `x1`, … in the space of the metric, and the int32 column `cluster`. The metadata `epsball.model` of the
 * schema is JSON with the version, the dimensions and the parameters.
 *
 * @returns  owned by the caller
 */
export async function saveModel({state}: DbscanModel): Promise<Uint8Array> {
  const {Field, Float64, Int32, makeData, RecordBatch, Schema, Struct, Table, tableToIPC} =
    await import('apache-arrow');
  const {params, dim, columns, core, clusters} = state;
  const header: Header = {version: VERSION, dim, columns, params};
  const fields = [
    ...Array.from({length: core.dim}, (_, d) => new Field(`x${d}`, new Float64(), false)),
    new Field(CLUSTER, new Int32(), false),
  ];
  const schema = new Schema(fields, new Map([[KEY, JSON.stringify(header)]]));
  const n = clusters.length;
  const axisOf = (d: number): Float64Array => Float64Array.from(clusters, (_, k) => core.coords[k * core.dim + d]);
  const children = [
    ...Array.from({length: core.dim}, (_, d) => makeData({type: new Float64(), data: axisOf(d)})),
    makeData({type: new Int32(), data: clusters}),
  ];
  const batch = new RecordBatch(schema, makeData({type: new Struct(fields), length: n, nullCount: 0, children}));
  return tableToIPC(new Table(schema, [batch]), 'file');
}

/**
 * Reads a model from the bytes of an Arrow file that `saveModel` wrote. Damaged bytes end in an error, or in a model
 * with other values: the format has no checksum.
 *
 * @param bytes  not modified
 * @throws InvalidParameterError  if the bytes are no such file, damaged, or of another version
 * @throws InvalidPointsError     if a coordinate is not finite
 * @complexity   O(n log n) for n core points; allocates the model and a copy of the bytes
 */
export async function loadModel(bytes: Uint8Array): Promise<DbscanModel> {
  const file = checkedFile(bytes);
  const {dim, columns, params} = headerOf(file.metadata.get(KEY));
  const coreDim = params.metric === 'haversine' ? 3 : file.columns.size - 1;
  const axes = Array.from({length: coreDim}, (_, d) => columnOf(file, `x${d}`, Float64Array, 'float64'));
  const clusters = columnOf(file, CLUSTER, Int32Array, 'int32');
  const expectedDim = params.metric === 'haversine' ? 2 : coreDim;
  if (dim !== expectedDim) throw new InvalidParameterError('dim', dim, `${expectedDim}, as its core points have`);
  if (coreDim < 1 || coreDim > KD_DIM_MAX) throw new InvalidParameterError('dim', coreDim, `1 to ${KD_DIM_MAX}`);
  if (columns !== undefined && columns.length !== dim) {
    throw new InvalidParameterError('columns', columns.join(', '), `${dim} names, one a coordinate`);
  }
  const coords = new Float64Array(file.rowCount * coreDim);
  for (const [d, values] of axes.entries()) {
    for (let k = 0; k < file.rowCount; k++) coords[k * coreDim + d] = values[k];
  }
  const bad = clusters.findIndex((cluster) => cluster < 0);
  if (bad >= 0) throw new InvalidParameterError(`cluster[${bad}]`, clusters[bad], 'an integer ≥ 0');
  const core = {coords, dim: coreDim};
  validatePoints(core);
  return new DbscanModel({params, dim, ...(columns === undefined ? {} : {columns}), core, clusters});
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
  const {params} = header;
  validateDbscanParams({...metricRadius(params.eps, params), minPts: params.minPts});
  return header;
}

function isHeader(value: unknown): value is Header {
  if (!isObject(value) || !isObject(value['params'])) return false;
  const {columns} = value;
  const isList = Array.isArray(columns) && columns.every((name) => typeof name === 'string');
  return 'version' in value && 'dim' in value && (columns === undefined || isList);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
