import type {PointSet} from '@epsball/clustering';
import {File as Hdf5File, ready} from 'h5wasm/node';
import {writeFileAtomically} from './outputFile.ts';

const WRITTEN_NAME = 'points';

/** Writes an n × dim dataset `points`. */
export async function writeHdf5(path: string, {coords, dim}: PointSet, signal?: AbortSignal): Promise<void> {
  const library = await ready;
  // Otherwise the library prints its errors to stderr and continues.
  library.activate_throwing_error_handler();
  await writeFileAtomically(
    path,
    (temporaryPath) => {
      let file: Hdf5File | undefined;
      try {
        file = new Hdf5File(temporaryPath, 'w');
        // The library's codes are those of Python's struct module: f is 4 bytes, d is 8.
        const dtype = coords instanceof Float32Array ? '<f' : '<d';
        file.create_dataset({name: WRITTEN_NAME, data: coords, shape: [coords.length / dim, dim], dtype});
      } catch (error) {
        throw systemError(error);
      } finally {
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
