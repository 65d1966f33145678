// Quotients and square roots of float64 in software (float64.wgsl), digit by digit, so rounded as JavaScript's are. They
// take some 700 integer operations each.

import package::float64::{INFINITY, exponentOf, isLess64, leadingZeros, roundAndPack, shiftLeft, significandOf, subtractWords};

// a / b for non-negative values, not both 0 and not both infinite.
fn divide64(a: vec2u, b: vec2u) -> vec2u {
  if (all(a == vec2u()) || exponentOf(b) == 0x7ffu) { return vec2u(); }
  if (all(b == vec2u()) || exponentOf(a) == 0x7ffu) { return INFINITY; }
  let shiftA = leadingZeros(significandOf(a)) - 11u;
  let shiftB = leadingZeros(significandOf(b)) - 11u;
  let divisor = shiftLeft(significandOf(b), shiftB);
  var rest = shiftLeft(significandOf(a), shiftA);
  // 2^55 < quotient < 2^57
  var quotient = vec2u();
  for (var digit = 0u; digit < 57u; digit++) {
    quotient = twice(quotient);
    if (!isLess64(rest, divisor)) {
      rest = subtractWords(rest, divisor);
      quotient.x |= 1u;
    }
    rest = twice(rest);
  }
  quotient.x |= select(0u, 1u, any(rest != vec2u()));
  let exponent = i32(max(exponentOf(a), 1u) - shiftA) - i32(max(exponentOf(b), 1u) - shiftB) + 1022;
  return roundAndPack(exponent, quotient);
}

// √a for non-negative values.
fn root64(a: vec2u) -> vec2u {
  if (all(a == vec2u()) || exponentOf(a) == 0x7ffu) { return a; }
  let shift = leadingZeros(significandOf(a)) - 11u;
  // a = significand · 2^exponent with an even exponent
  var exponent = i32(max(exponentOf(a), 1u)) - i32(shift) - 1075;
  let odd = u32(exponent & 1);
  exponent -= i32(odd);
  // 27 pairs of bits, from the highest; then pairs of zeros.
  var pairs = shiftLeft(significandOf(a), shift + odd + 10u);
  var rest = vec2u();
  // 2^55 ≤ root < 2^56
  var root = vec2u();
  for (var digit = 0u; digit < 56u; digit++) {
    rest = twice(twice(rest)) | vec2u(pairs.y >> 30u, 0u);
    pairs = twice(twice(pairs));
    let trial = twice(twice(root)) | vec2u(1u, 0u);
    root = twice(root);
    if (!isLess64(rest, trial)) {
      rest = subtractWords(rest, trial);
      root.x |= 1u;
    }
  }
  root.x |= select(0u, 1u, any(rest != vec2u()));
  return roundAndPack((exponent >> 1u) + 1049, root);
}

fn twice(a: vec2u) -> vec2u {
  return vec2u(a.x << 1u, (a.y << 1u) | (a.x >> 31u));
}
