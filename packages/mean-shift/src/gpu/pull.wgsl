// What one point pulls on a position, in 1 to 16 dimensions. Coordinates are scaled so that a point at distance 1 weighs one half:
// w = exp2(−d²). With DIM known when the pipeline is made, all that stands behind the last axis falls away.

// Coordinates, 1 to 16.
override DIM: u32;

// Floats that a coordinate takes: 1, or 2 where the box is many bandwidths wide.
override FLOATS: u32 = 1u;

// Up to sixteen axes, four by four.
struct Axes {
  a: vec4f,
  b: vec4f,
  c: vec4f,
  d: vec4f,
}

// A point or a position: high + low, of which low is used where coordinates take two floats.
struct Place {
  high: Axes,
  low: Axes,
}

// Σ w · (xᵢ − x) and Σ w.
struct Pull {
  offset: Axes,
  weight: f32,
}

fn noAxes() -> Axes { return Axes(vec4f(), vec4f(), vec4f(), vec4f()); }

fn noPlace() -> Place { return Place(noAxes(), noAxes()); }

fn noPull() -> Pull { return Pull(noAxes(), 0.0); }

fn difference(x: vec4f, y: vec4f, first: u32) -> vec4f {
  var delta = vec4f(x.x - y.x, 0.0, 0.0, 0.0);
  if (DIM > first + 1u) { delta.y = x.y - y.y; }
  if (DIM > first + 2u) { delta.z = x.z - y.z; }
  if (DIM > first + 3u) { delta.w = x.w - y.w; }
  return delta;
}

// High parts are multiples of 2^8 quanta below 2^29, low parts of one quantum below 2^8: both differences are exact, so the sum is rounded once.
fn offset(high: vec4f, fromHigh: vec4f, low: vec4f, fromLow: vec4f, first: u32) -> vec4f {
  if (FLOATS == 1u) { return difference(high, fromHigh, first); }
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

// The loop's body: dist, GKernel, and the two sums.
fn pulled(sum: Pull, at: Place, x: Place) -> Pull {
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
  next.offset.a = addWeighted(sum.offset.a, w, a, 0u);
  if (DIM > 4u) { next.offset.b = addWeighted(sum.offset.b, w, b, 4u); }
  if (DIM > 8u) { next.offset.c = addWeighted(sum.offset.c, w, c, 8u); }
  if (DIM > 12u) { next.offset.d = addWeighted(sum.offset.d, w, d, 12u); }
  next.weight = sum.weight + w;
  return next;
}

fn plus(x: Pull, y: Pull) -> Pull {
  var sum = x;
  sum.offset.a += y.offset.a;
  if (DIM > 4u) { sum.offset.b += y.offset.b; }
  if (DIM > 8u) { sum.offset.c += y.offset.c; }
  if (DIM > 12u) { sum.offset.d += y.offset.d; }
  sum.weight += y.weight;
  return sum;
}
