import {mix, unmix, wideHigh} from './inputs.ts';

/**
 * Proves a stable sort in one sweep, from the keys and the positions that they came from. Every position is in range
 * and has the key beside it, and (key, position) ascends strictly: so no pair comes twice, and there are as many as
 * there were.
 *
 * @param keyAt  the key that stood at a position before
 * @throws Error  that names the first place that is wrong
 */
export function proveOrder(
  keys: Uint32Array | Int32Array | Float32Array,
  positions: Uint32Array,
  keyAt: (position: number) => number,
): void {
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const position = positions[i];
    if (position >= keys.length) throw new Error(`position ${position} at ${i}; expected one below ${keys.length}`);
    if (keyAt(position) !== key)
      throw new Error(`key ${key} at ${i}; expected ${keyAt(position)} of position ${position}`);
    const isAfter = i === 0 || keys[i - 1] < key || (keys[i - 1] === key && positions[i - 1] < position);
    if (!isAfter) throw new Error(`key ${key} of position ${position} at ${i}; expected one after ${keys[i - 1]}`);
  }
}

/**
 * Proves a sort of `wideNoise` in one sweep: every key is one of the input, and they ascend strictly.
 *
 * @param words  two a key, the low one first
 * @throws Error  that names the first place that is wrong
 */
export function proveWideOrder(words: Uint32Array): void {
  const count = words.length / 2;
  for (let i = 0; i < count; i++) {
    const [low, high] = [words[2 * i], words[2 * i + 1]];
    const position = unmix(low);
    if (position >= count || mix(position) !== low || wideHigh(position) !== high) {
      throw new Error(`words ${low} and ${high} at ${i}; expected a key of the input`);
    }
    const isAfter = i === 0 || words[2 * i - 1] < high || (words[2 * i - 1] === high && words[2 * i - 2] < low);
    if (!isAfter) throw new Error(`key of position ${position} at ${i}; expected one after the key before it`);
  }
}
