import {RunPacer, type PartListener} from '@epsball/clustering';

/** A hundredth of a second or so. */
const RUN_BYTES = 2 ** 20;

interface ParseOptions {
  /** Hears of the part of the bytes that is parsed. */
  readonly onPart?: PartListener | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that are parsed at a time, at least. Default: 1 MiB. */
  readonly runBytes?: number | undefined;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The value that `JSON.parse` has for a text in UTF-8. The first long list of its object is parsed run by run, between
 * which the event loop turns. A text that is not JSON is parsed again in one piece, for the engine's error.
 *
 * @throws SyntaxError          if the text is not JSON
 * @throws the signal's reason  if the signal fires
 */
export async function parseJson(bytes: Uint8Array, options: ParseOptions = {}): Promise<unknown> {
  try {
    return await parseRuns(bytes, options);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return JSON.parse(new TextDecoder().decode(bytes));
  }
}

/**
 * The text is JSON if each run is a list of one element or more, and if what is around the list is JSON with a string
 * in its place.
 */
async function parseRuns(bytes: Uint8Array, {onPart, signal, runBytes = RUN_BYTES}: ParseOptions): Promise<unknown> {
  // A byte order mark may only begin the text.
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const pacer = new RunPacer(0, {});
  const runs: (readonly unknown[])[] = [];
  let [start, end] = [0, -1];
  for (const [from, to] of runBounds(bytes, runBytes)) {
    if (runs.length === 0) start = from - 1;
    end = to;
    const run: readonly unknown[] = JSON.parse(`[${decoder.decode(bytes.subarray(from, to))}]`);
    if (run.length === 0) throw new SyntaxError('no element beside a comma');
    runs.push(run);
    onPart?.(to / bytes.length);
    await pacer.pause('read', 0);
    signal?.throwIfAborted();
  }
  if (runs.length > 0 && bytes[end] !== CLOSE_LIST) throw new SyntaxError('a list without an end');
  const before = new TextDecoder().decode(bytes.subarray(0, start));
  const after = decoder.decode(bytes.subarray(end + 1));
  if (runs.length === 0) return JSON.parse(after);
  const list = runs.flat();
  const place = `list ${Math.random()}`;
  return JSON.parse(`${before}"${place}"${after}`, (_, value: unknown) => (value === place ? list : value));
}

/** The bytes of the runs of elements of a list in the outermost object: the first list of two runs and more. */
function* runBounds(bytes: Uint8Array, runBytes: number): Generator<readonly [from: number, to: number]> {
  let depth = 0;
  let from = 0;
  let isList = false;
  let hasRuns = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth !== 2) continue;
      from = i + 1;
      isList = byte === OPEN_LIST;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (--depth !== 1 || !hasRuns) continue;
      yield [from, i];
      return;
    } else if (byte === COMMA && depth === 2 && isList && i - from >= runBytes) {
      yield [from, i];
      hasRuns = true;
      from = i + 1;
    }
  }
}
