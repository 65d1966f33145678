// IEEE 754 binary64 in software, round to nearest even, on two u32 words: x = low word, y = high word, the order of a
// Float64Array in little-endian memory. All operations are integer operations, which a compiler may not fuse or
// reassociate, so the results equal JavaScript's bit for bit. Subnormals and overflow to infinity are handled. NaN is
// not: points are finite. Signs are dropped where the use allows it: distances are squared.

const HIDDEN: u32 = 0x00100000u;      // bit 52, in the high word
const FRACTION: u32 = 0x000fffffu;    // bits 51..32
const MAGNITUDE: u32 = 0x7fffffffu;
const INFINITY: vec2u = vec2u(0u, 0x7ff00000u);

// The float64 that equals a finite float32, sign kept.
fn float64From32(value: u32) -> vec2u {
  let sign = value & 0x80000000u;
  let exponent = (value >> 23u) & 0xffu;
  let fraction = value & 0x7fffffu;
  if (exponent == 0u) {
    if (fraction == 0u) { return vec2u(0u, sign); }
    // A subnormal float32 is a normal float64: shift its leading bit to the hidden place.
    let shift = countLeadingZeros(fraction) - 8u;
    let normal = (fraction << shift) & 0x7fffffu;
    return vec2u(normal << 29u, sign | ((897u - shift) << 20u) | (normal >> 3u));
  }
  return vec2u(fraction << 29u, sign | ((exponent + 896u) << 20u) | (fraction >> 3u));
}

// |a − b|
fn absoluteDifference64(a: vec2u, b: vec2u) -> vec2u {
  let magnitudeA = vec2u(a.x, a.y & MAGNITUDE);
  let magnitudeB = vec2u(b.x, b.y & MAGNITUDE);
  if (((a.y ^ b.y) & 0x80000000u) != 0u) { return add64(magnitudeA, magnitudeB); }
  if (isLess64(magnitudeA, magnitudeB)) { return subtractSmaller(magnitudeB, magnitudeA); }
  return subtractSmaller(magnitudeA, magnitudeB);
}

// a < b for non-negative values: the order of float64 is that of its words.
fn isLess64(a: vec2u, b: vec2u) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

// a + b for non-negative values.
fn add64(a: vec2u, b: vec2u) -> vec2u {
  var large = a;
  var small = b;
  if (isLess64(a, b)) { large = b; small = a; }
  let exponent = exponentOf(large);
  if (exponent == 0x7ffu) { return INFINITY; }
  // Three bits below the last place: guard, round, sticky.
  let top = shiftLeft(significandOf(large), 3u);
  let aligned = shiftRightJam(shiftLeft(significandOf(small), 3u), max(exponent, 1u) - max(exponentOf(small), 1u));
  return roundAndPack(i32(max(exponent, 1u)), addWords(top, aligned));
}

// a − b for a ≥ b ≥ 0.
fn subtractSmaller(a: vec2u, b: vec2u) -> vec2u {
  let exponent = max(exponentOf(a), 1u);
  let aligned = shiftRightJam(shiftLeft(significandOf(b), 3u), exponent - max(exponentOf(b), 1u));
  let rest = subtractWords(shiftLeft(significandOf(a), 3u), aligned);
  if (rest.x == 0u && rest.y == 0u) { return vec2u(); }
  // Shift the leading bit to place 55, or less if the exponent would fall below 1: the result stays subnormal.
  let shift = min(leadingZeros(rest) - 8u, exponent - 1u);
  return roundAndPack(i32(exponent - shift), shiftLeft(rest, shift));
}

// a · b for non-negative values.
fn multiply64(a: vec2u, b: vec2u) -> vec2u {
  if ((a.x | a.y) == 0u || (b.x | b.y) == 0u) { return vec2u(); }
  if (exponentOf(a) == 0x7ffu || exponentOf(b) == 0x7ffu) { return INFINITY; }
  let shiftA = leadingZeros(significandOf(a)) - 11u;
  let shiftB = leadingZeros(significandOf(b)) - 11u;
  let exponent = i32(max(exponentOf(a), 1u)) - i32(shiftA) + i32(max(exponentOf(b), 1u)) - i32(shiftB) - 1023;
  let product = multiplyWords(shiftLeft(significandOf(a), shiftA), shiftLeft(significandOf(b), shiftB));
  // 2^104 ≤ product < 2^106; keep 2^55 … 2^57 and jam the 49 bits below.
  let high = vec2u(product.z, product.w);
  let low = vec2u(product.x, product.y);
  let lost = (low.x | (low.y & 0x1ffffu)) != 0u;
  var kept = shiftLeft(high, 15u);
  kept.x |= low.y >> 17u;
  kept.x |= select(0u, 1u, lost);
  return roundAndPack(exponent, kept);
}

// floor(a) for 0 ≤ a < 2^32.
fn floor64(a: vec2u) -> u32 {
  let exponent = exponentOf(a);
  if (exponent < 1023u) { return 0u; }
  let significand = significandOf(a);
  let shift = 1075u - exponent;
  if (shift >= 32u) { return significand.y >> (shift - 32u); }
  return (significand.x >> shift) | (significand.y << (32u - shift));
}

fn exponentOf(a: vec2u) -> u32 {
  return (a.y >> 20u) & 0x7ffu;
}

fn significandOf(a: vec2u) -> vec2u {
  return vec2u(a.x, (a.y & FRACTION) | select(0u, HIDDEN, exponentOf(a) != 0u));
}

// Rounds significand · 2^(exponent − 1078) to nearest even. The leading bit of the significand is at place 55 or 56, or
// lower where exponent = 1 (subnormal).
fn roundAndPack(exponent: i32, significand: vec2u) -> vec2u {
  var e = exponent;
  var s = significand;
  if ((s.y >> 24u) != 0u) {
    s = shiftRightJam(s, 1u);
    e++;
  }
  if (e < 1) {
    s = shiftRightJam(s, u32(1 - e));
    e = 1;
  }
  if (e >= 2047) { return INFINITY; }
  let below = s.x & 7u;
  s = vec2u((s.x >> 3u) | (s.y << 29u), s.y >> 3u);
  if (below > 4u || (below == 4u && (s.x & 1u) == 1u)) { s = addWords(s, vec2u(1u, 0u)); }
  // The hidden bit, if set, adds the 1 that is missing in the exponent field; so does a carry.
  let high = s.y + (u32(e - 1) << 20u);
  if (high >= INFINITY.y) { return INFINITY; }
  return vec2u(s.x, high);
}

fn leadingZeros(a: vec2u) -> u32 {
  return select(32u + countLeadingZeros(a.x), countLeadingZeros(a.y), a.y != 0u);
}

fn addWords(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn subtractWords(a: vec2u, b: vec2u) -> vec2u {
  return vec2u(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn shiftLeft(a: vec2u, n: u32) -> vec2u {
  if (n == 0u) { return a; }
  if (n >= 32u) { return vec2u(0u, a.x << (n - 32u)); }
  return vec2u(a.x << n, (a.y << n) | (a.x >> (32u - n)));
}

// a >> n, with the last bit set if any bit was lost.
fn shiftRightJam(a: vec2u, n: u32) -> vec2u {
  if (n == 0u) { return a; }
  if (n >= 64u) { return vec2u(select(0u, 1u, (a.x | a.y) != 0u), 0u); }
  if (n == 32u) { return vec2u(a.y | select(0u, 1u, a.x != 0u), 0u); }
  if (n > 32u) {
    let lost = a.x | (a.y << (64u - n));
    return vec2u((a.y >> (n - 32u)) | select(0u, 1u, lost != 0u), 0u);
  }
  let lost = a.x << (32u - n);
  return vec2u((a.x >> n) | (a.y << (32u - n)) | select(0u, 1u, lost != 0u), a.y >> n);
}

// 32 × 32 → 64 bits.
fn multiplyWord(a: u32, b: u32) -> vec2u {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let cross = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let middle = (a & 0xffffu) * (b >> 16u) + (cross & 0xffffu);
  return vec2u((middle << 16u) | (low & 0xffffu), (a >> 16u) * (b >> 16u) + (cross >> 16u) + (middle >> 16u));
}

// 64 × 64 → 128 bits, lowest word first.
fn multiplyWords(a: vec2u, b: vec2u) -> vec4u {
  let low = multiplyWord(a.x, b.x);
  let crossA = addWords(multiplyWord(a.y, b.x), vec2u(low.y, 0u));
  let crossB = addWords(multiplyWord(a.x, b.y), vec2u(crossA.x, 0u));
  let high = addWords(multiplyWord(a.y, b.y), addWords(vec2u(crossA.y, 0u), vec2u(crossB.y, 0u)));
  return vec4u(low.x, crossB.x, high.x, high.y);
}
