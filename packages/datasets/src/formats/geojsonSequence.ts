import {DatasetFormatError} from './errors.ts';
import {fileBlocks, type OpenFile} from './openFile.ts';

/** The record separator of RFC 8142. */
const SEPARATOR = '\u001e';

/**
 * Reads a sequence of GeoJSON objects: one a line, or after record separators (RFC 8142), where an object may span
 * lines. Only a part of the text is in memory at a time.
 *
 * @returns  the objects, in order
 * @throws DatasetFormatError  if an object is not JSON; names its line
 */
export async function readSequence(file: OpenFile): Promise<unknown[]> {
  const decoder = new TextDecoder();
  const objects: unknown[] = [];
  let rest = '';
  let line = 1;
  let mark: string | undefined;
  const take = (text: string): void => {
    if (text.trim() !== '') objects.push(parsed(file.path, text, line));
    line += mark === SEPARATOR ? text.split('\n').length - 1 : 1;
  };
  for await (const block of fileBlocks(file)) {
    rest += decoder.decode(block, {stream: true});
    mark ??= rest.trimStart().startsWith(SEPARATOR) ? SEPARATOR : '\n';
    const parts = rest.split(mark);
    rest = parts.pop() ?? '';
    for (const part of parts) take(part);
  }
  take(rest + decoder.decode());
  return objects;
}

function parsed(path: string, text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The line of the object's first character.
    const before = /^\s*/.exec(text)?.[0] ?? '';
    const at = line + before.split('\n').length - 1;
    throw new DatasetFormatError(path, 'is not JSON; expected a GeoJSON object', {line: at, cause: error});
  }
}
