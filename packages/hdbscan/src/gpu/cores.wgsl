// Squared core distances, exact: each invocation keeps the `rank` smallest squared distances of its point, in float64.

import gpu::dispatch::{Workgroup, workgroupNumber};
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
// The lists of a batch; the entries of one place lie together.
@group(0) @binding(1) var<storage, read_write> smallest: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> coreOut: array<vec2u>;

var<private> filled: u32;
var<private> limit: f32;

@compute @workgroup_size(256)
fn findCores(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let slot = workgroupNumber(at) * 256u + lane;
  if (slot >= params.count) { return; }
  let p = params.first + slot;
  loadOwn(p);
  filled = 0u;
  limit = FAR;
  let own = p / LEAF_POINTS;
  startWalk(own);
  // One call of the scan: compilers inline it, with software float64.
  for (var leaf = own; leaf != NONE; leaf = nextLeaf()) { scanLeaf(p, slot, leaf); }
  coreOut[p] = smallest[slot];
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
    take(slot, exactSquared(p, q));
  }
}

// Takes a squared distance into the list of a slot. The list is a heap from the `rank`-th entry on: no entry is larger
// than its parent, and the largest is the first, which a smaller one replaces.
fn take(slot: u32, squared: vec2u) {
  // Entries to lay, from the last one down: the first alone, or at the `rank`-th entry all that have children.
  var next = 1u;
  let isFull = filled == params.rank;
  if (isFull) {
    if (!isLess64(squared, smallest[slot])) { return; }
  } else {
    smallest[filled * params.count + slot] = squared;
    filled++;
    if (filled < params.rank) { return; }
    next = params.rank / 2u;
  }
  while (next > 0u) {
    next--;
    var value = squared;
    if (!isFull) { value = smallest[next * params.count + slot]; }
    lay(slot, next, value);
  }
  limit = limitOf(smallest[slot]);
}

// Lays an entry at a place of the heap, or below it after larger ones. Bounded by the levels of the heap.
fn lay(slot: u32, top: u32, value: vec2u) {
  var place = top;
  for (var child = 2u * place + 1u; child < params.rank; child = 2u * place + 1u) {
    var largest = smallest[child * params.count + slot];
    if (child + 1u < params.rank) {
      let right = smallest[(child + 1u) * params.count + slot];
      if (isLess64(largest, right)) {
        largest = right;
        child++;
      }
    }
    if (!isLess64(value, largest)) { break; }
    smallest[place * params.count + slot] = largest;
    place = child;
  }
  smallest[place * params.count + slot] = value;
}
