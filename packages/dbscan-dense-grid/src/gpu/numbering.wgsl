// Numbers the clusters by their smallest core index.
//   findFirsts    the smallest core index of every set
//   markFirsts    a bit at these indices; their ranks are the numbers
//   labelCores    the number of each core point's cluster, and its core flag

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::grid::grid;
import union_find::gpu::disjointSets::findRoot;
import package::gpu::cells::{CORE, isCore, labels, setOf};

@group(0) @binding(0) var<storage, read> pointOrder: array<u32>;
// By root: the complement of the smallest index; 0 at the start.
@group(0) @binding(1) var<storage, read_write> firstCores: array<atomic<u32>>;
// A bit per point; 0 at the start.
@group(0) @binding(2) var<storage, read_write> firstBits: array<atomic<u32>>;
// The words of `firstBits`, each with the number of bits before it.
@group(0) @binding(3) var<storage, read> firstRanks: array<vec2u>;
// By point.
@group(0) @binding(4) var<storage, read_write> labelsOut: array<u32>;
// A bit per point; 0 at the start.
@group(0) @binding(5) var<storage, read_write> coreBits: array<atomic<u32>>;

@compute @workgroup_size(256)
fn findFirsts(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let a = workgroupNumber(at) * 256u + lane;
  if (a >= grid.n || !isCore(a)) { return; }
  let root = findRoot(setOf(a));
  let first = ~pointOrder[a];
  // A look first: nearly all points of a large cluster come after its smallest by then.
  if (atomicLoad(&firstCores[root]) < first) { atomicMax(&firstCores[root], first); }
}

@compute @workgroup_size(256)
fn markFirsts(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let root = workgroupNumber(at) * 256u + lane;
  if (root >= grid.n) { return; }
  // Roots of core points only have one.
  let complement = atomicLoad(&firstCores[root]);
  if (complement != 0u) { atomicOr(&firstBits[~complement >> 5u], 1u << (~complement & 31u)); }
}

@compute @workgroup_size(256)
fn labelCores(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let a = workgroupNumber(at) * 256u + lane;
  if (a >= grid.n || !isCore(a)) { return; }
  let first = ~atomicLoad(&firstCores[findRoot(setOf(a))]);
  let pair = firstRanks[first >> 5u];
  let label = pair.y + countOneBits(pair.x & ((1u << (first & 31u)) - 1u));
  atomicStore(&labels[a], CORE | label);
  let i = pointOrder[a];
  labelsOut[i] = label;
  atomicOr(&coreBits[i >> 5u], 1u << (i & 31u));
}
