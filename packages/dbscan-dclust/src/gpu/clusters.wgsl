// From identities to labels, after the search. Each entry point is a dispatch of its own, in this order. `ranks` is the
// exclusive scan of the flags that markFirsts sets.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::identities::{findRoot, isRoot, wordOf};
import package::gpu::run::{NONE, run};
import package::gpu::search::search;
import package::gpu::states::{CORE, identityOf, states, wasMet};

// By row of the collision matrix: the identity that the host has united the row's owner with, or ROOT.
@group(0) @binding(0) var<storage, read> resolved: array<u32>;
// Index of the point at each position, if positions are not the caller's order.
@group(0) @binding(1) var<storage, read> pointOrder: array<u32>;
// By identity that is a root: index of the smallest core point of its cluster.
@group(0) @binding(2) var<storage, read_write> lowest: array<atomic<u32>>;
// By point: 1 for the smallest core point of a cluster.
@group(0) @binding(3) var<storage, read_write> firsts: array<u32>;
@group(0) @binding(4) var<storage, read> ranks: array<u32>;
// By point: its label. From word `run.n` on the positions of contested border points, which core points of several
// identities have met.
@group(0) @binding(5) var<storage, read_write> labels: array<u32>;
// One byte per point, four to a word.
@group(0) @binding(6) var<storage, read_write> coreMask: array<atomic<u32>>;

fn indexOf(position: u32) -> u32 {
  if (run.isOrdered == 0u) { return position; }
  return pointOrder[position];
}

// Applies the host's resolution of the collision matrix, one invocation per row. The owner of a set's root row stays a
// root.
@compute @workgroup_size(256)
fn applyCollisions(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
  if (row >= run.chains) { return; }
  let owner = atomicLoad(&search.ofChain[row].owner);
  if (owner != NONE && !isRoot(resolved[row])) { atomicStore(&states[wordOf(owner)], resolved[row]); }
}

@compute @workgroup_size(256)
fn clearClusters(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= run.n) { return; }
  atomicStore(&lowest[i], NONE);
  firsts[i] = 0u;
  if (i % 4u == 0u) { atomicStore(&coreMask[i / 4u], 0u); }
}

@compute @workgroup_size(256)
fn findLowest(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let b = workgroupNumber(at) * 256u + lane;
  if (b >= run.n) { return; }
  let state = atomicLoad(&states[b]);
  if ((state & CORE) != 0u) { atomicMin(&lowest[findRoot(identityOf(state)).x], indexOf(b)); }
}

@compute @workgroup_size(256)
fn markFirsts(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let identity = workgroupNumber(at) * 256u + lane;
  if (identity >= run.n) { return; }
  let first = atomicLoad(&lowest[identity]);
  if (first == NONE) { return; }
  firsts[first] = 1u;
  atomicAdd(&search.clusters, 1u);
}

// Labels all points except contested border points, which it lists.
@compute @workgroup_size(256)
fn writeLabels(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let b = workgroupNumber(at) * 256u + lane;
  if (b >= run.n) { return; }
  let state = atomicLoad(&states[b]);
  let i = indexOf(b);
  let isCore = (state & CORE) != 0u;
  if (isCore) { atomicOr(&coreMask[i / 4u], 1u << (8u * (i % 4u))); }
  if (!isCore && wasMet(state)) { labels[run.n + atomicAdd(&search.contestedLength, 1u)] = b; }
  // A point that no core point has claimed or met started a chain by itself, and is noise.
  let first = atomicLoad(&lowest[findRoot(identityOf(state)).x]);
  labels[i] = NONE;
  if (first != NONE) { labels[i] = ranks[first]; }
}
