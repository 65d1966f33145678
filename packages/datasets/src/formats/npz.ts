import type {ZipEntry} from 'unzipit';
import {DatasetFormatError, because, listed} from './errors.ts';
import {readBytes, type OpenFile} from './openFile.ts';

/** Of arrays in an archive. */
const EXTENSION = '.npy';

/**
 * Opens an array of an NPZ archive, as `numpy.savez` and `numpy.savez_compressed` write it, as an NPY file in memory.
 *
 * @param name  of the array. Default: the only one
 * @throws DatasetFormatError  if the archive is damaged or encrypted, or has no such array (lists the arrays)
 */
export async function openNpz(file: OpenFile, name: string | undefined): Promise<OpenFile> {
  const entries = (await entriesOf(file)).filter((entry) => entry.name.endsWith(EXTENSION));
  const names = entries.map((entry) => entry.name.slice(0, -EXTENSION.length));
  const k = name === undefined && names.length === 1 ? 0 : names.indexOf(name ?? '');
  if (k < 0) {
    const has = name === undefined ? `has ${names.length} arrays` : `has no array "${name}"`;
    const choice = names.length === 0 ? 'an array' : `a name, one of: ${listed(names)}`;
    throw new DatasetFormatError(file.path, `${has}; expected ${choice}`);
  }
  const path = `${file.path}:${names[k]}`;
  try {
    const content = new Uint8Array(await entries[k].arrayBuffer());
    const readInto: OpenFile['readInto'] = async (bytes, position) => {
      const part = content.subarray(position, position + bytes.length);
      bytes.set(part);
      return part.length;
    };
    return {path, size: content.length, readInto};
  } catch (error) {
    if (error instanceof DatasetFormatError) throw error;
    throw new DatasetFormatError(path, `is damaged${because(error)}; expected a whole archive`, {cause: error});
  }
}

async function entriesOf(file: OpenFile): Promise<readonly ZipEntry[]> {
  const {unzipRaw} = await import('unzipit');
  const read = async (offset: number, size: number): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = new Uint8Array(size);
    await readBytes(file, bytes, offset);
    return bytes;
  };
  try {
    return (await unzipRaw({getLength: async () => file.size, read})).entries;
  } catch (error) {
    if (error instanceof DatasetFormatError) throw error;
    const expectation = 'expected a whole ZIP archive of numpy.savez';
    throw new DatasetFormatError(file.path, `is not an NPZ file${because(error)}; ${expectation}`, {cause: error});
  }
}
