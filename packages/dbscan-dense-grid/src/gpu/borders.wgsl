// A border point takes the lowest label among the core points within eps. All core points of a set have one label, so a
// set whose label is no lower than the lowest so far is skipped.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::ballRows::{placeOf, rowAround};
import spatial_grid::gpu::grid::{cellIds, grid, rowCount};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, pointAt};
import package::gpu::blocks::{IS_BLOCKED, skipFar};
import package::gpu::cells::{CORE, NO_LABEL, NOISE, endOfSet, labels};
import package::gpu::state::{isTooMany, state};

@group(0) @binding(0) var<storage, read> pointOrder: array<u32>;
// By point: int32 labels.
@group(0) @binding(1) var<storage, read_write> labelsOut: array<u32>;

@compute @workgroup_size(256)
fn labelBorders(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let a = workgroupNumber(at) * 256u + lane;
  if (a >= grid.n || (atomicLoad(&labels[a]) & CORE) != 0u) { return; }
  let point = pointAt(a);
  let place = placeOf(point, cellIds[a]);
  var lowest = NO_LABEL;
  // The lowest label of a core point that may be within eps.
  var candidate = NO_LABEL;
  for (var row = 0u; row < rowCount(); row++) {
    let range = rowAround(place, row);
    for (var b = range.x; b < range.y; b++) {
      b = skipFar(point, b, range.y);
      if (b >= range.y) { break; }
      if (!IS_BLOCKED && isTooMany()) { return; }
      let word = atomicLoad(&labels[b]);
      if ((word & CORE) == 0u) { continue; }
      let label = word & NO_LABEL;
      if (label >= lowest) {
        b = endOfSet(b) - 1u;
        continue;
      }
      let verdict = compareWithEps(point, b);
      if (verdict == NEAR) {
        lowest = label;
        b = endOfSet(b) - 1u;
      } else if (verdict == UNDECIDED) {
        candidate = min(candidate, label);
      }
    }
  }
  labelsOut[pointOrder[a]] = select(lowest, NOISE, lowest == NO_LABEL);
  if (candidate >= lowest) { return; }
  // For the exact kernel.
  atomicStore(&labels[a], lowest);
  state.undecidedPoints[atomicAdd(&state.undecidedBorders, 1u)] = a;
}
