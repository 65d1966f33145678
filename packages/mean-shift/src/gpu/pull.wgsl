// What one point pulls on a position, in 1 to 16 dimensions. Coordinates are scaled so that a point at distance 1 weighs one half:
// w = exp2(−d²). With DIM known when the pipeline is made, all that stands behind the last axis falls away.

import package::gpu::place::{Place, Pull};
import package::gpu::shiftArrays::slice;

// Coordinates, 1 to 16.
override DIM: u32;

// Floats that a coordinate takes: 1, or 2 where the box is many bandwidths wide.
override FLOATS: u32 = 1u;

// Of two floats: whether there is something below a quantum, in words of its own.
override HAS_REST: bool = false;

// Whether exponents are sums of products, 2·x·y − |x|² = |y|² − |x − y|², instead of the squares of differences: three operations fewer a pair in
// 3-D. All weights of a position are then larger by one factor, 2^(|y|²), of which no mean knows. The host asks for it where all coordinates
// are so small that neither that factor nor the roundings matter; then a coordinate is one float.
override PRODUCTS: bool = false;

// Of a point or a position: high + low, of which low is used where coordinates take two floats.
struct Coordinates {
  high: Place,
  low: Place,
}

fn noPlace() -> Place { return Place(vec4f(), vec4f(), vec4f(), vec4f()); }

fn difference(x: vec4f, y: vec4f, first: u32) -> vec4f {
  var delta = vec4f(x.x - y.x, 0.0, 0.0, 0.0);
  if (DIM > first + 1u) { delta.y = x.y - y.y; }
  if (DIM > first + 2u) { delta.z = x.z - y.z; }
  if (DIM > first + 3u) { delta.w = x.w - y.w; }
  return delta;
}

// High parts are multiples of 2^8 quanta below 2^29, low parts of one quantum below 2^8: both differences are exact, so the sum is rounded once. With a rest high
// parts are the bits of whole numbers, which no compiler puts together with the low ones; those are the rests.
fn offset(high: vec4f, fromHigh: vec4f, low: vec4f, fromLow: vec4f, first: u32) -> vec4f {
  if (FLOATS == 1u) { return difference(high, fromHigh, first); }
  if (HAS_REST) {
    let whole = vec4f(bitcast<vec4i>(high) - bitcast<vec4i>(fromHigh));
    return fma(whole, vec4f(slice.quantum), difference(low, fromLow, first));
  }
  return difference(high, fromHigh, first) + difference(low, fromLow, first);
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

// −|x|² stands behind a point's last coordinate.
fn withSquare(x: Coordinates) -> Coordinates {
  var point = x;
  var square = addSquares(0.0, x.high.a, 0u);
  if (DIM > 4u) { square = addSquares(square, x.high.b, 4u); }
  if (DIM > 8u) { square = addSquares(square, x.high.c, 8u); }
  if (DIM > 12u) { square = addSquares(square, x.high.d, 12u); }
  point.high = placedAt(x.high, -square);
  return point;
}

// A place with a value in component DIM, below 16.
fn placedAt(x: Place, value: f32) -> Place {
  var place = x;
  if (DIM < 4u) { place.a[DIM % 4u] = value; }
  if (DIM >= 4u && DIM < 8u) { place.b[DIM % 4u] = value; }
  if (DIM >= 8u && DIM < 12u) { place.c[DIM % 4u] = value; }
  if (DIM >= 12u) { place.d[DIM % 4u] = value; }
  return place;
}

// The value in component DIM.
fn squareOf(x: Place) -> f32 {
  if (DIM < 4u) { return x.a[DIM % 4u]; }
  if (DIM < 8u) { return x.b[DIM % 4u]; }
  if (DIM < 12u) { return x.c[DIM % 4u]; }
  return x.d[DIM % 4u];
}

// sum + x · y
fn addProducts(sum: f32, x: vec4f, y: vec4f, first: u32) -> f32 {
  var t = fma(x.x, y.x, sum);
  if (DIM > first + 1u) { t = fma(x.y, y.y, t); }
  if (DIM > first + 2u) { t = fma(x.z, y.z, t); }
  if (DIM > first + 3u) { t = fma(x.w, y.w, t); }
  return t;
}

// As `pulled`, with twice the position; adds up coordinates, not differences.
fn pulledByProducts(sum: Pull, twice: Coordinates, x: Coordinates) -> Pull {
  var next = sum;
  var t = addProducts(squareOf(x.high), x.high.a, twice.high.a, 0u);
  if (DIM > 4u) { t = addProducts(t, x.high.b, twice.high.b, 4u); }
  if (DIM > 8u) { t = addProducts(t, x.high.c, twice.high.c, 8u); }
  if (DIM > 12u) { t = addProducts(t, x.high.d, twice.high.d, 12u); }
  let w = exp2(t);
  next.to.a = addWeighted(sum.to.a, w, x.high.a, 0u);
  if (DIM > 4u) { next.to.b = addWeighted(sum.to.b, w, x.high.b, 4u); }
  if (DIM > 8u) { next.to.c = addWeighted(sum.to.c, w, x.high.c, 8u); }
  if (DIM > 12u) { next.to.d = addWeighted(sum.to.d, w, x.high.d, 12u); }
  next.weight = sum.weight + w;
  return next;
}

// The loop's body: dist, GKernel, and the two sums.
fn pulled(sum: Pull, at: Coordinates, x: Coordinates) -> Pull {
  if (PRODUCTS) { return pulledByProducts(sum, at, x); }
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
  next.to.a = addWeighted(sum.to.a, w, a, 0u);
  if (DIM > 4u) { next.to.b = addWeighted(sum.to.b, w, b, 4u); }
  if (DIM > 8u) { next.to.c = addWeighted(sum.to.c, w, c, 8u); }
  if (DIM > 12u) { next.to.d = addWeighted(sum.to.d, w, d, 12u); }
  next.weight = sum.weight + w;
  return next;
}
