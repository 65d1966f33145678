import {DatasetFormatError} from './errors.ts';
import {readBytes, type OpenFile} from './inputFile.ts';

const HDF5_SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const PARQUET_MAGIC = 'PAR1';
const PARQUET_ENCRYPTED = 'PARE';
/** Magic at both ends, and the length of the footer. */
const PARQUET_BYTES_MIN = 12;

/**
 * Looks for the signature of HDF5, which stands at byte 0, 512, 1024, 2048 and so on: a user block may precede it.
 *
 * @throws DatasetFormatError  if there is none
 */
export async function requireHdf5(file: OpenFile): Promise<void> {
  const bytes = new Uint8Array(HDF5_SIGNATURE.length);
  for (let at = 0; at + bytes.length <= file.size; at = at === 0 ? 512 : 2 * at) {
    await readBytes(file, bytes, at);
    if (HDF5_SIGNATURE.every((byte, k) => byte === bytes[k])) return;
  }
  throw new DatasetFormatError(file.path, 'is not an HDF5 file; expected its signature');
}

/**
 * Looks for the magic bytes of Parquet at both ends of the file.
 *
 * @throws DatasetFormatError  if they are missing
 */
export async function requireParquet(file: OpenFile): Promise<void> {
  const start = await textAt(file, 0);
  const end = await textAt(file, Math.max(0, file.size - PARQUET_MAGIC.length));
  if (start === PARQUET_ENCRYPTED)
    throw new DatasetFormatError(file.path, 'is encrypted; expected a plain Parquet file');
  if (start !== PARQUET_MAGIC) {
    throw new DatasetFormatError(file.path, `is not a Parquet file; expected ${PARQUET_MAGIC} as its first bytes`);
  }
  if (end !== PARQUET_MAGIC || file.size < PARQUET_BYTES_MIN) {
    throw new DatasetFormatError(file.path, `is truncated; expected ${PARQUET_MAGIC} as its last bytes`);
  }
}

async function textAt(file: OpenFile, position: number): Promise<string> {
  const bytes = new Uint8Array(Math.min(PARQUET_MAGIC.length, file.size));
  await readBytes(file, bytes, position);
  return String.fromCharCode(...bytes);
}
