// State of a run, and the list of points with pairs that float32 cannot decide.

import gpu::dispatch::foldDispatch;
import gpu_primitives::frontier::frontierGroups;

struct Search {
  minPts: u32,
  // Label of the cluster being expanded; wraps from −1 to 0 at the first.
  cluster: u32,
  // Points before this index are settled (startIdx).
  startIndex: u32,
  isDone: u32,
  levels: u32,
  maxFrontier: u32,
  // 1 while the listed points are being expanded exactly.
  isExactPending: u32,
  undecidedLength: atomic<u32>,
}

@group(0) @binding(10) var<storage, read_write> search: Search;
// Positions; each point is listed at most once between two clearings, so `length` places suffice.
@group(0) @binding(11) var<storage, read_write> undecidedPoints: array<u32>;

fn listUndecided(a: u32) {
  undecidedPoints[atomicAdd(&search.undecidedLength, 1u)] = a;
}

// By one invocation: asks for `groups` workgroups in the next exact dispatch (words 3 to 5 of the indirect buffer).
fn requestExactGroups(groups: u32) {
  let counts = foldDispatch(groups);
  frontierGroups[3] = counts.x;
  frontierGroups[4] = counts.y;
  frontierGroups[5] = counts.z;
}
