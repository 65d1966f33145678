// A kernel that uses a frontier queue: items are numbers, and every item read pushes its children below a bound.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::frontier::{frontier, frontierItem, pushFrontier};

struct ProbeParams {
  // Items below this are pushed.
  bound: u32,
  // Children of item k: k · fanOut + 1 … k · fanOut + fanOut.
  fanOut: u32,
  // Number of items of the first push; each item is its own index.
  roots: u32,
}

override ITEMS_PER_GROUP: u32 = 64u;

@group(0) @binding(0) var<storage, read_write> visits: array<atomic<u32>>;
@group(0) @binding(1) var<uniform> params: ProbeParams;

@compute @workgroup_size(64)
fn pushRoots(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 64u + lane;
  if (k < params.roots) { pushFrontier(k); }
}

// Counts a visit of each item of this workgroup's share, and pushes its children.
@compute @workgroup_size(64)
fn visitItems(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let first = workgroupNumber(at) * ITEMS_PER_GROUP;
  let end = min(first + ITEMS_PER_GROUP, frontier.length);
  for (var k = first + lane; k < end; k += 64u) {
    let item = frontierItem(k);
    atomicAdd(&visits[item], 1u);
    for (var child = 1u; child <= params.fanOut; child++) {
      let next = item * params.fanOut + child;
      if (next < params.bound) { pushFrontier(next); }
    }
  }
}
