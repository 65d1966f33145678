import {decodeContainer} from '#host';
import type {NamedChoice, OtherColumns} from './columnChoice.ts';
import {DatasetFormatError} from './errors.ts';
import type {LoadedColumns, ReadPrecision, RowRange} from './numbers.ts';
import {readBytes, withOpenFile, type Input, type OpenFile} from './openFile.ts';

const HDF5_SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const PARQUET_MAGIC = 'PAR1';
const PARQUET_ENCRYPTED = 'PARE';
/** Magic at both ends, and the length of the footer. */
const PARQUET_BYTES_MIN = 12;

const ARROW_MAGIC = 'ARROW1';
/** Feather before version 2 is no Arrow. */
const FEATHER_1_MAGIC = 'FEA1';
/** Marks the messages of an Arrow stream. Without a length behind it, it is the end. */
const ARROW_CONTINUATION = [0xff, 0xff, 0xff, 0xff];
const ARROW_END = [...ARROW_CONTINUATION, 0, 0, 0, 0];

export interface DecodeOptions extends OtherColumns {
  /** As for `readPoints`; or all columns of numbers; or the names of all columns, and no points. */
  readonly columns?: NamedChoice['columns'] | 'numbers' | 'names';
  readonly dataset?: string | undefined;
  readonly dim?: number | undefined;
  readonly precision: ReadPrecision;
  readonly rows?: readonly RowRange[] | undefined;
  readonly missing?: 'error' | 'nan' | undefined;
}

export interface Decoding {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of CPU time without progress after which a decoder is stopped. Default: 20 seconds. */
  readonly stallMs?: number;
}

/** Formats that libraries decode. */
export type ContainerFormat = 'hdf5' | 'parquet' | 'arrow';

/**
 * Reads an n × dim dataset of an HDF5 file, or a vector of n · dim values when `dim` is given; columns of numbers of a
 * Parquet or Arrow file.
 */
export function readContainer(
  format: ContainerFormat,
  input: Input,
  options: DecodeOptions,
  decoding: Decoding,
): Promise<LoadedColumns> {
  return withOpenFile(input, async (file) => {
    await REQUIRE[format](file);
    return decodeContainer(format, file, options, decoding);
  });
}

/**
 * The names of the columns of a Parquet file.
 *
 * @throws DatasetFormatError  if the file is not Parquet, truncated or damaged
 */
export async function parquetColumns(input: Input): Promise<readonly string[]> {
  const {columns = []} = await readContainer('parquet', input, {columns: 'names', precision: 'source'}, {});
  return columns;
}

/** The signature of HDF5 stands at byte 0, 512, 1024, 2048 and so on: a user block may precede it. */
async function requireHdf5(file: OpenFile): Promise<void> {
  const bytes = new Uint8Array(HDF5_SIGNATURE.length);
  for (let at = 0; at + bytes.length <= file.size; at = at === 0 ? 512 : 2 * at) {
    await readBytes(file, bytes, at);
    if (HDF5_SIGNATURE.every((byte, k) => byte === bytes[k])) return;
  }
  throw new DatasetFormatError(file.path, 'is not an HDF5 file; expected its signature');
}

async function requireParquet(file: OpenFile): Promise<void> {
  const start = await magicAt(file, 0);
  const end = await magicAt(file, Math.max(0, file.size - PARQUET_MAGIC.length));
  if (start === PARQUET_ENCRYPTED) {
    throw new DatasetFormatError(file.path, 'is encrypted; expected a plain Parquet file');
  }
  if (start !== PARQUET_MAGIC) {
    throw new DatasetFormatError(file.path, `is not a Parquet file; expected ${PARQUET_MAGIC} as its first bytes`);
  }
  if (end !== PARQUET_MAGIC || file.size < PARQUET_BYTES_MIN) {
    throw new DatasetFormatError(file.path, `is truncated; expected ${PARQUET_MAGIC} as its last bytes`);
  }
}

/** An Arrow file, which is Feather version 2, or a stream. */
async function requireArrow(file: OpenFile): Promise<void> {
  const {path, size} = file;
  const start = await magicAt(file, 0, ARROW_MAGIC.length);
  if (start.startsWith(FEATHER_1_MAGIC)) {
    throw new DatasetFormatError(path, 'is Feather version 1; expected version 2, or Parquet');
  }
  const isStream = start.startsWith(String.fromCharCode(...ARROW_CONTINUATION));
  if (!isStream && start !== ARROW_MAGIC) {
    throw new DatasetFormatError(path, `is not an Arrow file; expected ${ARROW_MAGIC} as its first bytes`);
  }
  const mark = isStream ? String.fromCharCode(...ARROW_END) : ARROW_MAGIC;
  const end = await magicAt(file, Math.max(0, size - mark.length), mark.length);
  if (end === mark && size > 2 * mark.length) return;
  throw new DatasetFormatError(
    path,
    `is truncated; expected ${isStream ? 'the mark of its end' : mark} as its last bytes`,
  );
}

async function magicAt(file: OpenFile, position: number, length = PARQUET_MAGIC.length): Promise<string> {
  const bytes = new Uint8Array(Math.min(length, file.size));
  await readBytes(file, bytes, position);
  return String.fromCharCode(...bytes);
}

const REQUIRE: Readonly<Record<ContainerFormat, (file: OpenFile) => Promise<void>>> = {
  hdf5: requireHdf5,
  parquet: requireParquet,
  arrow: requireArrow,
};
