// Brings points into Morton order. Source: Morton 1966.

import gpu::dispatch::{Workgroup, workgroupNumber};

struct LayOutParams {
  n: u32,
  dim: u32,
  // Bits of an axis in a key: at most 24, and at most 64 / dim.
  axisBits: u32,
  // Words of a point's coordinates.
  width: u32,
  // 1: `given` holds them. 0: they are x · scale − corner, of float32 coordinates.
  isGiven: u32,
  scale: f32,
  corner: array<vec4f, 4>,
}

@group(0) @binding(0) var<uniform> params: LayOutParams;
// In the caller's order: (x − corner) · 2^−q, from 0 to 1; and the coordinates.
@group(0) @binding(1) var<storage, read> given: array<f32>;
@group(0) @binding(2) var<storage, read> givenWords: array<u32>;
@group(0) @binding(3) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys: array<vec2u>;
// As `relative` of boxTree.wgsl.
@group(0) @binding(5) var<storage, read_write> relativeOut: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> wordsOut: array<u32>;
@group(0) @binding(7) var<storage, read_write> pointOrderOut: array<u32>;

fn relativeOf(i: u32, d: u32) -> f32 {
  let at = i * params.dim + d;
  if (params.isGiven == 1u) { return given[at]; }
  // The product is exact, so a fused operation rounds the same difference.
  return bitcast<f32>(givenWords[at]) * params.scale - params.corner[d >> 2u][d & 3u];
}

// A key of 64 bits, low word first: the bits of the axes in turn, from the highest.
@compute @workgroup_size(256)
fn mortonKeys(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= params.n) { return; }
  let dim = params.dim;
  let cells = 1u << params.axisBits;
  var key = vec2u();
  for (var bit = params.axisBits; bit > 0u; bit--) {
    for (var d = 0u; d < dim; d++) {
      let cell = min(u32(max(relativeOf(i, d), 0.0) * f32(cells)), cells - 1u);
      key = vec2u((key.x << 1u) | ((cell >> (bit - 1u)) & 1u), (key.y << 1u) | (key.x >> 31u));
    }
  }
  keys[i] = key;
}

@compute @workgroup_size(256)
fn gatherPoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= params.n) { return; }
  let i = pointOrder[p];
  pointOrderOut[p] = i;
  let dim = params.dim;
  let chunks = (dim + 3u) >> 2u;
  for (var c = 0u; c < chunks; c++) {
    var axes = vec4f();
    for (var d = 4u * c; d < min(4u * c + 4u, dim); d++) { axes[d & 3u] = relativeOf(i, d); }
    relativeOut[p * chunks + c] = axes;
  }
  let width = params.width;
  for (var k = 0u; k < width; k++) { wordsOut[p * width + k] = givenWords[i * width + k]; }
}
