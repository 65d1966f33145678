// Brings the edges of the spanning tree into the order of their weights: keys for a sort, and the move of their ends.
// Core distances go into the caller's order.

import gpu::dispatch::{Workgroup, workgroupNumber};

struct SortTreeParams {
  // Edges; positions are one more.
  count: u32,
}

@group(0) @binding(0) var<uniform> params: SortTreeParams;
// Position, other end, and the weight: low word, high word.
@group(0) @binding(1) var<storage, read> edges: array<vec4u>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys: array<vec2u>;
// The first ends of all sorted edges, then the second ends.
@group(0) @binding(4) var<storage, read_write> ends: array<u32>;

// By position.
@group(0) @binding(5) var<storage, read> core: array<vec2u>;
@group(0) @binding(6) var<storage, read> pointOrder: array<u32>;
// By point.
@group(0) @binding(7) var<storage, read_write> coreOut: array<vec2u>;

@compute @workgroup_size(256)
fn orderCores(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p <= params.count) { coreOut[pointOrder[p]] = core[p]; }
}

@compute @workgroup_size(256)
fn edgeKeys(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k < params.count) { keys[k] = edges[k].zw; }
}

@compute @workgroup_size(256)
fn moveEdges(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= params.count) { return; }
  let edge = edges[order[k]];
  ends[k] = edge.x;
  ends[params.count + k] = edge.y;
}
