// The search of a round: from each position, the lightest edge to another component.
// Source: Prokopenko, Sao and Lebrun-Grandié 2022, A single-tree algorithm to compute the Euclidean minimum spanning
// tree on GPUs, sections 3 and 4.

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::float64::isLess64;
import package::gpu::boxTree::{
  FANOUT, LEAF_POINTS, NONE, UNLIMITED, exactSquared, farOf, floorOf, limitOf, loadOwn, nodeNear, nodeOf, pointNear,
  pointsNear, tree
};
import package::gpu::round::{
  component, core, found, hasEdge, isDone, lightest, nodeComponent, nodesBelow, searcher, searchers
};
import package::gpu::walk::{WALK_STEPS, index, level, nextStep, startWalk, wait};

struct SearchParams {
  isInside: u32,
}

@group(0) @binding(0) var<uniform> params: SearchParams;

// The edge that is found, its component and its core distance.
var<private> edge: vec4u;
var<private> mine: u32;
var<private> ownCore: vec2u;
// Weights from here on are of no use; and as a float32 of `relative`.
var<private> ceiling: vec2u;
var<private> limit: f32;

fn lower(weight: vec2u) {
  if (!isLess64(weight, ceiling)) { return; }
  ceiling = weight;
  limit = limitOf(weight);
}

// Takes over what other positions of the component have found: weights with a larger high word are of no use.
fn lowerToComponent() {
  lower(vec2u(NONE, atomicLoad(&lightest[mine])));
}

// Whether an edge is as light as the core distance of the position: no edge is lighter.
fn isLowest() -> bool {
  return hasEdge(edge) && edge.x == ownCore.x && edge.y == ownCore.y;
}

fn scanLeaf(p: u32, leaf: u32) {
  var wanted = wantedPoints(leaf);
  while (wanted != 0u && !isLowest()) {
    let q = leaf * LEAF_POINTS + firstTrailingBit(wanted);
    wanted &= wanted - 1u;
    if (!isLess64(core[q], ceiling)) { continue; }
    let near = pointNear(q);
    if (near > limit) { continue; }
    var weight = ownCore;
    if (isLess64(weight, core[q])) { weight = core[q]; }
    // Most edges are as light as a core distance.
    if (farOf(near) > floorOf(weight)) {
      let squared = exactSquared(p, q);
      if (isLess64(weight, squared)) { weight = squared; }
    }
    if (!isLess64(weight, ceiling)) { continue; }
    edge = vec4u(weight, q, edge.w);
    lower(weight);
    atomicMin(&lightest[mine], weight.y);
  }
}

// A bit for each point of a leaf that may have a lighter edge: of another component, with a core distance and a
// distance that are not too large. Loads are under way at once, not one behind the other.
fn wantedPoints(leaf: u32) -> u32 {
  let first = leaf * LEAF_POINTS;
  var others = 0u;
  for (var k = 0u; k < LEAF_POINTS; k++) { others |= select(0u, 1u << k, component(first + k) != mine); }
  if (others == 0u) { return 0u; }
  for (var k = 0u; k < LEAF_POINTS; k++) { others &= ~select(1u << k, 0u, core[first + k].y <= ceiling.y); }
  return others & pointsNear(leaf, limit);
}

fn begin(p: u32) {
  loadOwn(p);
  edge = found[p];
  mine = component(p);
  ownCore = core[p];
  ceiling = UNLIMITED;
  limit = limitOf(UNLIMITED);
  if (hasEdge(edge)) { lower(edge.xy); }
}

// The next leaf that may hold a lighter edge; NONE at the end; or, after WALK_STEPS groups, one without points.
fn nextLeaf() -> u32 {
  for (var step = 0u; step < WALK_STEPS; step++) {
    let leaf = nextStep();
    if (leaf != tree.leaves) { return leaf; }
    let node = nodeOf(level, index);
    var near = nodesBelow(node, mine, limit);
    if (near == 0u) { continue; }
    for (var k = 0u; k < FANOUT; k++) { near &= ~select(1u << k, 0u, nodeNear(node + k) <= limit); }
    wait(near);
  }
  return tree.leaves;
}

// Two dispatches a round. The first one, `isInside`, finds first weights of the components: edges of earlier rounds
// that still lead to another component, and edges inside the leaf. The second one searches around the leaves of the
// positions that searchers.wgsl has listed. One entry point serves both: software float64 takes compilers long.
@compute @workgroup_size(256)
fn searchEdges(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let slot = workgroupNumber(at) * 256u + lane;
  if (slot >= tree.n || isDone()) { return; }
  let isInside = params.isInside == 1u;
  var p = slot;
  var leaf = p / LEAF_POINTS;
  if (isInside) {
    if (!mustScan(p, leaf)) { return; }
    begin(p);
  } else {
    if (slot >= atomicLoad(&lightest[searchers()])) { return; }
    p = atomicLoad(&lightest[searcher(slot)]);
    begin(p);
    lowerToComponent();
    startWalk(p / LEAF_POINTS);
    leaf = nextLeaf();
  }
  while (leaf != NONE) {
    scanLeaf(p, leaf);
    if (isInside || isLowest()) { break; }
    lowerToComponent();
    leaf = nextLeaf();
  }
  if (!isInside) { raiseBound(); }
  found[p] = edge;
}

// Whether a position looks for an edge inside its leaf: if it knows none, or only one of nearCores.wgsl, without a
// bound. Forgets an edge that leads to its own component by now.
fn mustScan(p: u32, leaf: u32) -> bool {
  let known = found[p];
  let name = component(p);
  if (hasEdge(known)) {
    if (component(known.z) != name) {
      atomicMin(&lightest[name], known.y);
      return known.w == 0u && any(known.xy != core[p]);
    }
    found[p] = vec4u(UNLIMITED, NONE, known.w);
  }
  return nodeComponent(nodeOf(0u, leaf)) != name;
}

// All weights below the ceiling are known. A ceiling of other positions admits its whole high word.
fn raiseBound() {
  let isOwn = hasEdge(edge) && edge.x == ceiling.x && edge.y == ceiling.y;
  edge.w = max(edge.w, select(ceiling.y + 1u, ceiling.y, isOwn || ceiling.y == NONE));
}
