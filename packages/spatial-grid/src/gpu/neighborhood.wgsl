// The neighbourhood test of the contract, fl(d²) ≤ fl(eps²) in float64, where float32 is certain of it. The host
// derives the bounds (distanceBounds.ts). Pairs between them are undecided: a kernel sets them aside for another
// kernel, which imports `exactNeighborhood`. The split keeps the common kernel small: adapters that execute both sides
// of a branch would otherwise pay for software float64 at every pair.
// Uses bindings 24 and 25 of group 0.

import package::gpu::grid::DIM;

struct NeighborhoodParams {
  eps2: vec2u,
  // d² < sureBelow: neighbours. d² > sureAbove: not.
  sureBelow: f32,
  sureAbove: f32,
  // 1 if float32 cannot hold the squares.
  isExactOnly: u32,
}

@group(0) @binding(24) var<uniform> neighborhood: NeighborhoodParams;
// By position, point-major: float32 words; for float64 points rounded and relative to the corner of their box.
@group(0) @binding(25) var<storage, read> sortedCoords: array<u32>;

const FAR: u32 = 0u;
const NEAR: u32 = 1u;
const UNDECIDED: u32 = 2u;

fn pointAt(position: u32) -> vec4f {
  var point = vec4f();
  for (var d = 0u; d < DIM; d++) { point[d] = bitcast<f32>(sortedCoords[position * DIM + d]); }
  return point;
}

// FAR, NEAR or UNDECIDED: whether the point at position b is within eps of `point`.
fn compareWithEps(point: vec4f, b: u32) -> u32 {
  return verdictOn(squaredDistanceTo(point, b));
}

fn squaredDistanceTo(point: vec4f, b: u32) -> f32 {
  return squaredDistance(point, pointAt(b));
}

fn squaredDistance(a: vec4f, b: vec4f) -> f32 {
  let delta = a - b;
  return dot(delta, delta);
}

// The verdict for a float32 d², in any number of dimensions: FAR, NEAR or UNDECIDED.
fn verdictOn(d2: f32) -> u32 {
  var verdict = UNDECIDED;
  if (d2 < neighborhood.sureBelow) { verdict = NEAR; }
  if (d2 > neighborhood.sureAbove) { verdict = FAR; }
  return select(verdict, UNDECIDED, neighborhood.isExactOnly != 0u);
}
