// Lists the positions whose lightest edge may lead around their leaf, for search.wgsl: those whose bound and core
// distance are not above what their component knows. A leaf inside one component first asks for all its positions
// whether any other component is that near; in late rounds few leaves are.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::boxTree::{
  FANOUT, LEAF_POINTS, NONE, boxNear, boxPointNear, limitOf, loadOwnBox, nodeOf, tree
};
import package::gpu::round::{
  component, core, found, hasEdge, isDone, lightest, nodeComponent, nodesBelow, searcher, searchers
};
import package::gpu::walk::{index, level, nextStep, startWalk, wait};

var<workgroup> listed: atomic<u32>;
var<workgroup> firstListed: u32;

@compute @workgroup_size(256)
fn listSearchers(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let leaf = workgroupNumber(at) * 256u + lane;
  let first = leaf * LEAF_POINTS;
  var isListed = 0u;
  if (leaf < tree.leaves && !isDone()) { isListed = searching(first); }
  let name = nodeComponent(nodeOf(0u, min(leaf, tree.leaves - 1u)));
  if (isListed != 0u && name != NONE && !hasNear(leaf, name)) {
    let bound = atomicLoad(&lightest[name]) + 1u;
    for (var k = 0u; k < LEAF_POINTS; k++) {
      if (((isListed >> k) & 1u) == 1u) { found[first + k].w = max(found[first + k].w, bound); }
    }
    isListed = 0u;
  }
  var place = atomicAdd(&listed, countOneBits(isListed));
  workgroupBarrier();
  if (lane == 0u) { firstListed = atomicAdd(&lightest[searchers()], atomicLoad(&listed)); }
  workgroupBarrier();
  for (var k = 0u; k < LEAF_POINTS; k++) {
    if (((isListed >> k) & 1u) == 1u) {
      atomicStore(&lightest[searcher(firstListed + place)], first + k);
      place++;
    }
  }
}

// A bit for each position of a leaf that may have a lighter edge than its component knows: no edge of a position is
// lighter than its bound or its core distance.
fn searching(first: u32) -> u32 {
  var bits = 0u;
  for (var k = 0u; k < min(LEAF_POINTS, tree.n - first); k++) {
    let p = first + k;
    let edge = found[p];
    let most = atomicLoad(&lightest[component(p)]);
    if (edge.w > most || core[p].y > most) { continue; }
    let isLowest = hasEdge(edge) && edge.x == core[p].x && edge.y == core[p].y;
    if (!isLowest) { bits |= 1u << k; }
  }
  return bits;
}

// Whether a point of another component is as near to the box of a leaf as the lightest edge of its component.
fn hasNear(leaf: u32, mine: u32) -> bool {
  let most = atomicLoad(&lightest[mine]);
  let limit = limitOf(vec2u(NONE, most));
  loadOwnBox(nodeOf(0u, leaf));
  startWalk(leaf);
  loop {
    let reached = nextStep();
    if (reached == NONE) { return false; }
    if (reached != tree.leaves) {
      if (hasNearPoint(reached, mine, most, limit)) { return true; }
      continue;
    }
    let node = nodeOf(level, index);
    var near = nodesBelow(node, mine, limit);
    if (near == 0u) { continue; }
    for (var k = 0u; k < FANOUT; k++) { near &= ~select(1u << k, 0u, boxNear(node + k) <= limit); }
    wait(near);
  }
}

// Whether a leaf holds one. Most leaves of two components are near only by points of the own one.
fn hasNearPoint(leaf: u32, mine: u32, most: u32, limit: f32) -> bool {
  let first = leaf * LEAF_POINTS;
  for (var q = first; q < min(first + LEAF_POINTS, tree.n); q++) {
    if (component(q) != mine && core[q].y <= most && boxPointNear(q) <= limit) { return true; }
  }
  return false;
}
