// Core points: points whose neighbours within eps, themselves included, are at least minPts, or have weights that sum
// to the threshold. Source: Milanesi, GPU-DBSCAN, §3.5 (computeIsCoreArr).

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::exactCoreTest::isCoreExactly;
import spatial_grid::gpu::grid::{cellIds, grid, rowCount, rowRange};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, pointAt};
import spatial_grid::gpu::weights::{weightAt, weightThreshold, weightToStopAt};
import package::gpu::search::{CORE, UNCLAIMED, listUndecided, search};

@group(0) @binding(0) var<storage, read_write> labels: array<u32>;

// Marks the points that float32 can decide, and lists the points that depend on an undecided pair.
@compute @workgroup_size(256)
fn markCore(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let a = workgroupNumber(at) * 256u + lane;
  if (a >= grid.n) { return; }
  let point = pointAt(a);
  let cell = cellIds[a];
  let stopAt = weightToStopAt(search.minPts);
  var near = 0;
  // Sums of the undecided weights of each sign.
  var lower = 0;
  var upper = 0;
  for (var row = 0u; row < rowCount() && near < stopAt; row++) {
    let range = rowRange(cell, row);
    for (var b = range.x; b < range.y && near < stopAt; b++) {
      let verdict = compareWithEps(point, b);
      let weight = weightAt(b);
      near += select(0, weight, verdict == NEAR);
      lower += select(0, min(weight, 0), verdict == UNDECIDED);
      upper += select(0, max(weight, 0), verdict == UNDECIDED);
    }
  }
  let threshold = weightThreshold(search.minPts);
  labels[a] = select(UNCLAIMED, UNCLAIMED | CORE, near + lower >= threshold);
  if (near + lower < threshold && near + upper >= threshold) { listUndecided(a); }
}

// Repeats the test with software float64 for the listed points. A fixed number of workgroups shares the list, because
// only the device knows its length.
@compute @workgroup_size(64)
fn markCoreExactly(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let length = atomicLoad(&search.undecidedLength);
  for (var k = at.id.x * 64u + lane; k < length; k += at.count.x * 64u) {
    let a = search.undecidedPoints[k];
    labels[a] = select(UNCLAIMED, UNCLAIMED | CORE, isCoreExactly(a, search.minPts));
  }
}
