// Weights of points as integers: multiples of one power of two, whose magnitudes sum to less than 2^31 − 1. So sums and
// differences of sums are exact (pointWeights.ts). Without weights each point has weight 1, and the threshold is
// minPts.
// Uses binding 27 of group 0.

import package::gpu::grid::grid;

// Without weights `weightsBefore` is not read; kernels bind any buffer.
override HAS_WEIGHTS: bool = false;

// By position: the sum of all weights before it, n + 1 words. Then the threshold of a core point, and the sum from
// which a point is core whatever the other weights are.
@group(0) @binding(27) var<storage, read> weightsBefore: array<i32>;

// Sum of the weights at positions [range.x, range.y).
fn weightIn(range: vec2u) -> i32 {
  if (!HAS_WEIGHTS) { return i32(range.y - range.x); }
  return weightsBefore[range.y] - weightsBefore[range.x];
}

fn weightAt(position: u32) -> i32 {
  if (!HAS_WEIGHTS) { return 1; }
  return weightIn(vec2u(position, position + 1u));
}

// A point is core if its sum is at least this. A device holds fewer than 2^31 points.
fn weightThreshold(minPts: u32) -> i32 {
  if (!HAS_WEIGHTS) { return i32(min(minPts, 0x7fffffffu)); }
  return weightsBefore[grid.n + 1u];
}

// The threshold and the magnitudes of all negative weights.
fn weightToStopAt(minPts: u32) -> i32 {
  if (!HAS_WEIGHTS) { return weightThreshold(minPts); }
  return weightsBefore[grid.n + 2u];
}
