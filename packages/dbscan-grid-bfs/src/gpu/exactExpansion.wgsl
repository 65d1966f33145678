// Expands the listed points again, with software float64 for the pairs that float32 cannot decide.

import gpu::dispatch::Workgroup;
import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::exactNeighborhood::areNeighbors;
import spatial_grid::gpu::neighborhood::pointAt;
import package::gpu::claim::{claim, labels};
import package::gpu::labels::isUnclaimed;
import package::gpu::search::{ASKED, FINISHED, search};
import package::gpu::team::teamShare;

// Smaller than in the other kernels: the list is usually short, and software float64 takes long.
const WIDTH: u32 = 64u;

@compute @workgroup_size(64)
fn expandExactly(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  if (search.exactState != ASKED) { return; }
  let team = min(search.team, WIDTH);
  let teams = WIDTH / team;
  let length = atomicLoad(&search.undecidedLength);
  let share = teamShare(lane % team, team);
  for (var k = at.id.x * teams + lane / team; k < length; k += at.count.x * teams) {
    let a = search.undecidedPoints[k];
    let point = pointAt(a);
    let cell = cellIds[a];
    for (var row = share.firstRow; row < rowCount(); row += share.rowStep) {
      let range = rowRange(cell, row);
      for (var b = range.x + share.firstPlace; b < range.y; b += share.placeStep) {
        let label = atomicLoad(&labels[b]);
        if (isUnclaimed(label) && areNeighbors(point, a, b)) { claim(b, label); }
      }
    }
  }
}

// Called by one invocation, in a dispatch of its own, because invocations of expandExactly read the state.
@compute @workgroup_size(1)
fn finishExactly() {
  if (search.exactState == ASKED) { search.exactState = FINISHED; }
}
