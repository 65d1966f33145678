// Weights of points as integers: multiples of one power of two, whose magnitudes sum to less than 2^31 − 1. So sums and
// differences of sums are exact (pointWeights.ts).
// Uses binding 27 of group 0.

import package::gpu::grid::grid;

// By position: the sum of all weights before it, n + 1 words. Then the threshold of a core point, and the sum from
// which a point is core whatever the other weights are.
@group(0) @binding(27) var<storage, read> weightsBefore: array<i32>;

// Sum of the weights at positions [range.x, range.y).
fn weightIn(range: vec2u) -> i32 {
  return weightsBefore[range.y] - weightsBefore[range.x];
}

fn weightAt(position: u32) -> i32 {
  return weightIn(vec2u(position, position + 1u));
}

// A point is core if its sum is at least this.
fn weightThreshold() -> i32 {
  return weightsBefore[grid.n + 1u];
}

// The threshold and the magnitudes of all negative weights.
fn weightToStopAt() -> i32 {
  return weightsBefore[grid.n + 2u];
}
