// Unites the ends of edges in three dispatches. The second one may be repeated with more edges.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::disjointSets::{findRoot, parent, unite};

struct UnionParams {
  // Number of edges of this dispatch.
  count: u32,
}

// Two members for each edge.
@group(0) @binding(0) var<storage, read> edges: array<vec2u>;
@group(0) @binding(1) var<uniform> params: UnionParams;

@compute @workgroup_size(256)
fn makeSets(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i < arrayLength(&parent)) { atomicStore(&parent[i], i); }
}

@compute @workgroup_size(256)
fn uniteEdges(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= params.count) { return; }
  let edge = edges[k];
  // Ignores invalid edges: a device cannot throw, and robust access would redirect the index to some member.
  if (max(edge.x, edge.y) < arrayLength(&parent)) { unite(edge.x, edge.y); }
}

// Points every member at its root. Other invocations halve paths meanwhile and cannot raise a word. A minimum, not a
// store: on SwiftShader minima are atomic only among themselves, and a concurrent one would undo a store.
@compute @workgroup_size(256)
fn flattenSets(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i < arrayLength(&parent)) { atomicMin(&parent[i], findRoot(i)); }
}
