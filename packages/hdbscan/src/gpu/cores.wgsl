// Squared core distances, exact: each invocation keeps the `rank` smallest squared distances of its point, in float64.

import gpu::dispatch::linearWorkgroup;
import gpu_primitives::float64::isLess64;
import package::gpu::boxTree::{FAR, LEAF_POINTS, NONE, exactSquared, limitOf, loadOwn, nodeNear, pointNear, tree};
import package::gpu::walk::{index, level, nextNode, openNode, skipNode, startWalk};

struct CoreParams {
  rank: u32,
  // The positions of a batch.
  first: u32,
  count: u32,
}

@group(0) @binding(0) var<uniform> params: CoreParams;
// The lists of a batch, ascending; the entries of one rank lie together.
@group(0) @binding(1) var<storage, read_write> smallest: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> coreOut: array<vec2u>;

var<private> filled: u32;
var<private> limit: f32;

@compute @workgroup_size(256)
fn findCores(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let slot = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (slot >= params.count) { return; }
  let p = params.first + slot;
  loadOwn(p);
  filled = 0u;
  limit = FAR;
  let own = p / LEAF_POINTS;
  startWalk(own);
  // One call of the scan: compilers inline it, with software float64.
  for (var leaf = own; leaf != NONE; leaf = nextLeaf()) { scanLeaf(p, slot, leaf); }
  coreOut[p] = smallest[(params.rank - 1u) * params.count + slot];
}

// The next leaf that may hold a nearer point, or NONE.
fn nextLeaf() -> u32 {
  loop {
    let node = nextNode();
    if (node == NONE) { return NONE; }
    if (nodeNear(node) > limit) {
      skipNode();
    } else if (level > 0u) {
      openNode();
    } else {
      let leaf = index;
      skipNode();
      return leaf;
    }
  }
}

fn scanLeaf(p: u32, slot: u32, leaf: u32) {
  let first = leaf * LEAF_POINTS;
  for (var q = first; q < min(first + LEAF_POINTS, tree.n); q++) {
    if (pointNear(q) > limit) { continue; }
    insert(slot, exactSquared(p, q));
  }
}

fn insert(slot: u32, squared: vec2u) {
  var k = filled;
  if (filled == params.rank) {
    k--;
    if (!isLess64(squared, smallest[k * params.count + slot])) { return; }
  } else {
    filled++;
  }
  for (; k > 0u; k--) {
    let below = smallest[(k - 1u) * params.count + slot];
    if (!isLess64(squared, below)) { break; }
    smallest[k * params.count + slot] = below;
  }
  smallest[k * params.count + slot] = squared;
  if (filled == params.rank) { limit = limitOf(smallest[(params.rank - 1u) * params.count + slot]); }
}
