// The operators of reduce and scan over 32-bit words of three types. Which one is fixed when the pipeline is made.

// 0 = sum, 1 = min, 2 = max.
override OPERATOR: u32 = 0u;
// 0 = u32, 1 = i32, 2 = f32.
override ELEMENT: u32 = 0u;

const SUM: u32 = 0u;
const MIN: u32 = 1u;
const U32: u32 = 0u;
const I32: u32 = 1u;

// The word that leaves every other as it is. f32 extremes are infinities, kept as bits: WGSL has no literal for them.
fn identity() -> u32 {
  if (OPERATOR == SUM) { return 0u; }
  if (OPERATOR == MIN) {
    if (ELEMENT == U32) { return 0xffffffffu; }
    if (ELEMENT == I32) { return 0x7fffffffu; }
    return 0x7f800000u;
  }
  if (ELEMENT == U32) { return 0u; }
  if (ELEMENT == I32) { return 0x80000000u; }
  return 0xff800000u;
}

fn isLess(a: u32, b: u32) -> bool {
  if (ELEMENT == U32) { return a < b; }
  if (ELEMENT == I32) { return bitcast<i32>(a) < bitcast<i32>(b); }
  return bitcast<f32>(a) < bitcast<f32>(b);
}

fn combine(a: u32, b: u32) -> u32 {
  if (OPERATOR == SUM) {
    // Two's complement: signed and unsigned sums are the same word.
    if (ELEMENT == U32 || ELEMENT == I32) { return a + b; }
    return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));
  }
  if (OPERATOR == MIN) { return select(a, b, isLess(b, a)); }
  return select(a, b, isLess(a, b));
}
