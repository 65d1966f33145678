// Disjoint sets of the ends of edges: three dispatches, of which the middle one may be repeated with further edges.

import gpu::dispatch::linearWorkgroup;
import package::gpu::disjointSets::{findRoot, parent, unite};

struct UnionParams {
  // Edges of this dispatch.
  count: u32,
}

// Two members an edge.
@group(0) @binding(0) var<storage, read> edges: array<vec2u>;
@group(0) @binding(1) var<uniform> params: UnionParams;

@compute @workgroup_size(256)
fn makeSets(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let i = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (i < arrayLength(&parent)) { atomicStore(&parent[i], i); }
}

@compute @workgroup_size(256)
fn uniteEdges(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let k = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (k >= params.count) { return; }
  let edge = edges[k];
  // A device cannot throw, and an index past the end would be moved to some other member.
  if (max(edge.x, edge.y) < arrayLength(&parent)) { unite(edge.x, edge.y); }
}

// Points every member at its root. Halving by others goes on meanwhile and cannot lift what stands there. A minimum as well, not
// a store: SwiftShader's minima are atomic among themselves only, and one in flight would undo a store.
@compute @workgroup_size(256)
fn flattenSets(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let i = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (i < arrayLength(&parent)) { atomicMin(&parent[i], findRoot(i)); }
}
