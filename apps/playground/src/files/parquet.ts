import {parquetMetadataAsync, parquetRead, parquetSchema} from 'hyparquet';
import {chooseAxes, FileError, type FilePoints} from './table.ts';

/** Types of columns that are numbers. */
const NUMBERS = ['FLOAT', 'DOUBLE', 'INT32', 'INT64'];

/**
 * Reads columns of numbers.
 *
 * @param chosen  names of columns. Default: as in `readCsvFile`
 * @throws FileError  if the file is damaged or compressed by another method than Snappy, or a value is missing
 */
export async function readParquetFile(file: File, chosen?: readonly string[]): Promise<FilePoints> {
  const source = {
    byteLength: file.size,
    slice: (start: number, end?: number) => file.slice(start, end).arrayBuffer(),
  };
  const metadata = await parquetMetadataAsync(source).catch((error: unknown) => {
    throw new FileError(file.name, `is damaged (${messageOf(error)}); expected a Parquet file`);
  });
  const fields = parquetSchema(metadata).children.map(({element}) => element);
  const available = fields
    .filter(
      ({type, converted_type: converted}) => NUMBERS.includes(type ?? '') && !/DATE|TIME|DECIMAL/.test(converted ?? ''),
    )
    .map(({name}) => name);
  const columns = chooseAxes(file.name, available, chosen);
  const dim = columns.length;
  const isWide = fields.some(({name, type}) => columns.includes(name) && type !== 'FLOAT');
  const length = Number(metadata.num_rows) * dim;
  const coords = isWide ? new Float64Array(length) : new Float32Array(length);
  coords.fill(NaN);
  let inexact: string | undefined;
  try {
    await parquetRead({
      file: source,
      metadata,
      columns,
      onChunk: ({columnName, columnData, rowStart}) => {
        const axis = columns.indexOf(columnName);
        for (let k = 0; k < columnData.length; k++) {
          const value: unknown = columnData[k];
          coords[(rowStart + k) * dim + axis] = Number(value ?? NaN);
          if (typeof value !== 'bigint' || Number.isSafeInteger(Number(value))) continue;
          inexact ??= `row ${rowStart + k + 1}: ${columnName} = ${value}; expected integers below 2^53 in magnitude`;
        }
      },
    });
  } catch (error) {
    throw new FileError(file.name, `cannot be read (${messageOf(error)})`);
  }
  if (inexact !== undefined) throw new FileError(file.name, inexact);
  const bad = coords.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    throw new FileError(file.name, `row ${Math.floor(bad / dim) + 1}: ${columns[bad % dim]} has no number`);
  }
  return {coords, dim, columns, available};
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
}
