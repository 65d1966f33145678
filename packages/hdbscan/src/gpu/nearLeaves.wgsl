// The leaves around a point that may hold one of its nearest, from its own on, in the order of walk.wgsl.

import package::gpu::boxTree::{FAR, LEAF_POINTS, NONE, loadOwn, nodeNear};
import package::gpu::walk::{index, level, nextNode, openNode, skipNode, startWalk};

// Points from here on are too far: a squared distance in the unit of `relative`, which the caller lowers.
var<private> limit: f32;

fn startLeaves(p: u32) {
  loadOwn(p);
  limit = FAR;
  startWalk(p / LEAF_POINTS);
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
