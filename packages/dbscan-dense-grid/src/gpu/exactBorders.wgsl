// Labels the listed border points again, with software float64 for the pairs that float32 cannot decide. `writeListed`
// then writes them by point, and tells whether the labels are final.

import gpu::dispatch::Workgroup;
import spatial_grid::gpu::grid::{cellIds, grid, rowCount, rowRange};
import spatial_grid::gpu::exactNeighborhood::areNeighbors;
import spatial_grid::gpu::neighborhood::pointAt;
import package::gpu::cells::{CORE, NO_LABEL, NOISE, endOfSet, labels};
import package::gpu::state::state;

@group(0) @binding(0) var<storage, read> pointOrder: array<u32>;
// By point: int32 labels.
@group(0) @binding(1) var<storage, read_write> labelsOut: array<u32>;
// The number of clusters is in the last pair.
@group(0) @binding(2) var<storage, read_write> firstRanks: array<vec2u>;

// In place of the number of clusters: an invocation gave up.
const NOT_FINAL: u32 = 0xffffffffu;

@compute @workgroup_size(64)
fn labelBordersExactly(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let length = atomicLoad(&state.undecidedBorders);
  for (var k = at.id.x * 64u + lane; k < length; k += at.count.x * 64u) {
    let a = state.undecidedPoints[k];
    let point = pointAt(a);
    var lowest = atomicLoad(&labels[a]);
    for (var row = 0u; row < rowCount(); row++) {
      let range = rowRange(cellIds[a], row);
      for (var b = range.x; b < range.y;) {
        let end = endOfSet(b);
        for (var c = b; c < end; c++) {
          let word = atomicLoad(&labels[c]);
          if ((word & CORE) == 0u) { continue; }
          if ((word & NO_LABEL) >= lowest) { break; }
          if (areNeighbors(point, a, c)) {
            lowest = word & NO_LABEL;
            break;
          }
        }
        b = end;
      }
    }
    atomicStore(&labels[a], lowest);
  }
}

@compute @workgroup_size(64)
fn writeListed(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let isCrowded = atomicLoad(&state.isCrowded) != 0u;
  if (isCrowded && at.id.x == 0u && lane == 0u) { firstRanks[(grid.n + 31u) / 32u].y = NOT_FINAL; }
  let length = atomicLoad(&state.undecidedBorders);
  for (var k = at.id.x * 64u + lane; k < length; k += at.count.x * 64u) {
    let a = state.undecidedPoints[k];
    let label = atomicLoad(&labels[a]);
    labelsOut[pointOrder[a]] = select(label, NOISE, label == NO_LABEL);
  }
}
