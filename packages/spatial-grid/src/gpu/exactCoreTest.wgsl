// The core test with software float64, for points that depend on a pair that float32 cannot decide.

import package::gpu::exactNeighborhood::areNeighbors;
import package::gpu::grid::{cellIds, rowCount, rowRange};
import package::gpu::neighborhood::pointAt;
import package::gpu::weights::{weightAt, weightThreshold, weightToStopAt};

// Whether the point at position `a` is core: by minPts, or by the weights within eps.
fn isCoreExactly(a: u32, minPts: u32) -> bool {
  let stopAt = weightToStopAt(minPts);
  let point = pointAt(a);
  let cell = cellIds[a];
  var sum = 0;
  for (var row = 0u; row < rowCount() && sum < stopAt; row++) {
    let range = rowRange(cell, row);
    for (var b = range.x; b < range.y && sum < stopAt; b++) {
      if (areNeighbors(point, a, b)) { sum += weightAt(b); }
    }
  }
  return sum >= weightThreshold(minPts);
}
