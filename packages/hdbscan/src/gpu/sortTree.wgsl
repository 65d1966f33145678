// Brings the edges of the spanning tree into the order of their weights: keys for a sort, and the move of the edges.

import gpu::dispatch::{Workgroup, workgroupNumber};

struct SortTreeParams {
  count: u32,
}

@group(0) @binding(0) var<uniform> params: SortTreeParams;
// Position, other end, and the weight: low word, high word.
@group(0) @binding(1) var<storage, read> edges: array<vec4u>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> sortedEdges: array<vec4u>;

@compute @workgroup_size(256)
fn edgeKeys(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k < params.count) { keys[k] = edges[k].zw; }
}

@compute @workgroup_size(256)
fn moveEdges(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k < params.count) { sortedEdges[k] = edges[order[k]]; }
}
