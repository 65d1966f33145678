import {expect} from 'vitest';
import type {Element, Operator} from '@epsball/gpu-primitives';
import {words} from './session.ts';

export const OPERATORS: readonly Operator[] = ['sum', 'min', 'max'];
export const ELEMENTS: readonly Element[] = ['u32', 'i32', 'f32'];

/** A number that compares like the word: by value, f32 in IEEE 754 totalOrder. */
export function keyOf(word: number, element: Element): number {
  if (element === 'u32') return word;
  if (element === 'i32') return word | 0;
  return word >>> 31 === 1 ? -(word & 0x7fff_ffff) - 1 : word;
}

const floats = new Float32Array(1);
const floatBits = new Uint32Array(floats.buffer);

export function wordOfFloat(value: number): number {
  floats[0] = value;
  return floatBits[0];
}

export function floatOfWord(word: number): number {
  floatBits[0] = word;
  return floats[0];
}

/** Words of an element type with every bit pattern; for f32 sums small integers, whose sums are exact in any order. */
export function operands(
  count: number,
  seed: number,
  operator: Operator,
  element: Element,
  make: WordSource,
): Uint32Array {
  const raw = make(count, seed);
  if (operator !== 'sum' || element !== 'f32') return raw;
  const values = new Float32Array(raw.buffer);
  for (let i = 0; i < count; i++) values[i] = (raw[i] % 17) - 8;
  return raw;
}

export type WordSource = (count: number, seed: number) => Uint32Array;

/** The identity of an operator. */
export function identityWord(operator: Operator, element: Element): number {
  if (operator === 'sum') return 0;
  const [least, most] = {
    u32: [0, 0xffff_ffff],
    i32: [0x8000_0000, 0x7fff_ffff],
    f32: [0xff80_0000, 0x7f80_0000],
  }[element];
  return operator === 'min' ? most : least;
}

export function combineWords(operator: Operator, element: Element, a: number, b: number): number {
  if (operator === 'sum') {
    return element === 'f32' ? wordOfFloat(floatOfWord(a) + floatOfWord(b)) : (a + b) >>> 0;
  }
  const isSecond = operator === 'min' ? keyOf(b, element) < keyOf(a, element) : keyOf(b, element) > keyOf(a, element);
  return isSecond ? b : a;
}

export function reduceWords(input: Uint32Array, operator: Operator, element: Element): number {
  if (input.length === 0) return identityWord(operator, element);
  // Starts from the first word, not from the identity, so that NaN alone stays NaN.
  return input.reduce((total, word) => combineWords(operator, element, total, word));
}

export function scanWords(input: Uint32Array, operator: Operator, element: Element, isInclusive: boolean): Uint32Array {
  const result = new Uint32Array(input.length);
  let running = identityWord(operator, element);
  for (let i = 0; i < input.length; i++) {
    const before = running;
    running = i === 0 ? input[0] : combineWords(operator, element, running, input[i]);
    result[i] = isInclusive ? running : before;
  }
  return result;
}

/** Fails at the first word that differs: fast for millions of words, unlike `toEqual`. */
export function expectWords(actual: Uint32Array, expected: Uint32Array, what: string | number = 'word'): void {
  expect(actual.length, `${what}: length`).toBe(expected.length);
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at++;
  if (at < actual.length) expect(`${what} [${at}]: ${actual[at]}`).toBe(`${what} [${at}]: ${expected[at]}`);
}

/** Order of keys by a range of their bits; the high word of u64 matters if `endBit` > 32. */
export interface KeyOrder {
  readonly element: Element | 'u64';
  readonly beginBit?: number;
  readonly endBit?: number;
}

/** The compared bits of key `i`, as a number that compares like the key. */
function sortKeyOf(keys: Uint32Array, i: number, {element, beginBit = 0, endBit}: KeyOrder): bigint | number {
  if (element === 'u64') {
    const key = (BigInt(keys[2 * i + 1]) << 32n) | BigInt(keys[2 * i]);
    return BigInt.asUintN(endBit ?? 64, key) >> BigInt(beginBit);
  }
  let key = keys[i];
  if (element === 'i32') key = (key ^ 0x8000_0000) >>> 0;
  if (element === 'f32') key = (key >>> 31 === 1 ? ~key : key ^ 0x8000_0000) >>> 0;
  return Math.floor((key % 2 ** (endBit ?? 32)) / 2 ** beginBit);
}

/**
 * Fails unless `places` are positions in `keys` by key, equal ones ascending. Then they are also a permutation: the
 * pairs (key, position) ascend strictly, and there are as many as keys.
 */
export function expectStableOrder(
  keys: Uint32Array,
  places: Uint32Array,
  order: KeyOrder,
  what: string | number,
): void {
  let before: bigint | number = -1;
  for (let k = 0; k < places.length; k++) {
    const key = places[k] < places.length ? sortKeyOf(keys, places[k], order) : -1;
    const isRight = key > before || (key === before && places[k] > places[k - 1]);
    if (!isRight) expect(`${what} [${k}]: position ${places[k]}, key ${key} after ${before}`).toBe('in stable order');
    before = key;
  }
}

/**
 * f32 words in totalOrder: NaN of both signs, quiet and signalling, infinities, zeros, subnormals, neighbours of each.
 */
export const ORDERED_FLOATS = Uint32Array.from(
  [
    [0xffff_ffff, 0xffc0_0001, 0xffc0_0000, 0xffa0_0000, 0xff80_0001, 0xff80_0000, 0xff7f_ffff, 0xbf80_0001],
    [0xbf80_0000, 0x8080_0000, 0x807f_ffff, 0x8000_0002, 0x8000_0001, 0x8000_0000, 0x0000_0000, 0x0000_0001],
    [0x0000_0002, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x3f80_0001, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001],
    [0x7fa0_0000, 0x7fc0_0000, 0x7fff_ffff],
  ].flat(),
);

/** Words from the list above, without a pattern. */
export function mixedFloats(count: number, seed: number): Uint32Array {
  return words(count, seed).map((word) => ORDERED_FLOATS[word % ORDERED_FLOATS.length]);
}
