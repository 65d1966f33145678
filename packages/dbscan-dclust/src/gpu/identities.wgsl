// Which identities are one cluster. A point keeps its identity for the whole run, even if its chain gets another one.
// While an identity owns a row of the collision matrix, collisions are recorded there (section 5.1 of the paper) and
// the host resolves them at the end. A chain can have several identities in turn, so its row may pass to another
// identity, but only while it holds no collision. Identities without a row are united with one another at once, in a
// forest.
//
// Invariant: a path through the words of identities from any identity ends at a root, and all identities on the path
// are one cluster. A root has a row (ROW | row) or none (ROOT). In one dispatch a word changes from ROOT to ROW or to a
// parent, each by one exchange, or from a parent to a higher ancestor, by a store. Only newSeeds.wgsl frees rows, in a
// dispatch of its own.
//
// Proof that no cycle can form. Let the root x be hooked to the root y. The exchange finds x without a row.
// - y had a row when it was chosen. It keeps the row for the dispatch, so it is still a root, and it is not x.
// - y had none, and y < x. If y has been hooked meanwhile, follow the hooks from y. All were made in this dispatch,
//   each from a root to a smaller root, or to a root with a row, where the path ends. That end is not x, which has no
//   row. Before the end the numbers fall, starting at y < x. So the path never reaches x.
//
// Path halving only skips nodes of a path. Takes binding 10 of group 0.

import package::gpu::run::{NONE, run};
import package::gpu::search::search;
import package::gpu::states::states;

// Bit (i, j), i < j, at i · p + j: rows i and j are one cluster.
@group(0) @binding(10) var<storage, read_write> collisionMatrix: array<atomic<u32>>;

const ROOT: u32 = 0xffffffffu;
const ROW: u32 = 0x80000000u;

// Two identities that this lane knows to be united.
var<private> joined: vec2u = vec2u(NONE);

// Place in `states` of the word of an identity, which is a position.
fn wordOf(identity: u32) -> u32 {
  return run.n + identity;
}

fn isRoot(word: u32) -> bool {
  return (word & ROW) != 0u;
}

fn rowOf(word: u32) -> u32 {
  return word & ~ROW;
}

// Returns the root above an identity at some moment of the call, and its word. Halves the path.
fn findRoot(identity: u32) -> vec2u {
  var node = identity;
  var up = atomicLoad(&states[wordOf(node)]);
  while (!isRoot(up)) {
    let above = atomicLoad(&states[wordOf(up)]);
    if (isRoot(above)) { return vec2u(up, above); }
    atomicStore(&states[wordOf(node)], above);
    node = above;
    up = atomicLoad(&states[wordOf(node)]);
  }
  return vec2u(node, up);
}

// Gives a new identity the row of its chain, if the row is free. Called by one lane of the chain's workgroup.
fn takeRow(identity: u32, row: u32) {
  if (atomicLoad(&search.ofChain[row].owner) != NONE) { return; }
  loop {
    let exchange = atomicCompareExchangeWeak(&states[wordOf(identity)], ROOT, ROW | row);
    if (exchange.exchanged) {
      atomicStore(&search.ofChain[row].owner, identity);
      return;
    }
    // It is united with another by now, and needs no row.
    if (exchange.old_value != ROOT) { return; }
  }
}

// Returns whether the bit of two rows is set. Sets it if `isCollision`. The bit has the index of the other chain, not
// of the point as in the paper's Figure 4.
fn haveCollided(a: u32, b: u32, isCollision: bool) -> bool {
  let bit = min(a, b) * run.chains + max(a, b);
  let mask = 1u << (bit % 32u);
  if ((atomicLoad(&collisionMatrix[bit / 32u]) & mask) != 0u) { return true; }
  if (!isCollision) { return false; }
  if ((atomicOr(&collisionMatrix[bit / 32u], mask) & mask) == 0u) {
    atomicStore(&search.ofChain[a].hasCollided, 1u);
    atomicStore(&search.ofChain[b].hasCollided, 1u);
    atomicAdd(&search.collisions, 1u);
  }
  return true;
}

// Returns whether two identities are known to be one cluster. `isCollision` states that they are, because a core point
// of one has a core neighbour of the other; then the call unites them if necessary, and returns true.
fn areJoined(a: u32, b: u32, isCollision: bool) -> bool {
  if (joined.x == a && joined.y == b) { return true; }
  loop {
    var rootA = vec2u();
    var rootB = vec2u();
    // A loop, so that findRoot is compiled once.
    for (var side = 0u; side < 2u; side++) {
      let root = findRoot(select(a, b, side == 1u));
      if (side == 0u) { rootA = root; } else { rootB = root; }
    }
    let haveRows = rootA.y != ROOT && rootB.y != ROOT;
    if (rootA.x == rootB.x || (haveRows && haveCollided(rowOf(rootA.y), rowOf(rootB.y), isCollision))) {
      joined = vec2u(a, b);
      return true;
    }
    if (!isCollision) { return false; }
    // Hooks the root without a row to the root with one; without rows, the larger to the smaller.
    let isLower = rootB.y != ROOT || (rootA.y == ROOT && rootB.x < rootA.x);
    let child = select(rootB.x, rootA.x, isLower);
    let parent = select(rootA.x, rootB.x, isLower);
    if (atomicCompareExchangeWeak(&states[wordOf(child)], ROOT, parent).exchanged) {
      atomicAdd(&search.collisions, 1u);
      joined = vec2u(a, b);
      return true;
    }
  }
}
