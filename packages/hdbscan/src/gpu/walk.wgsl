// A walk over all nodes outside one leaf, from near to far in the tree: the siblings of the leaf, then those of its
// parent, and so on, each with what is below it. Nodes come in groups of siblings, whose boxes are loaded at once. The
// walk ends after at most two steps for each node, and one for each level.

import package::gpu::boxTree::{FANOUT, FANOUT_BITS, NONE, tree};

// Steps after which a search that has found no leaf comes back. Invocations that run in lockstep wait for each other
// before they scan leaves, and the last steps of a walk find none.
const WALK_STEPS: u32 = 4u;

// The leaf, and the levels on which the siblings of its ancestors have come.
var<private> home: u32;
var<private> top: u32;
// The group, or the leaf, that came last: its level, and the index of its first node.
var<private> level: u32;
var<private> index: u32;
// A bit for each node that waits, FANOUT bits a level. Those of the lowest level come first, so below each level all
// nodes that wait are in one group.
var<private> waiting: vec2u;

fn startWalk(leaf: u32) {
  home = leaf;
  top = 0u;
  level = 0u;
  index = 0u;
  waiting = vec2u();
}

// The leaf that comes next; NONE at the end of the walk; or `tree.leaves` for a group to test.
fn nextStep() -> u32 {
  if (all(waiting == vec2u())) {
    if (top >= tree.height) { return NONE; }
    level = top;
    index = (home >> (FANOUT_BITS * level)) & ~(FANOUT - 1u);
    top++;
    return tree.leaves;
  }
  var bit = firstTrailingBit(waiting.x);
  if (waiting.x != 0u) {
    waiting.x &= waiting.x - 1u;
  } else {
    bit = 32u + firstTrailingBit(waiting.y);
    waiting.y &= waiting.y - 1u;
  }
  let up = bit / FANOUT;
  index = ((index >> (FANOUT_BITS * (up - level))) & ~(FANOUT - 1u)) | (bit % FANOUT);
  level = up;
  if (up == 0u) { return index; }
  level--;
  index <<= FANOUT_BITS;
  return tree.leaves;
}

// Lets nodes of the group wait, a bit each. Those that the tree lacks, and that hold the leaf, do not.
fn wait(bits: u32) {
  let shift = FANOUT_BITS * level;
  var kept = bits & ((1u << min(FANOUT, ((tree.leaves - 1u) >> shift) - index + 1u)) - 1u);
  let ancestor = home >> shift;
  if ((ancestor & ~(FANOUT - 1u)) == index) { kept &= ~(1u << (ancestor - index)); }
  if (level < 32u / FANOUT) {
    waiting.x |= kept << (FANOUT * level);
  } else {
    waiting.y |= kept << (FANOUT * level - 32u);
  }
}
