import {createHash} from 'node:crypto';
import type {PointSet} from '@epsball/clustering';

/** Bytes of one `Hash.update`, which refuses more than 2 GiB. */
const BLOCK_BYTES = 2 ** 28;

/**
 * Computes a hash of a point set: of its precision, dimension and every bit of its coordinates (little-endian).
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
