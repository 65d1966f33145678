// The core test by weights with software float64, for points that depend on a pair that float32 cannot decide.

import package::gpu::exactNeighborhood::areNeighbors;
import package::gpu::grid::{cellIds, rowCount, rowRange};
import package::gpu::neighborhood::pointAt;
import package::gpu::weights::{weightAt, weightThreshold, weightToStopAt};

// Whether the weights within eps of the point at position `a`, the own one included, sum to the threshold.
fn isCoreByWeightExactly(a: u32) -> bool {
  let stopAt = weightToStopAt();
  let point = pointAt(a);
  let cell = cellIds[a];
  var sum = 0;
  for (var row = 0u; row < rowCount() && sum < stopAt; row++) {
    let range = rowRange(cell, row);
    for (var b = range.x; b < range.y && sum < stopAt; b++) {
      if (areNeighbors(point, a, b)) { sum += weightAt(b); }
    }
  }
  return sum >= weightThreshold();
}
