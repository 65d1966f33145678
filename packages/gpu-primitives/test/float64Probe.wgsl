// Applies the software float64 operations to pairs of values; tests compare the results with JavaScript's.

import package::float64::{absoluteDifference64, add64, float64From32, floor64, multiply64};
import package::float64Roots::{divide64, root64};

@group(0) @binding(0) var<storage, read> pairs: array<vec4u>;
// Per pair: |a − b|, |a| + |b|, |a| · |b|, |a| / |b|, √|a|, floor(|a|), the float64 of a's low word read as float32, and 0.
@group(0) @binding(1) var<storage, read_write> results: array<vec2u>;

@compute @workgroup_size(64)
fn probe(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&pairs)) { return; }
  let a = pairs[id.x].xy;
  let b = pairs[id.x].zw;
  let magnitudeA = vec2u(a.x, a.y & 0x7fffffffu);
  let magnitudeB = vec2u(b.x, b.y & 0x7fffffffu);
  let first = id.x * 8u;
  results[first] = absoluteDifference64(a, b);
  results[first + 1u] = add64(magnitudeA, magnitudeB);
  results[first + 2u] = multiply64(magnitudeA, magnitudeB);
  results[first + 3u] = divide64(magnitudeA, magnitudeB);
  results[first + 4u] = root64(magnitudeA);
  results[first + 5u] = vec2u(floor64(magnitudeA), 0u);
  results[first + 6u] = float64From32(a.x);
}
