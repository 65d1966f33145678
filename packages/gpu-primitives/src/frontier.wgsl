// The atomic frontier queue: two lists of u32 in one buffer. Kernels read one and append to the other. A swap makes the
// appended list current and writes indirect-dispatch arguments for it. Kernels import these functions.
//
// Invariant: atomicAdd reserves each slot below `nextLength` once. A kernel reads an item only after a dispatch
// boundary (or, inside one workgroup, a storage barrier) that follows the write.
//
// Uses bindings 30 and 31 of group 0. By convention: the importing kernel 0 to 9, modules of its package 10 to 19,
// spatial-grid 20 to 29, this module 30 to 39.
// @published: prepended to kernels that are not linked here.

import gpu::dispatch::foldDispatch;

struct Frontier {
  length: u32,
  // Which half of the buffer is current, 0 or 1.
  half: u32,
  capacity: u32,
  // 1 if an item did not fit; such items are dropped.
  hasOverflowed: atomic<u32>,
  nextLength: atomic<u32>,
  // Both lists. In the buffer of the state, because a device need not bind more than eight storage buffers a kernel.
  items: array<u32>,
}

@group(0) @binding(30) var<storage, read_write> frontier: Frontier;
// Three words for dispatchWorkgroupsIndirect, in their own buffer: a dispatch may not write the buffer that holds its
// size.
@group(0) @binding(31) var<storage, read_write> frontierGroups: array<u32>;

fn frontierItem(k: u32) -> u32 {
  return frontier.items[frontier.half * frontier.capacity + k];
}

// Appends to the list that is not current.
fn pushFrontier(item: u32) {
  let slot = atomicAdd(&frontier.nextLength, 1u);
  if (slot >= frontier.capacity) {
    atomicStore(&frontier.hasOverflowed, 1u);
    return;
  }
  frontier.items[(1u - frontier.half) * frontier.capacity + slot] = item;
}

// For one invocation: makes the appended list current and empties the other.
fn swapFrontier() {
  frontier.length = min(atomicLoad(&frontier.nextLength), frontier.capacity);
  frontier.half = 1u - frontier.half;
  atomicStore(&frontier.nextLength, 0u);
}

// For one invocation: sets the size of the next indirect dispatch to `groups` workgroups.
fn requestGroups(groups: u32) {
  let counts = foldDispatch(groups);
  frontierGroups[0] = counts.x;
  frontierGroups[1] = counts.y;
  frontierGroups[2] = counts.z;
}
