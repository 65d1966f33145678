// The contribution of a point to the weighted sum of a position, in 1 to 16 dimensions. Coordinates are scaled so that
// a point at distance 1 has the weight one half: w = exp2(−d²). DIM is known when the pipeline is created, so the
// compiler removes the unused axes.

import package::gpu::points::vector::{Vector, WeightedSum, VectorBits};
import package::gpu::shift::shiftArrays::slice;

// Coordinates, 1 to 16.
override DIM: u32;

// Floats of a coordinate: 1, or 2 if the box is many bandwidths wide.
override FLOATS: u32 = 1u;

// Whether coordinates have a remainder below a quantum, in words of their own. Only with two floats.
override HAS_REMAINDER: bool = false;

// Whether exponents are sums of products, 2·x·y − |x|² = |y|² − |x − y|², instead of squares of differences: three
// operations fewer a pair in 3-D. All weights of a position are then larger by the factor 2^(|y|²), which cancels in
// the mean. The host asks for it if all coordinates are so small that neither that factor nor the roundings matter; a
// coordinate is then one float.
override PRODUCTS: bool = false;

// A point or a position: high + low, where low is used if coordinates take two floats. High parts are the bits of
// floats, or with remainders integers.
struct Coordinates {
  high: VectorBits,
  low: Vector,
}

fn noCoordinates() -> Coordinates {
  return Coordinates(VectorBits(vec4i(), vec4i(), vec4i(), vec4i()), Vector(vec4f(), vec4f(), vec4f(), vec4f()));
}

fn floats(bits: vec4i) -> vec4f { return bitcast<vec4f>(bits); }

fn difference(x: vec4f, y: vec4f, first: u32) -> vec4f {
  var delta = vec4f(x.x - y.x, 0.0, 0.0, 0.0);
  if (DIM > first + 1u) { delta.y = x.y - y.y; }
  if (DIM > first + 2u) { delta.z = x.z - y.z; }
  if (DIM > first + 3u) { delta.w = x.w - y.w; }
  return delta;
}

// High parts are multiples of 2^8 quanta below 2^29, low parts of one quantum below 2^8: both differences are exact, so
// the sum is rounded once. With remainders high parts are integers, which no compiler can combine with the low parts,
// the remainders.
fn offset(high: vec4i, fromHigh: vec4i, low: vec4f, fromLow: vec4f, first: u32) -> vec4f {
  if (HAS_REMAINDER) { return fma(vec4f(high - fromHigh), vec4f(slice.quantum), difference(low, fromLow, first)); }
  let delta = difference(floats(high), floats(fromHigh), first);
  if (FLOATS == 1u) { return delta; }
  return delta + difference(low, fromLow, first);
}

// sum + delta²
fn addSquares(sum: f32, delta: vec4f, first: u32) -> f32 {
  var d2 = fma(delta.x, delta.x, sum);
  if (DIM > first + 1u) { d2 = fma(delta.y, delta.y, d2); }
  if (DIM > first + 2u) { d2 = fma(delta.z, delta.z, d2); }
  if (DIM > first + 3u) { d2 = fma(delta.w, delta.w, d2); }
  return d2;
}

// sum + w · delta
fn addWeighted(sum: vec4f, w: f32, delta: vec4f, first: u32) -> vec4f {
  var added = sum;
  added.x = fma(w, delta.x, sum.x);
  if (DIM > first + 1u) { added.y = fma(w, delta.y, sum.y); }
  if (DIM > first + 2u) { added.z = fma(w, delta.z, sum.z); }
  if (DIM > first + 3u) { added.w = fma(w, delta.w, sum.w); }
  return added;
}

// −|x|² follows a point's last coordinate.
fn withSquare(x: Coordinates) -> Coordinates {
  var point = x;
  var square = addSquares(0.0, floats(x.high.a), 0u);
  if (DIM > 4u) { square = addSquares(square, floats(x.high.b), 4u); }
  if (DIM > 8u) { square = addSquares(square, floats(x.high.c), 8u); }
  if (DIM > 12u) { square = addSquares(square, floats(x.high.d), 12u); }
  point.high = wordsWith(x.high, -square);
  return point;
}

// High parts with a float in component DIM, below 16.
fn wordsWith(x: VectorBits, value: f32) -> VectorBits {
  var words = x;
  let bits = bitcast<i32>(value);
  if (DIM < 4u) { words.a[DIM % 4u] = bits; }
  if (DIM >= 4u && DIM < 8u) { words.b[DIM % 4u] = bits; }
  if (DIM >= 8u && DIM < 12u) { words.c[DIM % 4u] = bits; }
  if (DIM >= 12u) { words.d[DIM % 4u] = bits; }
  return words;
}

// The float in component DIM.
fn squareOf(x: VectorBits) -> f32 {
  if (DIM < 4u) { return bitcast<f32>(x.a[DIM % 4u]); }
  if (DIM < 8u) { return bitcast<f32>(x.b[DIM % 4u]); }
  if (DIM < 12u) { return bitcast<f32>(x.c[DIM % 4u]); }
  return bitcast<f32>(x.d[DIM % 4u]);
}

// sum + x · y
fn addProducts(sum: f32, x: vec4f, y: vec4f, first: u32) -> f32 {
  var t = fma(x.x, y.x, sum);
  if (DIM > first + 1u) { t = fma(x.y, y.y, t); }
  if (DIM > first + 2u) { t = fma(x.z, y.z, t); }
  if (DIM > first + 3u) { t = fma(x.w, y.w, t); }
  return t;
}

// As `addTerm`, with twice the position; sums coordinates, not differences.
fn addTermByProducts(sum: WeightedSum, twice: Coordinates, x: Coordinates) -> WeightedSum {
  var next = sum;
  var t = addProducts(squareOf(x.high), floats(x.high.a), floats(twice.high.a), 0u);
  if (DIM > 4u) { t = addProducts(t, floats(x.high.b), floats(twice.high.b), 4u); }
  if (DIM > 8u) { t = addProducts(t, floats(x.high.c), floats(twice.high.c), 8u); }
  if (DIM > 12u) { t = addProducts(t, floats(x.high.d), floats(twice.high.d), 12u); }
  let w = exp2(t);
  next.vector.a = addWeighted(sum.vector.a, w, floats(x.high.a), 0u);
  if (DIM > 4u) { next.vector.b = addWeighted(sum.vector.b, w, floats(x.high.b), 4u); }
  if (DIM > 8u) { next.vector.c = addWeighted(sum.vector.c, w, floats(x.high.c), 8u); }
  if (DIM > 12u) { next.vector.d = addWeighted(sum.vector.d, w, floats(x.high.d), 12u); }
  next.weight = sum.weight + w;
  return next;
}

// The body of the source's loop: dist, GKernel, and the two sums.
fn addTerm(sum: WeightedSum, at: Coordinates, x: Coordinates) -> WeightedSum {
  if (PRODUCTS) { return addTermByProducts(sum, at, x); }
  var next = sum;
  let a = offset(x.high.a, at.high.a, x.low.a, at.low.a, 0u);
  var d2 = addSquares(0.0, a, 0u);
  var b: vec4f;
  var c: vec4f;
  var d: vec4f;
  if (DIM > 4u) {
    b = offset(x.high.b, at.high.b, x.low.b, at.low.b, 4u);
    d2 = addSquares(d2, b, 4u);
  }
  if (DIM > 8u) {
    c = offset(x.high.c, at.high.c, x.low.c, at.low.c, 8u);
    d2 = addSquares(d2, c, 8u);
  }
  if (DIM > 12u) {
    d = offset(x.high.d, at.high.d, x.low.d, at.low.d, 12u);
    d2 = addSquares(d2, d, 12u);
  }
  let w = exp2(-d2);
  next.vector.a = addWeighted(sum.vector.a, w, a, 0u);
  if (DIM > 4u) { next.vector.b = addWeighted(sum.vector.b, w, b, 4u); }
  if (DIM > 8u) { next.vector.c = addWeighted(sum.vector.c, w, c, 8u); }
  if (DIM > 12u) { next.vector.d = addWeighted(sum.vector.d, w, d, 12u); }
  next.weight = sum.weight + w;
  return next;
}
