// What a selection says of each point, in the caller's order, as hierarchy/describePoints.ts.

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::float64::{isLess64, subtractSmaller};
import gpu_primitives::float64Roots::divide64;
import package::gpu::lambda::{INFINITE, ONE, lambdaOf};

// A row of `ClusterTable` in hierarchy/chooseClusters.ts.
struct ClusterRow {
  lambdaMax: vec2u,
  deepest: vec2u,
  number: u32,
  label: u32,
}

struct DescribeParams {
  n: u32,
  bound: vec2u,
}

const NOISE: u32 = 0xffffffffu;

// Arrays that share a buffer are all writable here, as WebGPU demands.

@group(0) @binding(0) var<uniform> params: DescribeParams;
// By position: the cluster that it leaves last, and the level.
@group(0) @binding(1) var<storage, read_write> clusterAt: array<u32>;
@group(0) @binding(2) var<storage, read_write> levels: array<u32>;
@group(0) @binding(3) var<storage, read> pointOrder: array<u32>;
// Of the edges, ascending.
@group(0) @binding(4) var<storage, read> squared: array<vec2u>;
@group(0) @binding(5) var<storage, read> table: array<ClusterRow>;
@group(0) @binding(6) var<storage, read_write> labels: array<u32>;
@group(0) @binding(7) var<storage, read_write> clusterOf: array<u32>;
@group(0) @binding(8) var<storage, read_write> probabilities: array<vec2u>;
@group(0) @binding(9) var<storage, read_write> outlierScores: array<vec2u>;
@group(0) @binding(10) var<storage, read_write> leavesSquared: array<vec2u>;

fn labelOf(p: u32) -> u32 {
  if (isLess64(params.bound, squared[levels[p]])) { return NOISE; }
  return table[clusterAt[p]].label;
}

@compute @workgroup_size(256)
fn labelPoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= params.n) { return; }
  labels[pointOrder[p]] = labelOf(p);
  clusterOf[pointOrder[p]] = table[clusterAt[p]].number;
}

@compute @workgroup_size(256)
fn scorePoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= params.n) { return; }
  let leaving = squared[levels[p]];
  let lambda = lambdaOf(leaving);
  let row = table[clusterAt[p]];
  var probability = vec2u();
  if (labelOf(p) != NOISE) { probability = shareOf(lambda, row.lambdaMax); }
  leavesSquared[pointOrder[p]] = leaving;
  probabilities[pointOrder[p]] = probability;
  outlierScores[pointOrder[p]] = outlierScoreOf(lambda, row.deepest);
}

// Points that go on into children have left at the last level of the cluster.
fn shareOf(lambda: vec2u, most: vec2u) -> vec2u {
  if (all(lambda == INFINITE) || !isLess64(lambda, most)) { return ONE; }
  return divide64(lambda, most);
}

fn outlierScoreOf(lambda: vec2u, deepest: vec2u) -> vec2u {
  if (all(lambda == INFINITE) || all(deepest == vec2u())) { return vec2u(); }
  if (all(deepest == INFINITE)) { return ONE; }
  return divide64(subtractSmaller(deepest, lambda), deepest);
}
