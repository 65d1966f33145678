// The other steps of a round: components of positions and nodes, the edge of each component, and the union.

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::float64::isLess64;
import package::gpu::boxTree::{
  FANOUT, LEAF_POINTS, NONE, UNLIMITED, floorOf, levelSize, nodeCount, nodeExists, nodeOf, tree
};
import package::gpu::round::{component, core, found, hasEdge, isDone, lightest, searchers};
import union_find::gpu::disjointSets::{findRoot, parent};

struct SettleParams {
  level: u32,
  // 1: `found` has near points of each position, as nearCores.wgsl finds them.
  hasNear: u32,
}

struct TreeState {
  // Edges of the spanning tree that are known.
  edges: atomic<u32>,
  // Rounds that have found edges.
  rounds: u32,
}

@group(0) @binding(0) var<uniform> params: SettleParams;
@group(0) @binding(1) var<storage, read_write> state: TreeState;
// Position, other end, and the weight: low word, high word.
@group(0) @binding(2) var<storage, read_write> edges: array<vec4u>;
// As `names` of round.wgsl.
@group(0) @binding(3) var<storage, read_write> namesOut: array<u32>;

// Every position is a component of its own.
@compute @workgroup_size(256)
fn startRounds(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= tree.n) { return; }
  atomicStore(&parent[p], p);
  var edge = vec4u(UNLIMITED, NONE, 0u);
  if (params.hasNear == 1u) { edge = nearEdge(p, found[p]); }
  found[p] = edge;
  if (p == 0u) {
    atomicStore(&state.edges, 0u);
    state.rounds = 0u;
  }
}

// The lightest edge to near points: none is longer than the core distance, so weights are core distances.
fn nearEdge(p: u32, near: vec4u) -> vec4u {
  var edge = vec4u(UNLIMITED, NONE, 0u);
  for (var j = 0u; j < 4u; j++) {
    let q = near[j];
    if (q == NONE) { continue; }
    let weight = select(core[q], core[p], isLess64(core[q], core[p]));
    if (isLess64(weight, edge.xy)) { edge = vec4u(weight, q, 0u); }
  }
  return edge;
}

// Lowest core distances of leaves, then of one level a dispatch.
@compute @workgroup_size(256)
fn layLeafCores(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let leaf = workgroupNumber(at) * 256u + lane;
  if (leaf >= tree.leaves) { return; }
  let first = leaf * LEAF_POINTS;
  var lowest = floorOf(core[first]);
  for (var p = first + 1u; p < min(first + LEAF_POINTS, tree.n); p++) { lowest = min(lowest, floorOf(core[p])); }
  namesOut[tree.n + nodeCount() + nodeOf(0u, leaf)] = bitcast<u32>(lowest);
}

@compute @workgroup_size(256)
fn layLevelCores(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= levelSize(params.level)) { return; }
  let cores = tree.n + nodeCount();
  let below = params.level - 1u;
  let first = k * FANOUT;
  var lowest = bitcast<f32>(namesOut[cores + nodeOf(below, first)]);
  for (var child = first + 1u; child < first + FANOUT && nodeExists(below, child); child++) {
    lowest = min(lowest, bitcast<f32>(namesOut[cores + nodeOf(below, child)]));
  }
  namesOut[cores + nodeOf(params.level, k)] = bitcast<u32>(lowest);
}

@compute @workgroup_size(256)
fn nameComponents(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= tree.n) { return; }
  namesOut[p] = findRoot(p);
  atomicStore(&lightest[p], NONE);
  atomicStore(&lightest[tree.n + p], NONE);
  atomicStore(&lightest[2u * tree.n + p], NONE);
  if (p == 0u) { atomicStore(&lightest[searchers()], 0u); }
}

@compute @workgroup_size(256)
fn nameLeaves(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let leaf = workgroupNumber(at) * 256u + lane;
  if (leaf >= tree.leaves) { return; }
  let first = leaf * LEAF_POINTS;
  var name = namesOut[first];
  for (var p = first + 1u; p < min(first + LEAF_POINTS, tree.n); p++) {
    if (namesOut[p] != name) { name = NONE; }
  }
  namesOut[tree.n + nodeOf(0u, leaf)] = name;
}

@compute @workgroup_size(256)
fn nameLevel(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= levelSize(params.level)) { return; }
  let below = params.level - 1u;
  let first = k * FANOUT;
  var name = namesOut[tree.n + nodeOf(below, first)];
  for (var child = first + 1u; child < first + FANOUT && nodeExists(below, child); child++) {
    if (namesOut[tree.n + nodeOf(below, child)] != name) { name = NONE; }
  }
  namesOut[tree.n + nodeOf(params.level, k)] = name;
}

// Low words of the weights with the smallest high word.
@compute @workgroup_size(256)
fn settleLowWords(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= tree.n) { return; }
  let edge = found[p];
  let name = component(p);
  if (hasEdge(edge) && edge.y == atomicLoad(&lightest[name])) { atomicMin(&lightest[tree.n + name], edge.x); }
}

// Among edges of the lightest weight any one will do; the smallest position is unique.
@compute @workgroup_size(256)
fn settleEdges(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= tree.n) { return; }
  let edge = found[p];
  let name = component(p);
  if (!hasEdge(edge) || edge.y != atomicLoad(&lightest[name])) { return; }
  if (edge.x == atomicLoad(&lightest[tree.n + name])) { atomicMin(&lightest[2u * tree.n + name], p); }
}

// Unites each component along its edge. An edge that would close a cycle hooks nothing, so it is left out; boruvka.ts
// proves that the result is minimal for every order of the unions.
@compute @workgroup_size(256)
fn uniteComponents(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let name = workgroupNumber(at) * 256u + lane;
  if (name == 0u && !isDone()) { state.rounds++; }
  if (name >= tree.n || component(name) != name) { return; }
  let p = atomicLoad(&lightest[2u * tree.n + name]);
  if (p == NONE) { return; }
  let edge = found[p];
  if (hooks(p, edge.z)) { edges[atomicAdd(&state.edges, 1u)] = vec4u(p, edge.z, edge.xy); }
}

// As `unite` of disjointSets, and says whether this call joined two sets: the exchange of a root succeeds once.
fn hooks(a: u32, b: u32) -> bool {
  var low = findRoot(a);
  var high = findRoot(b);
  while (low != high) {
    if (low > high) {
      let swapped = low;
      low = high;
      high = swapped;
    }
    let exchange = atomicCompareExchangeWeak(&parent[high], high, low);
    if (exchange.exchanged) { return true; }
    high = findRoot(exchange.old_value);
    low = findRoot(low);
  }
  return false;
}
