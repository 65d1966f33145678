import {writePoints} from '@epsball/datasets';
import {
  compressionRegistry,
  CompressionType,
  Decimal,
  Dictionary,
  Float16,
  Float32,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatchFileWriter,
  Table,
  tableToIPC,
  TimestampMillisecond,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import {File as Hdf5File, ready} from 'h5wasm/node';
import {parquetWriteFile, type ColumnSource} from 'hyparquet-writer';
import {writeFileSync} from 'node:fs';
import {COORDS, LAT, LON, text, type FileKind} from './fileKinds.ts';
import {zipOf} from './zipOf.ts';

/** A NumPy file. */
function npy(descr: string, shape: string, data: Uint8Array, order = 'False'): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`.padEnd(117) + '\n';
  const head = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0);
  return Buffer.concat([head, Buffer.from(header, 'latin1'), data]);
}

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const F64 = bytesOf(Float64Array.from(COORDS));
const HALF: Readonly<Record<number, number>> = {52: 0x5280, 13: 0x4a80, 14: 0x4b00, 48: 0x5200, 2: 0x4000, 3: 0x4200};
const HALVES = Uint16Array.from(COORDS, (x) => HALF[x]);

export const ARRAYS: readonly FileKind[] = [
  text('NPY', 'a.npy', npy('<f8', '(4, 2)', F64)),
  text('NPY in Fortran order', 'a.npy', npy('<f8', '(4, 2)', bytesOf(Float64Array.from([...LAT, ...LON])), 'True')),
  text('NPY of float16', 'a.npy', npy('<f2', '(4, 2)', bytesOf(HALVES))),
  text('NPY of int16', 'a.npy', npy('<i2', '(4, 2)', bytesOf(Int16Array.from(COORDS)))),
  text('NPY with the other byte order', 'a.npy', npy('>f8', '(4, 2)', Buffer.from(F64).swap64())),
  text('NPY of a vector', 'a.npy', npy('<f8', '(8,)', F64), {refused: '--dim', typed: ['--dim', '2']}),
  text('NPZ', 'a.npz', zipOf('p.npy', npy('<f8', '(4, 2)', F64))),
  text('NPZ of several arrays', 'a.npz', zipOf('p.npy', npy('<f8', '(4, 2)', F64), 'q.npy', npy('<f8', '(8,)', F64)), {
    refused: '--dataset with one of: p, q',
    typed: ['--dataset', 'p'],
  }),
  text('raw float32', 'a.f32', bytesOf(Float32Array.from(COORDS)), {refused: '--dim', typed: ['--dim', '2']}),
  text('raw float64', 'a.f64', F64, {flags: ['--dim', '2']}),
  {kind: 'HDF5', file: 'a.h5', write: (path) => writePoints(path, {coords: Float64Array.from(COORDS), dim: 2})},
  {
    kind: 'HDF5 with several datasets',
    file: 'a.hdf5',
    refused: '--dataset with one of: p (4, 2); q (4, 2)',
    typed: ['--dataset', 'p'],
    write: async (path) => {
      await ready;
      const file = new Hdf5File(path, 'w');
      for (const name of ['p', 'q']) file.create_dataset({name, data: Float64Array.from(COORDS), shape: [4, 2]});
      file.close();
    },
  },
];

type Compression = NonNullable<Parameters<typeof parquetWriteFile>[0]['codec']>;

function parquet(
  kind: string,
  columns: readonly ColumnSource[],
  more: Partial<FileKind> & {readonly codec?: Compression} = {},
): FileKind {
  const {codec, ...others} = more;
  const write = (filename: string): void => {
    parquetWriteFile({filename, columnData: [...columns], ...(codec && {codec})});
  };
  return {kind, file: 'a.parquet', write, ...others};
}

/** A point in WKB. */
function wkb(x: number, y: number): Uint8Array {
  return Buffer.concat([Uint8Array.of(1, 1, 0, 0, 0), bytesOf(Float64Array.of(x, y))]);
}

const lat: ColumnSource = {name: 'lat', data: [...LAT], type: 'DOUBLE'};
const lon: ColumnSource = {name: 'lon', data: [...LON], type: 'DOUBLE'};
const city: ColumnSource = {name: 'city', data: ['a', 'b', 'c', 'd'], type: 'STRING'};
const at: ColumnSource = {name: 'at', data: [1, 2, 3, 4].map((day) => new Date(2024, 4, day)), type: 'TIMESTAMP'};
const gap = {type: 'DOUBLE', nullable: true} as const;
const trips = ['start_lat', 'start_lng', 'end_lat', 'end_lng'].map((name, k): ColumnSource => {
  return {name, data: k === 0 ? [...LAT] : k === 1 ? [...LON] : [9, 2, 7, 4], type: 'DOUBLE'};
});

export const PARQUET: readonly FileKind[] = [
  parquet('Parquet', [lat, lon]),
  parquet('Parquet of INT32', [
    {name: 'lat', data: [...LAT], type: 'INT32'},
    {name: 'lon', data: [...LON], type: 'INT32'},
  ]),
  parquet('Parquet of INT64', [
    {name: 'lat', data: LAT.map(BigInt), type: 'INT64'},
    {name: 'lon', data: LON.map(BigInt), type: 'INT64'},
  ]),
  parquet('Parquet of FLOAT', [
    {name: 'lat', data: [...LAT], type: 'FLOAT'},
    {name: 'lon', data: [...LON], type: 'FLOAT'},
  ]),
  parquet('Parquet with text and times beside', [city, lat, at, lon]),
  parquet('Parquet, uncompressed', [lat, lon], {codec: 'UNCOMPRESSED'}),
  parquet('Parquet with two places', trips, {refused: '--columns start_lat,start_lng or --columns end_lat,end_lng'}),
  parquet('GeoParquet beside numbers', [
    {name: 'height', data: [1, 9, 1, 9], type: 'DOUBLE'},
    {name: 'at', data: LAT.map((y, k) => ({type: 'Point', coordinates: [LON[k], y]})), type: 'GEOMETRY'},
  ]),
  parquet(
    'Parquet of WKB',
    [
      {name: 'name', data: ['a', 'b', 'c', 'd'], type: 'STRING'},
      {name: 'geometry', data: LAT.map((y, k) => wkb(LON[k], y)), type: 'BYTE_ARRAY'},
    ],
    {refused: 'SELECT ST_GeomFromWKB(geometry) AS place FROM'},
  ),
  parquet(
    'Parquet with null',
    [
      {name: 'lat', data: [...LAT, null], ...gap},
      {name: 'lon', data: [...LON, 5], ...gap},
    ],
    {refused: '--missing noise', typed: ['--missing', 'drop']},
  ),
];

type Vectors = Readonly<Record<string, Vector>>;

function arrow(
  kind: string,
  columns: Vectors,
  more: Partial<FileKind> & {readonly as?: 'file' | 'stream'} = {},
): FileKind {
  const {as = 'file', ...others} = more;
  const write = (path: string): void => writeFileSync(path, tableToIPC(new Table(columns), as));
  return {kind, file: 'a.arrow', write, ...others};
}

const doubles: Vectors = {lat: vectorFromArray([...LAT], new Float64()), lon: vectorFromArray([...LON], new Float64())};
const names = vectorFromArray(['a', 'b', 'a', 'b'], new Dictionary(new Utf8(), new Int32()));

function halves(values: readonly number[]): Vector {
  return new Vector([makeData({type: new Float16(), data: Uint16Array.from(values, (x) => HALF[x])})]);
}

/** Hundredths. */
function decimals(values: readonly number[]): Vector {
  const words = Uint32Array.from(values.flatMap((x) => [100 * x, 0, 0, 0]));
  return new Vector([makeData({type: new Decimal(2, 10, 128), data: words, length: values.length})]);
}

/** A frame of LZ4 that stores its bytes. */
function lz4Of(bytes: Uint8Array): Uint8Array {
  const sizes = new Uint8Array(4);
  new DataView(sizes.buffer).setUint32(0, 0x8000_0000 + bytes.length, true);
  return Uint8Array.from([4, 0x22, 0x4d, 0x18, 0x40, 0x40, 0, ...sizes, ...bytes, 0, 0, 0, 0]);
}

/** As pandas writes it by default. */
async function writeFeather(path: string): Promise<void> {
  compressionRegistry.set(CompressionType.LZ4_FRAME, {encode: lz4Of});
  const writer = new RecordBatchFileWriter({compressionType: CompressionType.LZ4_FRAME});
  writer.writeAll(new Table(doubles));
  writeFileSync(path, await writer.toUint8Array());
}

export const ARROW: readonly FileKind[] = [
  arrow('Arrow', doubles),
  arrow('Arrow stream', doubles, {as: 'stream'}),
  {kind: 'Feather with LZ4', file: 'a.feather', write: writeFeather},
  arrow('Arrow of Float32', {
    lat: vectorFromArray([...LAT], new Float32()),
    lon: vectorFromArray([...LON], new Float32()),
  }),
  arrow('Arrow of Float16', {lat: halves(LAT), lon: halves(LON)}),
  arrow('Arrow of Int64', {
    lat: vectorFromArray(LAT.map(BigInt), new Int64()),
    lon: vectorFromArray(LON.map(BigInt), new Int64()),
  }),
  arrow('Arrow of decimals', {lat: decimals(LAT), lon: decimals(LON)}),
  arrow('Arrow with a dictionary and times beside', {
    name: names,
    ...doubles,
    at: vectorFromArray([1, 2, 3, 4], new TimestampMillisecond()),
  }),
  arrow(
    'Arrow with null',
    {lat: vectorFromArray([...LAT, null], new Float64()), lon: vectorFromArray([...LON, 9], new Float64())},
    {refused: '--missing noise', typed: ['--missing', 'drop']},
  ),
];
