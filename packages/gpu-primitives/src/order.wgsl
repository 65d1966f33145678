// One order for words of three types, as u32 keys that compare like the values: i32 by value; f32 in IEEE 754
// totalOrder on the bits, −NaN < −∞ < … < −0 < +0 < … < +∞ < NaN, independent of how a driver treats NaN and
// subnormals.

// Element types: U32, I32, and any other number for f32.
const U32: u32 = 0u;
const I32: u32 = 1u;

fn keyOfWord(word: u32, element: u32) -> u32 {
  if (element == U32) { return word; }
  if (element == I32) { return word ^ 0x80000000u; }
  // Negative floats descend as words grow: flip all of their bits. Flip only the sign bit of the others.
  return word ^ (bitcast<u32>(bitcast<i32>(word) >> 31u) | 0x80000000u);
}

fn wordOfKey(key: u32, element: u32) -> u32 {
  if (element == U32) { return key; }
  if (element == I32) { return key ^ 0x80000000u; }
  return key ^ (((key >> 31u) - 1u) | 0x80000000u);
}
