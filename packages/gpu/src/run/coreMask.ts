/** By byte of bits: eight bytes 0 or 1, as a float64 word. None of the words is a NaN, so copies keep the bits. */
const BYTES_OF: Float64Array = new Float64Array(
  Uint8Array.from({length: 256 * 8}, (_, k) => ((k >> 3) >> (k & 7)) & 1).buffer,
);

/**
 * Expands a core mask of one bit a point.
 *
 * @param bits  lowest bit first; at least n / 8 bytes
 * @param n     number of points
 * @returns     n bytes, 1 = core; owned by the caller
 */
export function expandBits(bits: Uint8Array, n: number): Uint8Array {
  const words = new Float64Array(Math.ceil(n / 8));
  for (let k = 0; k < words.length; k++) words[k] = BYTES_OF[bits[k]];
  return new Uint8Array(words.buffer, 0, n);
}
