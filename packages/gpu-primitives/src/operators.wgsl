// The operators of reduce and scan over 32-bit words of three types, chosen by pipeline constants. Sums add words as
// they are. Minimum and maximum compare keys (see `order`), so kernels convert words with `operandOf` and
// `wordOfOperand`.

import package::order::{I32, U32, keyOfWord, wordOfKey};

// 0 = u32, 1 = i32, 2 = f32.
override ELEMENT: u32 = 0u;
// 0 = sum, 1 = min, 2 = max.
override OPERATOR: u32 = 0u;

const SUM: u32 = 0u;
const MIN: u32 = 1u;

fn operandOf(word: u32) -> u32 {
  if (OPERATOR == SUM) { return word; }
  return keyOfWord(word, ELEMENT);
}

fn wordOfOperand(operand: u32) -> u32 {
  if (OPERATOR == SUM) { return operand; }
  return wordOfKey(operand, ELEMENT);
}

// The result for an empty input, and the first word of an exclusive scan: 0, or the largest or smallest value; for f32
// ±∞.
fn identity() -> u32 {
  if (OPERATOR == SUM) { return 0u; }
  let isFloat = ELEMENT != U32 && ELEMENT != I32;
  if (OPERATOR == MIN) { return select(0xffffffffu, 0xff800000u, isFloat); }
  return select(0u, 0x007fffffu, isFloat);
}

// The operand that changes no other operand. For f32 it differs from `identity`: a sum of −0 alone stays −0, and a
// minimum or maximum of NaN alone stays NaN.
fn neutral() -> u32 {
  if (OPERATOR == SUM) { return select(0x80000000u, 0u, ELEMENT == U32 || ELEMENT == I32); }
  return select(0u, 0xffffffffu, OPERATOR == MIN);
}

fn combine(a: u32, b: u32) -> u32 {
  if (OPERATOR == SUM) {
    // Two's complement: signed and unsigned sums are the same word.
    if (ELEMENT == U32 || ELEMENT == I32) { return a + b; }
    return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));
  }
  if (OPERATOR == MIN) { return min(a, b); }
  return max(a, b);
}
