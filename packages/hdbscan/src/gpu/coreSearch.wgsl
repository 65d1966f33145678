// What both passes of the search for core distances have in common: their parameters and result, and the leaves around
// a point that may hold one of its nearest, from its own on, in the order of walk.wgsl.
//
// Uses bindings 84 and 85 of group 0.

import package::gpu::boxTree::{FANOUT, FAR, LEAF_POINTS, loadOwn, nodeNear, nodeOf, tree};
import package::gpu::walk::{WALK_STEPS, index, level, nextStep, startWalk, wait};

struct CoreParams {
  rank: u32,
  // The positions of a batch.
  first: u32,
  count: u32,
  // 1: the first pass has run.
  isSecond: u32,
}

@group(0) @binding(84) var<uniform> params: CoreParams;
// By position. `UNLIMITED` where the first pass does not decide.
@group(0) @binding(85) var<storage, read_write> coreOut: array<vec2u>;

// Points from here on are too far: a squared distance in the unit of `relative`, which the caller lowers.
var<private> limit: f32;

fn startLeaves(p: u32) {
  loadOwn(p);
  limit = FAR;
  startWalk(p / LEAF_POINTS);
}

// The next leaf that may hold a nearer point; NONE at the end; or, after WALK_STEPS groups, one without points.
fn nextLeaf() -> u32 {
  for (var step = 0u; step < WALK_STEPS; step++) {
    let leaf = nextStep();
    if (leaf != tree.leaves) { return leaf; }
    let node = nodeOf(level, index);
    var near = 0u;
    for (var k = 0u; k < FANOUT; k++) { near |= select(0u, 1u << k, nodeNear(node + k) <= limit); }
    wait(near);
  }
  return tree.leaves;
}
