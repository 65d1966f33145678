// What readers need in Node. `browser.ts` has the same names.
import {totalmem} from 'node:os';
import * as zlib from 'node:zlib';
import type {Compressors} from 'hyparquet';

export {decodeInWorker as decodeContainer} from '../formats/decodeInWorker.ts';
export {openPath} from '../formats/openPath.ts';

/** Bytes of memory that this process may use: the limit of its control group, at most those of the machine. */
export function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Turns the bytes of CSV into what the parser takes. */
export function parserChunks(): (bytes: Uint8Array) => Uint8Array | string {
  return (bytes) => bytes;
}

/** Snappy is the library's; zstd is Node's from 22.15 on. No page grows beyond the size in its header. */
export function compressors(): Compressors {
  const {zstdDecompressSync} = zlib;
  return {
    GZIP: (input, size) => zlib.gunzipSync(input, {maxOutputLength: size}),
    BROTLI: (input, size) => zlib.brotliDecompressSync(input, {maxOutputLength: size}),
    ...(typeof zstdDecompressSync === 'function'
      ? {ZSTD: (input: Uint8Array, size: number) => zstdDecompressSync(input, {maxOutputLength: size})}
      : {}),
  };
}
