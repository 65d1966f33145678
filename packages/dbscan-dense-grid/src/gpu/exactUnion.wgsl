// Unites sets of the listed points again, with software float64 for the pairs that float32 cannot decide.

import gpu::dispatch::Workgroup;
import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::exactNeighborhood::areNeighbors;
import spatial_grid::gpu::neighborhood::pointAt;
import union_find::gpu::disjointSets::{findRoot, unite};
import package::gpu::cells::{endOfSet, isCore, setOf};
import package::gpu::state::state;

@compute @workgroup_size(64)
fn uniteSetsExactly(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let length = atomicLoad(&state.undecidedUnions);
  for (var k = at.id.x * 64u + lane; k < length; k += at.count.x * 64u) {
    let a = state.undecidedPoints[k];
    let point = pointAt(a);
    let own = setOf(a);
    let behind = endOfSet(a);
    for (var row = 0u; row <= rowCount() / 2u; row++) {
      let range = rowRange(cellIds[a], row);
      for (var b = max(range.x, behind); b < range.y;) {
        let end = endOfSet(b);
        let other = setOf(b);
        if (findRoot(other) != findRoot(own)) {
          for (var c = b; c < end; c++) {
            if (isCore(c) && areNeighbors(point, a, c)) {
              unite(own, other);
              break;
            }
          }
        }
        b = end;
      }
    }
  }
}
