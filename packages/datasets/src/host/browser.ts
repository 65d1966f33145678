// What readers need in a page, which has blobs and no paths. `node.ts` has the same names.
import {DatasetFormatError} from '../formats/errors.ts';
import {readBytes} from '../formats/openFile.ts';
import type * as node from './node.ts';

/** The most of an array in any browser. */
export function memoryBytes(): number {
  return 2 ** 33;
}

/** The parser brings streams of its own, which take text alone. */
export const parserChunks: typeof node.parserChunks = () => {
  const decoder = new TextDecoder();
  return (bytes) => decoder.decode(bytes, {stream: true});
};

/** Compressions besides Snappy. */
export const compressors: typeof node.compressors = () => ({});

export const openPath: typeof node.openPath = async (path) => {
  throw new DatasetFormatError(path, 'is a path; expected a File, as a page cannot open paths');
};

/** Decodes on this thread, which a page chooses. */
export const decodeContainer: typeof node.decodeContainer = async (format, file, options, {signal}) => {
  if (format === 'hdf5') throw new DatasetFormatError(file.path, 'is HDF5; expected another format in a page');
  const slice = async (start: number, end: number = file.size): Promise<ArrayBuffer> => {
    signal?.throwIfAborted();
    const bytes = new Uint8Array(end - start);
    await readBytes(file, bytes, start);
    return bytes.buffer;
  };
  if (format === 'arrow') {
    const {decodeArrow} = await import('../formats/arrowReader.ts');
    return decodeArrow(file.path, new Uint8Array(await slice(0)), options, () => undefined);
  }
  const {decodeParquet} = await import('../formats/parquetReader.ts');
  return decodeParquet(file.path, {byteLength: file.size, slice}, options, () => undefined);
};
