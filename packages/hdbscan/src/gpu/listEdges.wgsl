// The search of a round in lists of near points, in the place of search.wgsl. A list does not know all edges of its
// position: a component has an edge in this round only if none that a list leaves out may be lighter.

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::float64::isLess64;
import package::gpu::boxTree::{NONE, UNLIMITED, exactSquared, floorOf, limitOf, tree};
import package::gpu::round::{component, core, found, hasEdge, lightest};
import package::gpu::tiles::{farOf, lowOf};

struct ListEdgeParams {
  // Entries of a list.
  kept: u32,
}

@group(0) @binding(0) var<uniform> params: ListEdgeParams;
// As `nearOut` and `reachOut` of listCores.wgsl.
@group(0) @binding(1) var<storage, read> near: array<vec2u>;
@group(0) @binding(2) var<storage, read> reach: array<f32>;

@compute @workgroup_size(256)
fn listEdges(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= tree.n) { return; }
  let mine = component(p);
  var edge = found[p];
  if (hasEdge(edge)) {
    // The lightest of the list still is if it leads to another component: components only grow.
    if (component(edge.z) != mine) {
      atomicMin(&lightest[mine], edge.y);
      return;
    }
    edge = vec4u(UNLIMITED, NONE, 0u);
  }
  let own = core[p];
  var ceiling = UNLIMITED;
  for (var k = 0u; k < params.kept; k++) {
    let entry = near[p * params.kept + k];
    // Entries are ascending, and no edge is lighter than the core distance.
    if (entry.x == NONE || bitcast<f32>(entry.y) > limitOf(ceiling) || !isLess64(own, ceiling)) { break; }
    if (component(entry.x) == mine) { continue; }
    var weight = core[entry.x];
    if (isLess64(weight, own)) { weight = own; }
    if (!isLess64(weight, ceiling)) { continue; }
    if (farOf(bitcast<f32>(entry.y), lowOf(p) + lowOf(entry.x)) > floorOf(weight)) {
      let squared = exactSquared(p, entry.x);
      if (isLess64(weight, squared)) { weight = squared; }
    }
    if (!isLess64(weight, ceiling)) { continue; }
    ceiling = weight;
    edge = vec4u(weight, entry.x, 0u);
  }
  found[p] = edge;
  if (hasEdge(edge)) { atomicMin(&lightest[mine], edge.y); }
}

// Behind settleLowWords: takes the edge from a component that may have a lighter one outside a list. Both words are
// lowered to 0, which is the weight of no edge then: a weight of 0 is in no doubt.
@compute @workgroup_size(256)
fn listDoubts(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= tree.n) { return; }
  let name = component(p);
  let weight = vec2u(atomicLoad(&lightest[tree.n + name]), atomicLoad(&lightest[name]));
  if (weight.y == NONE || !isLess64(core[p], weight) || limitOf(weight) <= reach[p]) { return; }
  atomicMin(&lightest[name], 0u);
  atomicMin(&lightest[tree.n + name], 0u);
}
