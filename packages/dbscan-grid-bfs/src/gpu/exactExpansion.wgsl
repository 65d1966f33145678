// Expands the listed points again, with software float64 for the pairs that float32 could not decide.

import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::exactNeighborhood::areNeighbors;
import spatial_grid::gpu::neighborhood::pointAt;
import package::gpu::claim::{claim, labels};
import package::gpu::labels::isUnclaimed;
import package::gpu::search::{ASKED, FINISHED, search, undecidedPoints};
import package::gpu::team::teamShare;

// Smaller than elsewhere: the list is most often short, and software float64 is long.
const WIDTH: u32 = 64u;

@compute @workgroup_size(64)
fn expandExactly(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  if (search.exactStage != ASKED) { return; }
  let team = min(search.team, WIDTH);
  let teams = WIDTH / team;
  let length = atomicLoad(&search.undecidedLength);
  let share = teamShare(lane % team, team);
  for (var k = groupId.x * teams + lane / team; k < length; k += groupCount.x * teams) {
    let a = undecidedPoints[k];
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

// By one invocation, in a dispatch of its own: no invocation of the one before reads the stage any more.
@compute @workgroup_size(1)
fn finishExactly() {
  if (search.exactStage == ASKED) { search.exactStage = FINISHED; }
}
