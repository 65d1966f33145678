import type {Arrays, Words} from './words.ts';

/**
 * Where two results differ, in words, or null. Floats are compared by their bits.
 *
 * @param expected  arrays by name; an output may be longer, and its further words are ignored
 */
export function differingWord(expected: Arrays, output: Arrays): string | null {
  for (const [name, wanted] of Object.entries(expected)) {
    const bits = bitsOf(output[name]);
    const wantedBits = bitsOf(wanted);
    for (let i = 0; i < wantedBits.length; i++) {
      if (bits[i] !== wantedBits[i]) return `${name}[${i}] = ${show(output[name][i])}; expected ${show(wanted[i])}`;
    }
  }
  return null;
}

/** The same memory, as words without a sign. */
export function bitsOf({buffer, byteOffset, length}: Words): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length);
}

function show(value: number | undefined): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
