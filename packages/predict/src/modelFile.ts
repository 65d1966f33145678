import {
  InvalidParameterError,
  metricRadius,
  validateDbscanParams,
  validatePoints,
  type PointSet,
} from '@epsball/clustering';
import {DbscanModel, type ModelParams} from './model.ts';

/** Key of the metadata of a model file. */
const KEY = 'epsball.model';

/** Version of the format. A reader rejects other versions. */
const VERSION = 1;

const CLUSTER = 'cluster';

/** The metadata of a model file, as JSON. */
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
  const children = [
    ...Array.from({length: core.dim}, (_, d) => makeData({type: new Float64(), data: axisOf(core, d)})),
    makeData({type: new Int32(), data: clusters}),
  ];
  const batch = new RecordBatch(schema, makeData({type: new Struct(fields), length: n, nullCount: 0, children}));
  return tableToIPC(new Table(schema, [batch]), 'file');
}

/**
 * Reads a model from the bytes of an Arrow file that `saveModel` wrote.
 *
 * @param bytes  not modified
 * @throws InvalidParameterError  if the bytes are no such file, or of another version
 * @throws InvalidPointsError     if a coordinate is not finite
 */
export async function loadModel(bytes: Uint8Array): Promise<DbscanModel> {
  const {tableFromIPC} = await import('apache-arrow');
  let table;
  try {
    table = tableFromIPC(bytes);
  } catch {
    throw new InvalidParameterError('model', bytes, 'the bytes of an Arrow file that saveModel wrote');
  }
  const {dim, columns, params} = headerOf(table.schema.metadata.get(KEY));
  const column = (name: string): ArrayLike<number> => {
    const values: unknown = table.getChild(name)?.toArray();
    if (values instanceof Float64Array || values instanceof Int32Array) return values;
    throw new InvalidParameterError('model', table.schema.names.join(', '), `a column ${name} of numbers`);
  };
  const coreDim = table.schema.fields.length - 1;
  const n = table.numRows;
  const coords = new Float64Array(n * coreDim);
  for (let d = 0; d < coreDim; d++) {
    const values = column(`x${d}`);
    for (let k = 0; k < n; k++) coords[k * coreDim + d] = values[k];
  }
  const clusters = Int32Array.from(column(CLUSTER));
  const bad = clusters.findIndex((cluster) => cluster < 0);
  if (bad >= 0) throw new InvalidParameterError(`cluster[${bad}]`, clusters[bad], 'an integer ≥ 0');
  const core = {coords, dim: coreDim};
  validatePoints(core);
  return new DbscanModel({params, dim, ...(columns === undefined ? {} : {columns}), core, clusters});
}

/** The coordinates of all points on one axis. */
function axisOf({coords, dim}: PointSet, d: number): Float64Array {
  return Float64Array.from({length: coords.length / dim}, (_, k) => coords[k * dim + d]);
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
  return typeof value === 'object' && value !== null && 'version' in value && 'dim' in value && 'params' in value;
}
