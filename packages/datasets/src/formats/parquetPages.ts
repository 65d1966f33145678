import {compressors} from '#host';
import type {
  AsyncBuffer,
  ColumnMetaData,
  CompressionCodec,
  DataPageHeader,
  DataReader,
  FileMetaData,
  PageHeader,
  RowGroup,
  SchemaTree,
} from 'hyparquet';
import {parquetHeader} from 'hyparquet/src/column.js';
import {decompressPage} from 'hyparquet/src/datapage.js';
import {readRleBitPackedHybrid} from 'hyparquet/src/encoding.js';
import {readPlain} from 'hyparquet/src/plain.js';
import {readVarInt} from 'hyparquet/src/thrift.js';
import type {WantedRows} from './tableColumns.ts';

/** A row group, and its first row. */
export interface GroupOf {
  readonly metadata: FileMetaData;
  readonly schema: SchemaTree;
  readonly group: RowGroup;
  readonly first: number;
}

/** Values of consecutive rows of a column. */
interface Page {
  /** The row of the file that has the first value. */
  readonly rowStart: number;
  readonly columnData: Float32Array | Float64Array;
}

/**
 * Reads the pages with wanted rows of a column of floats that has a value in each of them. For a nullable column the
 * library builds lists value by value, which takes several times as long, although most such columns have no null.
 *
 * @returns  undefined for any other column and for damage: the library reads the column, or reports the damage
 */
export async function readWholePages(
  file: AsyncBuffer,
  groupOf: GroupOf,
  name: string,
  wanted: readonly WantedRows[],
  tick: () => void,
): Promise<Page[] | undefined> {
  const {schema, group} = groupOf;
  const leaf = schema.children.find(({element}) => element.name === name);
  const chunk = group.columns.find(({meta_data: one}) => one?.path_in_schema[0] === name)?.meta_data;
  if (leaf === undefined || chunk === undefined || !['FLOAT', 'DOUBLE'].includes(chunk.type)) return undefined;
  const isOptional = leaf.element.repetition_type === 'OPTIONAL';
  try {
    const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
    const bytes = await file.slice(start, start + Number(chunk.total_compressed_size));
    return readPages({view: new DataView(bytes), offset: 0}, chunk, groupOf, wanted, isOptional, tick);
  } catch {
    return undefined;
  }
}

function readPages(
  reader: DataReader,
  chunk: ColumnMetaData,
  {group, first}: GroupOf,
  wanted: readonly WantedRows[],
  isOptional: boolean,
  tick: () => void,
): Page[] | undefined {
  const pages: Page[] = [];
  const groupEnd = first + Number(group.num_rows);
  const rowEnd = Math.max(...wanted.map(({end}) => end));
  let dictionary: Float32Array | Float64Array | undefined;
  let rowStart = first;
  while (rowStart < rowEnd) {
    const header = parquetHeader(reader);
    const at = reader.view.byteOffset + reader.offset;
    const bytes = new Uint8Array(reader.view.buffer, at, header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    tick();
    if (header.type === 'DICTIONARY_PAGE' && header.dictionary_page_header !== undefined) {
      const inside = decompressed(bytes, header.uncompressed_page_size, chunk.codec);
      dictionary = floatsOf(inside, chunk, header.dictionary_page_header.num_values);
      continue;
    }
    const own = header.data_page_header ?? header.data_page_header_v2;
    if (own === undefined) return undefined;
    const next = rowStart + own.num_values;
    if (!(next > rowStart && next <= groupEnd)) return undefined;
    if (wanted.some(({start, end}) => start < next && end > rowStart)) {
      const inside = withoutLevels(bytes, header, chunk, isOptional);
      const columnData = inside && valuesOf(inside, chunk, own, dictionary);
      if (columnData === undefined) return undefined;
      pages.push({rowStart, columnData});
    }
    rowStart = next;
  }
  return pages;
}

/** The values of a page behind its levels. Undefined if one may be missing. */
function withoutLevels(
  bytes: Uint8Array,
  {data_page_header: first, data_page_header_v2: second, uncompressed_page_size: length}: PageHeader,
  {codec}: ColumnMetaData,
  isOptional: boolean,
): DataReader | undefined {
  if (second !== undefined) {
    // The second version counts nulls, and does not compress levels.
    const levels = second.repetition_levels_byte_length + second.definition_levels_byte_length;
    // A damaged header may lack the lengths of levels.
    if (!(levels >= 0) || second.num_nulls !== 0 || second.num_rows !== second.num_values) return undefined;
    const own = second.is_compressed === false ? 'UNCOMPRESSED' : codec;
    return decompressed(bytes.subarray(levels), length - levels, own);
  }
  const reader = decompressed(bytes, length, codec);
  return !isOptional || skipWholeLevels(reader, first?.num_values ?? Infinity) ? reader : undefined;
}

function decompressed(bytes: Uint8Array, length: number, codec: CompressionCodec): DataReader {
  const page = decompressPage(bytes, length, codec, compressors());
  return {view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0};
}

/** Skips the definition levels of a page. Returns false unless they are runs, none of them of missing values. */
function skipWholeLevels(reader: DataReader, count: number): boolean {
  const end = 4 + reader.view.getUint32(0, true);
  let found = 0;
  reader.offset = 4;
  while (reader.offset < end && found < count) {
    const run = readVarInt(reader);
    // The last bit tells runs of one level from packed bits.
    if ((run & 1) === 1 || reader.view.getUint8(reader.offset++) !== 1) return false;
    found += run >>> 1;
  }
  reader.offset = end;
  return found >= count;
}

function valuesOf(
  reader: DataReader,
  chunk: ColumnMetaData,
  {encoding, num_values: count}: Pick<DataPageHeader, 'encoding' | 'num_values'>,
  dictionary: Float32Array | Float64Array | undefined,
): Float32Array | Float64Array | undefined {
  if (encoding === 'PLAIN') return floatsOf(reader, chunk, count);
  if (dictionary === undefined || (encoding !== 'RLE_DICTIONARY' && encoding !== 'PLAIN_DICTIONARY')) return undefined;
  const {view} = reader;
  const width = view.getUint8(reader.offset++);
  const indices = new Int32Array(count);
  if (width > 0) readRleBitPackedHybrid(reader, width, indices, view.byteLength - reader.offset);
  const values = chunk.type === 'FLOAT' ? new Float32Array(count) : new Float64Array(count);
  for (let k = 0; k < count; k++) {
    if (!(indices[k] >= 0 && indices[k] < dictionary.length)) return undefined;
    values[k] = dictionary[indices[k]];
  }
  return values;
}

function floatsOf(reader: DataReader, {type}: ColumnMetaData, count: number): Float32Array | Float64Array | undefined {
  const values = readPlain(reader, type, count, undefined);
  return values instanceof Float32Array || values instanceof Float64Array ? values : undefined;
}
