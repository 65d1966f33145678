import {InvalidParameterError} from '@epsball/clustering';

/** The digit of one pass: `bits` bits of word `word`, from bit `shift` on. */
export interface Digit {
  readonly word: number;
  readonly shift: number;
  readonly bits: number;
}

/** As few passes as possible, with digits of nearly equal size. */
export function digitsOfRange(
  {beginBit = 0, endBit}: {readonly beginBit?: number; readonly endBit?: number},
  {key, values, digitBits}: {readonly key: string; readonly values: string; readonly digitBits: number},
): Digit[] {
  const keyBits = key === 'u64' ? 64 : 32;
  const end = endBit ?? keyBits;
  if (!Number.isInteger(end) || end < 0 || end > keyBits) {
    throw new InvalidParameterError('endBit', end, `an integer, 0 … ${keyBits}`);
  }
  if (!Number.isInteger(beginBit) || beginBit < 0 || beginBit > end) {
    throw new InvalidParameterError('beginBit', beginBit, `an integer, 0 … endBit = ${end}`);
  }
  const digits = [0, 1].flatMap((word) =>
    digitsOfWord(word, Math.max(beginBit, 32 * word), Math.min(end, 32 * word + 32), digitBits),
  );
  // The first pass writes positions, so an argsort needs one pass even for an empty range.
  if (digits.length === 0 && values === 'index') return [{word: 0, shift: 0, bits: 0}];
  return digits;
}

function digitsOfWord(word: number, begin: number, end: number, digitBits: number): Digit[] {
  const digits: Digit[] = [];
  let passes = Math.ceil((end - begin) / digitBits);
  for (let at = begin; at < end; passes--) {
    const bits = Math.ceil((end - at) / passes);
    digits.push({word, shift: at - 32 * word, bits});
    at += bits;
  }
  return digits;
}
