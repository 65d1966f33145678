// Repeats the core test with software float64 for points that depend on a pair that float32 cannot decide.

import gpu::dispatch::Workgroup;
import spatial_grid::gpu::exactCoreTest::isCoreExactly;
import package::gpu::labels::{CORE, UNCLAIMED};
import package::gpu::search::search;

@group(0) @binding(0) var<storage, read_write> labels: array<u32>;

// A fixed number of workgroups shares the list, because only the device knows its length.
@compute @workgroup_size(64)
fn markCoreExactly(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let length = atomicLoad(&search.undecidedLength);
  for (var k = at.id.x * 64u + lane; k < length; k += at.count.x * 64u) {
    let a = search.undecidedPoints[k];
    labels[a] = select(UNCLAIMED, UNCLAIMED | CORE, isCoreExactly(a, search.minPts));
  }
}
