// A walk over all nodes outside one leaf, from near to far in the tree: the siblings of the leaf, then those of its
// parent, and so on, each with what is below it. The walk needs no stack: the tree is complete. It ends after at most
// as many steps as the tree has nodes, and one more for each level.

import package::gpu::boxTree::{FANOUT, FANOUT_BITS, NONE, nodeExists, nodeOf, tree};

// The ancestor of the leaf on level `top`, whose siblings are under way.
var<private> ancestor: u32;
var<private> top: u32;
// The node that comes next: its level, and its index on the level.
var<private> level: u32;
var<private> index: u32;

fn startWalk(leaf: u32) {
  ancestor = leaf;
  top = 0u;
  level = 0u;
  index = leaf & ~(FANOUT - 1u);
}

// The node that comes next; NONE at the end of the walk.
fn nextNode() -> u32 {
  // Bounded by two steps for each level.
  while (level == top) {
    if (top >= tree.height) { return NONE; }
    let end = (ancestor & ~(FANOUT - 1u)) + FANOUT;
    if (index >= end || !nodeExists(top, index)) {
      ancestor >>= FANOUT_BITS;
      top++;
      level = top;
      index = ancestor & ~(FANOUT - 1u);
    } else if (index == ancestor) {
      index++;
    } else {
      break;
    }
  }
  return nodeOf(level, index);
}

// Leaves out what is below the node.
fn skipNode() {
  index++;
  // Behind the last child of a parent comes the parent's next sibling.
  while (level < top && ((index & (FANOUT - 1u)) == 0u || !nodeExists(level, index))) {
    index = ((index - 1u) >> FANOUT_BITS) + 1u;
    level++;
  }
}

// Goes on to the first child of the node.
fn openNode() {
  level--;
  index <<= FANOUT_BITS;
}

// Goes past a node that is too far, or below one that is not. Whether it is a leaf that is not, where the walk stays.
fn isReached(isFar: bool) -> bool {
  if (isFar) {
    skipNode();
    return false;
  }
  if (level == 0u) { return true; }
  openNode();
  return false;
}
