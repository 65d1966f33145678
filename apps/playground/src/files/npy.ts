import {FileError, type FilePoints} from './table.ts';

/** Values of a NumPy array by its type: `<f4` and so on. Little-endian, as every machine that runs a browser. */
const TYPES = {
  '<f4': Float32Array,
  '<f8': Float64Array,
  '<i4': Int32Array,
  '<i2': Int16Array,
  '|i1': Int8Array,
  '<u4': Uint32Array,
  '<u2': Uint16Array,
  '|u1': Uint8Array,
} as const;

type TypeName = keyof typeof TYPES;

/** Bytes that a header may have. */
const HEADER_BYTES_MAX = 2 ** 16;

/**
 * Reads an n × dim array in C or Fortran order, or a vector as points on a line.
 *
 * @throws FileError  if the file is not NPY, is truncated, or has another shape or type
 * @source NumPy Enhancement Proposal 1
 */
export async function readNpyFile(file: File): Promise<FilePoints> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  if (String.fromCharCode(...head.slice(1, 6)) !== 'NUMPY') throw new FileError(file.name, 'is not an NPY file');
  const view = new DataView(head.buffer);
  const isLong = head[6] > 1;
  const length = isLong ? view.getUint32(8, true) : view.getUint16(8, true);
  const start = (isLong ? 12 : 10) + length;
  if (length > HEADER_BYTES_MAX) throw new FileError(file.name, 'is damaged; expected a header');
  const header = await file.slice(isLong ? 12 : 10, start).text();
  const [, descr = ''] = /'descr'\s*:\s*'([^']*)'/.exec(header) ?? [];
  const shape = [...(/'shape'\s*:\s*\(([^)]*)\)/.exec(header)?.[1] ?? '').matchAll(/\d+/g)].map(Number);
  if (!isTypeName(descr)) {
    throw new FileError(file.name, `has type ${descr || '?'}; expected one of ${Object.keys(TYPES).join(', ')}`);
  }
  if (shape.length < 1 || shape.length > 2 || shape[1] === 0) {
    throw new FileError(file.name, `has shape (${shape.join(', ')}); expected (n, dim)`);
  }
  const [n, dim = 1] = shape;
  const Values = TYPES[descr];
  const bytes = n * dim * Values.BYTES_PER_ELEMENT;
  if (file.size < start + bytes) {
    throw new FileError(file.name, `is truncated: ${file.size} bytes; expected ${start + bytes}`);
  }
  const values = new Values(await file.slice(start, start + bytes).arrayBuffer());
  const isFortran = /'fortran_order'\s*:\s*True/.test(header);
  return {coords: pointMajor(values, n, dim, isFortran), dim, columns: [], available: []};
}

function isTypeName(descr: string): descr is TypeName {
  return descr in TYPES;
}

function pointMajor(
  values: InstanceType<(typeof TYPES)[TypeName]>,
  n: number,
  dim: number,
  isFortran: boolean,
): Float32Array | Float64Array {
  const isFloat = values instanceof Float32Array || values instanceof Float64Array;
  if (isFloat && (!isFortran || dim === 1)) return values;
  const coords =
    values.BYTES_PER_ELEMENT < 4 || values instanceof Float32Array
      ? new Float32Array(n * dim)
      : new Float64Array(n * dim);
  for (let k = 0; k < values.length; k++) coords[isFortran ? (k % n) * dim + Math.floor(k / n) : k] = values[k];
  return coords;
}
