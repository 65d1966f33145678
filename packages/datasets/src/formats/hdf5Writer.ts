import {open} from 'node:fs/promises';
import {setImmediate} from 'node:timers/promises';
import type {PointSet} from '@epsball/clustering';
import {File as Hdf5File, ready} from 'h5wasm/node';
import {syncInPieces, writeFileAtomically} from './outputFile.ts';
import {blockRanges, type WriteOptions} from './rows.ts';

const WRITTEN_NAME = 'points';

/** Values that the library copies at a time. A dataset of more has chunks of so many. */
const CHUNK_VALUES = 2 ** 20;

/** Writes an n × dim dataset `points`. */
export async function writeHdf5(
  path: string,
  {coords, dim}: PointSet,
  {signal, onProgress}: WriteOptions,
): Promise<void> {
  const library = await ready;
  // Otherwise the library prints its errors to stderr and continues.
  library.activate_throwing_error_handler();
  await writeFileAtomically(
    path,
    async (temporaryPath) => {
      let file: Hdf5File | undefined;
      // The library waits for no disk.
      const handle = await open(temporaryPath, 'r+');
      const sync = syncInPieces(handle);
      try {
        file = new Hdf5File(temporaryPath, 'w');
        // The library's codes are those of Python's struct module: f is 4 bytes, d is 8.
        const dtype = coords instanceof Float32Array ? '<f' : '<d';
        const n = coords.length / dim;
        const rows = Math.max(1, Math.floor(CHUNK_VALUES / dim));
        const first = {
          name: WRITTEN_NAME,
          data: coords.subarray(0, rows * dim),
          shape: [Math.min(n, rows), dim],
          dtype,
        };
        const dataset = file.create_dataset(n <= rows ? first : {...first, maxshape: [n, dim], chunks: [rows, dim]});
        if (n > rows) dataset.resize([n, dim]);
        for (const [start, end] of blockRanges(n, rows, onProgress)) {
          signal?.throwIfAborted();
          const values = coords.subarray(start * dim, end * dim);
          if (start > 0) dataset.write_slice([[start, end], []], values);
          await sync(values.byteLength);
          await setImmediate();
        }
      } catch (error) {
        throw systemError(error);
      } finally {
        await handle.close();
        file?.close();
      }
    },
    signal,
  );
}

/** The system's message in the library's trace of many lines. */
function systemError(error: unknown): unknown {
  const reason = error instanceof Error ? /error message = '([^']+)'/.exec(error.message)?.[1] : undefined;
  return reason === undefined ? error : new Error(reason, {cause: error});
}
