// Core points where points have weights: those whose weights within eps, the own one included, sum to the threshold.
// A cell of many points is no core by itself, and there is no shortcut by counts.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::ballRows::{placeOf, rowAround};
import spatial_grid::gpu::grid::{cellIds, cellStart, grid, rowCount};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, pointAt};
import spatial_grid::gpu::weights::{weightAt, weightIn, weightThreshold, weightToStopAt};
import package::gpu::blocks::{IS_BLOCKED, skipFar};
import package::gpu::cells::{CORE, HAS_WHOLE_CELLS, NO_LABEL, labels};
import package::gpu::state::{isTooMany, state};

// Marks what float32 can decide, and lists the points that depend on an undecided pair.
@compute @workgroup_size(256)
fn markWeightedCore(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
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
  let stopAt = weightToStopAt();
  for (var row = 0u; row < rowCount() && near < stopAt; row++) {
    let range = rowAround(place, row);
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
  let threshold = weightThreshold();
  atomicStore(&labels[a], select(NO_LABEL, NO_LABEL | CORE, near + lower >= threshold));
  if (near + lower < threshold && near + upper >= threshold) {
    state.undecidedPoints[atomicAdd(&state.undecidedCores, 1u)] = a;
  }
}
