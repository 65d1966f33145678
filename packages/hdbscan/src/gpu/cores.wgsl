// Squared core distances, exact, in two passes. The first one keeps the `rank` nearest points in float32, and decides
// them in software float64. If no other point may be as near as the farthest of them, that is the core distance. The
// second pass decides all near points of the other positions in float64: one in some hundred, or all on a lattice.

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::float64::isLess64;
import package::gpu::boxTree::{FAR, LEAF_POINTS, NONE, UNLIMITED, exactSquared, farOf, limitOf, pointNear, tree};
import package::gpu::coreSearch::{coreOut, limit, nextLeaf, params, startLeaves};

// The lists of a batch; the entries of one place lie together. An entry is a squared distance in float64, or, in the
// first pass, a position and its `pointNear`. Both have the order of their high words.
@group(0) @binding(0) var<storage, read_write> smallest: array<vec2u>;

var<private> filled: u32;
var<private> isNear: bool;
// The least `pointNear` of a point that the list has refused or lost.
var<private> refused: f32;

@compute @workgroup_size(256)
fn nearCores(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let slot = workgroupNumber(at) * 256u + lane;
  if (slot >= params.count) { return; }
  let p = params.first + slot;
  isNear = true;
  refused = 2.0 * FAR;
  begin(p);
  for (var leaf = p / LEAF_POINTS; leaf != NONE; leaf = nextLeaf()) {
    let first = leaf * LEAF_POINTS;
    for (var q = first; q < min(first + LEAF_POINTS, tree.n); q++) {
      let near = pointNear(q);
      if (near <= limit) { take(slot, vec2u(q, bitcast<u32>(near))); }
    }
  }
  var farthest = vec2u();
  for (var k = 0u; k < params.rank; k++) {
    let squared = exactSquared(p, smallest[k * params.count + slot].x);
    if (isLess64(farthest, squared)) { farthest = squared; }
  }
  let isDecided = refused > limitOf(farthest) || all(farthest == vec2u());
  coreOut[p] = select(UNLIMITED, farthest, isDecided);
}

@compute @workgroup_size(256)
fn findCores(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let slot = workgroupNumber(at) * 256u + lane;
  if (slot >= params.count) { return; }
  let p = params.first + slot;
  if (params.isSecond == 1u && any(coreOut[p] != UNLIMITED)) { return; }
  begin(p);
  // One call of the scan: compilers inline it, with software float64.
  for (var leaf = p / LEAF_POINTS; leaf != NONE; leaf = nextLeaf()) {
    let first = leaf * LEAF_POINTS;
    for (var q = first; q < min(first + LEAF_POINTS, tree.n); q++) {
      if (pointNear(q) <= limit) { take(slot, exactSquared(p, q)); }
    }
  }
  coreOut[p] = smallest[slot];
}

fn begin(p: u32) {
  filled = 0u;
  startLeaves(p);
}

// Takes an entry into the list of a slot. The list is a heap from the `rank`-th entry on: no entry is larger
// than its parent, and the largest is the first, which a smaller one replaces.
fn take(slot: u32, entry: vec2u) {
  // Entries to lay, from the last one down: the first alone, or at the `rank`-th entry all that have children.
  var next = 1u;
  let isFull = filled == params.rank;
  if (isFull) {
    let isRefused = !isLess64(entry, smallest[slot]);
    refused = min(refused, bitcast<f32>(select(smallest[slot].y, entry.y, isRefused)));
    if (isRefused) { return; }
  } else {
    smallest[filled * params.count + slot] = entry;
    filled++;
    if (filled < params.rank) { return; }
    next = params.rank / 2u;
  }
  while (next > 0u) {
    next--;
    var value = entry;
    if (!isFull) { value = smallest[next * params.count + slot]; }
    lay(slot, next, value);
  }
  if (isNear) {
    limit = farOf(bitcast<f32>(smallest[slot].y));
  } else {
    limit = limitOf(smallest[slot]);
  }
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
