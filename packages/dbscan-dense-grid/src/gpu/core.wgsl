// Core points: those with at least minPts points within eps, itself included.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::ballRows::{nearestRow, placeOf, rowAround};
import spatial_grid::gpu::grid::{cellIds, cellStart, grid, rowCount};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, pointAt};
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
  var near = own.y - own.x;
  var undecided = 0u;
  let point = pointAt(a);
  let place = placeOf(point, cell);
  // Stop at minPts: only the threshold matters. Near rows have most neighbours.
  for (var k = 0u; k < rowCount() && near < state.minPts; k++) {
    let range = rowAround(place, nearestRow(k));
    for (var b = range.x; b < range.y && near < state.minPts; b++) {
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
      near += select(0u, 1u, verdict == NEAR);
      undecided += select(0u, 1u, verdict == UNDECIDED);
    }
  }
  atomicStore(&labels[a], select(NO_LABEL, NO_LABEL | CORE, near >= state.minPts));
  if (near < state.minPts && near + undecided >= state.minPts) {
    state.undecidedPoints[atomicAdd(&state.undecidedCores, 1u)] = a;
  }
}
