// Applies the software float64 operations to pairs of values; tests compare the results with JavaScript's.

import package::float64::{absoluteDifference64, add64, float64From32, floor64, multiply64};

@group(0) @binding(0) var<storage, read> pairs: array<vec4u>;
// Per pair: |a − b|, |a| + |b|, |a| · |b|, floor(|a|) and the float64 of a's low word read as float32.
@group(0) @binding(1) var<storage, read_write> results: array<vec2u>;

@compute @workgroup_size(64)
fn probe(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&pairs)) { return; }
  let a = pairs[id.x].xy;
  let b = pairs[id.x].zw;
  let magnitudeA = vec2u(a.x, a.y & 0x7fffffffu);
  let magnitudeB = vec2u(b.x, b.y & 0x7fffffffu);
  results[id.x * 5u] = absoluteDifference64(a, b);
  results[id.x * 5u + 1u] = add64(magnitudeA, magnitudeB);
  results[id.x * 5u + 2u] = multiply64(magnitudeA, magnitudeB);
  results[id.x * 5u + 3u] = vec2u(floor64(magnitudeA), 0u);
  results[id.x * 5u + 4u] = float64From32(a.x);
}
