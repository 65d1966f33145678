/** By byte of bits: eight bytes 0 or 1, as a float64 word. None of the words is a NaN, so copies keep the bits. */
const BYTES_OF: Float64Array = new Float64Array(
  Uint8Array.from({length: 256 * 8}, (_, k) => ((k >> 3) >> (k & 7)) & 1).buffer,
);

/** @param bits  lowest bit first; at least n / 8 bytes */
export function expandBits(bits: Uint8Array, target: Uint8Array): Uint8Array {
  const n = target.length;
  // Words of eight bytes, if the target has them; then the rest.
  const isAligned = target.byteOffset % 8 === 0;
  const words = isAligned ? new Float64Array(target.buffer, target.byteOffset, Math.floor(n / 8)) : undefined;
  if (words) for (let k = 0; k < words.length; k++) words[k] = BYTES_OF[bits[k]];
  for (let i = words ? 8 * words.length : 0; i < n; i++) target[i] = (bits[i >> 3] >> (i & 7)) & 1;
  return target;
}
