import {createHash} from 'node:crypto';
import type {PointSet} from '@epsball/clustering';

/** Bytes hashed at a time: a view over more than 2 GiB is refused by `Hash.update`. */
const BLOCK_BYTES = 2 ** 28;

/**
 * Names the content of a point set: precision, dimension and every coordinate bit (little-endian).
 *
 * @returns     16 hexadecimal digits, the start of a SHA-256
 * @complexity  O(n · dim), no copy (coordinates on a `SharedArrayBuffer` are copied block by block)
 */
export function datasetHash(points: PointSet): string {
  const {coords, dim} = points;
  const hash = createHash('sha256');
  hash.update(`${coords instanceof Float32Array ? 'float32' : 'float64'} ${dim}\n`);
  const isShared = !(coords.buffer instanceof ArrayBuffer);
  for (let start = 0; start < coords.byteLength; start += BLOCK_BYTES) {
    const bytes = new Uint8Array(
      coords.buffer,
      coords.byteOffset + start,
      Math.min(BLOCK_BYTES, coords.byteLength - start),
    );
    hash.update(isShared ? bytes.slice() : bytes);
  }
  return hash.digest('hex').slice(0, 16);
}
