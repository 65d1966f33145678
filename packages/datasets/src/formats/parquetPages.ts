import {compressors} from '#host';
import type {AsyncBuffer, ColumnMetaData, DataPageHeader, DataReader, RowGroup, SchemaTree} from 'hyparquet';
import {parquetHeader} from 'hyparquet/src/column.js';
import {decompressPage} from 'hyparquet/src/datapage.js';
import {readRleBitPackedHybrid} from 'hyparquet/src/encoding.js';
import {readPlain} from 'hyparquet/src/plain.js';

/** Values of consecutive rows of a column, the first of them in row `rowStart` of its row group. */
interface Page {
  readonly rowStart: number;
  readonly values: Float32Array | Float64Array;
}

/**
 * Reads the pages of a column of floats that has a value in every row. For a column that may be null, the library
 * builds lists value by value, which takes several times as long, although most such columns have no null.
 *
 * @returns  undefined for anything else, damage included: the library reads it, or says what is wrong
 */
export async function readWholePages(
  file: AsyncBuffer,
  schema: SchemaTree,
  {columns, num_rows: rowCount}: RowGroup,
  name: string,
  tick: () => void,
): Promise<Page[] | undefined> {
  const leaf = schema.children.find(({element}) => element.name === name);
  const chunk = columns.find(({meta_data: one}) => one?.path_in_schema[0] === name)?.meta_data;
  if (leaf === undefined || chunk === undefined || !['FLOAT', 'DOUBLE'].includes(chunk.type)) return undefined;
  const isOptional = leaf.element.repetition_type === 'OPTIONAL';
  try {
    const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
    const bytes = await file.slice(start, start + Number(chunk.total_compressed_size));
    return readPages({view: new DataView(bytes), offset: 0}, chunk, Number(rowCount), isOptional, tick);
  } catch {
    return undefined;
  }
}

function readPages(
  reader: DataReader,
  chunk: ColumnMetaData,
  rowCount: number,
  isOptional: boolean,
  tick: () => void,
): Page[] | undefined {
  const pages: Page[] = [];
  let dictionary: Float32Array | Float64Array | undefined;
  let rowStart = 0;
  while (rowStart < rowCount) {
    const header = parquetHeader(reader);
    const at = reader.view.byteOffset + reader.offset;
    const compressed = new Uint8Array(reader.view.buffer, at, header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    const page = decompressPage(compressed, header.uncompressed_page_size, chunk.codec, compressors());
    const inside: DataReader = {view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0};
    tick();
    if (header.type === 'DICTIONARY_PAGE' && header.dictionary_page_header !== undefined) {
      dictionary = floatsOf(inside, chunk, header.dictionary_page_header.num_values);
      continue;
    }
    const {data_page_header: own} = header;
    if (header.type !== 'DATA_PAGE' || own === undefined) return undefined;
    const count = own.num_values;
    if (!(count > 0 && count <= rowCount - rowStart)) return undefined;
    if (isOptional && !skipWholeLevels(inside, count)) return undefined;
    const values = valuesOf(inside, chunk, own, dictionary);
    if (values === undefined) return undefined;
    pages.push({rowStart, values});
    rowStart += count;
  }
  return pages;
}

/** Skips the definition levels of a page, if they say in one or more runs that no value is missing. */
function skipWholeLevels(reader: DataReader, count: number): boolean {
  const {view} = reader;
  const end = 4 + view.getUint32(0, true);
  let found = 0;
  for (let at = 4; at < end && found < count; at++) {
    let run = 0;
    let byte = 0x80;
    for (let shift = 0; (byte & 0x80) !== 0 && shift < 28; shift += 7) {
      byte = view.getUint8(at++);
      run |= (byte & 0x7f) << shift;
    }
    // The last bit tells runs of one level from packed bits.
    if ((run & 1) === 1 || view.getUint8(at) !== 1) return false;
    found += run >> 1;
  }
  reader.offset = end;
  return found >= count;
}

function valuesOf(
  reader: DataReader,
  chunk: ColumnMetaData,
  {encoding, num_values: count}: DataPageHeader,
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
