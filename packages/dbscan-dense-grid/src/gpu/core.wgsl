// Core points: those with at least minPts points within eps, itself included; of points with weights, those whose
// weights within eps sum to the threshold.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::ballRows::{nearestRow, placeOf, rowAround};
import spatial_grid::gpu::grid::{cellIds, cellStart, grid, rowCount};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, pointAt};
import spatial_grid::gpu::weights::{weightAt, weightIn, weightThreshold, weightToStopAt};
import package::gpu::blocks::{IS_BLOCKED, skipFar};
import package::gpu::cells::{CORE, HAS_WHOLE_CELLS, NO_LABEL, labels};
import package::gpu::state::{isTooMany, state};

// Marks what float32 can decide, and lists the points that depend on an undecided pair.
@compute @workgroup_size(256)
fn markCore(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let a = workgroupNumber(at) * 256u + lane;
  if (a >= grid.n) { return; }
  let cell = cellIds[a];
  var own = vec2u(grid.n);
  // All points of a whole cell are neighbours.
  if (HAS_WHOLE_CELLS) { own = vec2u(cellStart[cell], cellStart[cell + 1u]); }
  var near = weightIn(own);
  // Sums of the undecided weights of each sign.
  var lower = 0;
  var upper = 0;
  let point = pointAt(a);
  let place = placeOf(point, cell);
  let stopAt = weightToStopAt(state.minPts);
  // Only the threshold matters. Near rows have most neighbours.
  for (var k = 0u; k < rowCount() && near < stopAt; k++) {
    let range = rowAround(place, nearestRow(k));
    for (var b = range.x; b < range.y && near < stopAt; b++) {
      if (b == own.x) {
        b = own.y - 1u;
        continue;
      }
      b = skipFar(point, b, range.y);
      // A block may reach into the own cell.
      if (b >= range.y || (b >= own.x && b < own.y)) {
        b = max(b, own.y) - 1u;
        continue;
      }
      if (!IS_BLOCKED && isTooMany()) { return; }
      let verdict = compareWithEps(point, b);
      let weight = weightAt(b);
      near += select(0, weight, verdict == NEAR);
      lower += select(0, min(weight, 0), verdict == UNDECIDED);
      upper += select(0, max(weight, 0), verdict == UNDECIDED);
    }
  }
  let threshold = weightThreshold(state.minPts);
  atomicStore(&labels[a], select(NO_LABEL, NO_LABEL | CORE, near + lower >= threshold));
  if (near + lower < threshold && near + upper >= threshold) {
    state.undecidedPoints[atomicAdd(&state.undecidedCores, 1u)] = a;
  }
}
