// The neighbourhood test of the contract for every pair: float32 where it is certain, else software float64.
// Uses binding 26 of group 0, and those of neighborhood.wgsl.

import gpu_primitives::float64::{absoluteDifference64, add64, float64From32, isLess64, multiply64};
import package::gpu::grid::DIM;
import package::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, neighborhood, sortedCoords};

// Whether the caller's coordinates are float64.
override IS_WIDE: bool = false;

// By position, point-major: the caller's float64 words, if IS_WIDE.
@group(0) @binding(26) var<storage, read> sortedWideCoords: array<vec2u>;

fn wideAt(word: u32) -> vec2u {
  if (IS_WIDE) { return sortedWideCoords[word]; }
  return float64From32(sortedCoords[word]);
}

// Whether the points at positions a and b are neighbours; `point` is pointAt(a), which the caller loads once.
fn areNeighbors(point: vec4f, a: u32, b: u32) -> bool {
  let verdict = compareWithEps(point, b);
  if (verdict != UNDECIDED) { return verdict == NEAR; }
  return areNeighborsExactly(a, b, DIM);
}

// The same with software float64 only, in any number of dimensions.
fn areNeighborsExactly(a: u32, b: u32, dim: u32) -> bool {
  // The same sum, in the same order, as squaredDistance of @epsball/clustering.
  var sum = vec2u();
  for (var d = 0u; d < dim; d++) {
    let delta = absoluteDifference64(wideAt(a * dim + d), wideAt(b * dim + d));
    sum = add64(sum, multiply64(delta, delta));
  }
  return !isLess64(neighborhood.eps2, sum);
}
