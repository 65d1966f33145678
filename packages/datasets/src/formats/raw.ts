import {InvalidParameterError, type PointSet} from '@epsball/clustering';
import {DatasetFormatError} from './errors.ts';
import {withOpenFile} from './inputFile.ts';
import {bytesOf, writeAtomically, writeBytes} from './outputFile.ts';
import {readNumbers, type NumberType, type ReadPrecision} from './numbers.ts';

/** Coordinates of one block that is widened to float64. */
const WIDENED_LENGTH = 2 ** 18;

/**
 * Reads little-endian floats without a header, point after point.
 *
 * @param bytes  bytes per value in the file
 * @throws InvalidParameterError  if `dim` is undefined
 * @throws DatasetFormatError     if the file does not hold whole points
 */
export function readRaw(
  path: string,
  bytes: 4 | 8,
  dim: number | undefined,
  precision: ReadPrecision,
): Promise<PointSet> {
  if (dim === undefined) {
    throw new InvalidParameterError(
      'dim',
      dim,
      `the coordinates per point, which the raw file ${path} does not contain`,
    );
  }
  return withOpenFile(path, async (file) => {
    const pointBytes = bytes * dim;
    if (file.size % pointBytes !== 0) {
      throw new DatasetFormatError(
        path,
        `has ${file.size} bytes; expected a multiple of ${pointBytes}, as a point is ${dim} × float${bytes * 8}`,
      );
    }
    const type: NumberType = {kind: 'float', bytes, isBigEndian: false};
    return {coords: await readNumbers(file, type, file.size / bytes, 0, precision), dim};
  });
}

/**
 * Writes little-endian floats without a header. A float64 file takes float32 coordinates, which it holds exactly.
 *
 * @throws InvalidParameterError  if the coordinates are float64 and those of the file float32
 */
export async function writeRaw(path: string, bytes: 4 | 8, {coords}: PointSet, signal?: AbortSignal): Promise<void> {
  if (coords.BYTES_PER_ELEMENT > bytes) {
    const expected = `float${bytes * 8} coordinates for ${path} (.f32 and .bin hold float32, .f64 float64)`;
    throw new InvalidParameterError('coords', `float${coords.BYTES_PER_ELEMENT * 8}`, expected);
  }
  const isSame = coords.BYTES_PER_ELEMENT === bytes;
  const step = isSame ? coords.length : WIDENED_LENGTH;
  await writeAtomically(
    path,
    async (handle) => {
      for (let start = 0; start < coords.length; start += step) {
        signal?.throwIfAborted();
        const block = coords.subarray(start, start + step);
        await writeBytes(handle, bytesOf(isSame ? block : Float64Array.from(block)));
      }
    },
    signal,
  );
}
