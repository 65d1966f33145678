// The atomic frontier queue: two lists of u32 in one buffer. One is read while the other is filled; a swap makes the
// filled one current and writes indirect-dispatch arguments for it. Kernels import these functions.
//
// Invariant: slots below `nextLength` are reserved once each, by atomicAdd; an item is read only after a dispatch
// boundary (or, inside one workgroup, a storage barrier) has passed since it was written.
//
// Takes bindings 30 to 32 of group 0. By agreement: the importing kernel 0 to 9, modules of its package 10 to 19,
// spatial-grid 20 to 29, this module 30 to 39.
// @published: stands in front of kernels that are not linked here.

import gpu::dispatch::foldDispatch;

struct FrontierState {
  // Items of the current list.
  length: u32,
  // Which half of the buffer is current, 0 or 1.
  half: u32,
  // Items that a list can hold.
  capacity: u32,
  // 1 once an item did not fit; it is lost.
  hasOverflowed: atomic<u32>,
  nextLength: atomic<u32>,
}

@group(0) @binding(30) var<storage, read_write> frontierState: FrontierState;
@group(0) @binding(31) var<storage, read_write> frontier: array<u32>;
// Three words for dispatchWorkgroupsIndirect. A buffer of its own: one that a dispatch reads its size from may not be
// writable in that dispatch.
@group(0) @binding(32) var<storage, read_write> frontierGroups: array<u32>;

fn frontierItem(k: u32) -> u32 {
  return frontier[frontierState.half * frontierState.capacity + k];
}

// Appends to the list being filled.
fn pushFrontier(item: u32) {
  let slot = atomicAdd(&frontierState.nextLength, 1u);
  if (slot >= frontierState.capacity) {
    atomicStore(&frontierState.hasOverflowed, 1u);
    return;
  }
  frontier[(1u - frontierState.half) * frontierState.capacity + slot] = item;
}

// By one invocation: makes the filled list current and empties the other.
fn swapFrontier() {
  frontierState.length = min(atomicLoad(&frontierState.nextLength), frontierState.capacity);
  frontierState.half = 1u - frontierState.half;
  atomicStore(&frontierState.nextLength, 0u);
}

// By one invocation: asks for `groups` workgroups in the next indirect dispatch.
fn requestGroups(groups: u32) {
  let counts = foldDispatch(groups);
  frontierGroups[0] = counts.x;
  frontierGroups[1] = counts.y;
  frontierGroups[2] = counts.z;
}
