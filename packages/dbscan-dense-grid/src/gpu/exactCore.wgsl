// Core points that depend on a pair which float32 cannot decide: counted again with software float64.

import gpu::dispatch::Workgroup;
import spatial_grid::gpu::exactCoreTest::isCoreExactly;
import package::gpu::cells::{CORE, NO_LABEL, labels};
import package::gpu::state::state;

// A fixed number of workgroups strides over the list: its length is known on the device only.
@compute @workgroup_size(64)
fn markCoreExactly(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let length = atomicLoad(&state.undecidedCores);
  for (var k = at.id.x * 64u + lane; k < length; k += at.count.x * 64u) {
    let a = state.undecidedPoints[k];
    if (isCoreExactly(a, state.minPts)) { atomicStore(&labels[a], NO_LABEL | CORE); }
  }
}
