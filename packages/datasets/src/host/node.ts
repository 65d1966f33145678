// What readers need in Node. `browser.ts` has the same names.
import * as zlib from 'node:zlib';
import type {Compressors} from 'hyparquet';

export {totalmem as memoryBytes} from 'node:os';
export {decodeInWorker as decodeContainer} from '../formats/decodeInWorker.ts';
export {openPath} from '../formats/openPath.ts';

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
