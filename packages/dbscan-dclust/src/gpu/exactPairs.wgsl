// The neighbourhood test of the contract in software float64, for pairs that float32 cannot decide.
// Takes binding 75 of group 0.

import gpu_primitives::float64::{absoluteDifference64, add64, float64From32, isLess64, multiply64};
import package::gpu::points::pointBlocks;
import package::gpu::run::run;

// By position, point-major: the caller's float64 words, if run.isWide.
@group(0) @binding(75) var<storage, read> wideCoords: array<vec2u>;

fn wideAt(b: u32, d: u32) -> vec2u {
  if (run.isWide != 0u) { return wideCoords[b * run.dim + d]; }
  return float64From32(pointBlocks[(d / 4u) * run.n + b][d % 4u]);
}

// Returns whether the points at positions a and b are neighbours: the same sum, in the same order, as
// squaredDistance of @epsball/clustering.
fn areNeighbors(a: u32, b: u32) -> bool {
  var sum = vec2u();
  for (var d = 0u; d < run.dim; d++) {
    let delta = absoluteDifference64(wideAt(a, d), wideAt(b, d));
    sum = add64(sum, multiply64(delta, delta));
  }
  return !isLess64(run.eps2, sum);
}
