// Undecided rows over a grid: rows with a pair that float32 cannot decide. They are counted and written as a whole,
// with software float64 for such pairs. A fixed number of workgroups strides over the list, whose length only the
// device knows.

import gpu::dispatch::Workgroup;
import spatial_grid::gpu::exactNeighborhood::areNeighbors;
import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::neighborhood::pointAt;
import package::graph::{
  endOfListed, graph, isCoreRow, isInRows, listedRow, rowPlaces, rowsOut, storesEdge, storesRow
};

const LANES: u32 = 64u;

var<workgroup> listedRows: u32;
// Neighbours found so far, for each row of the workgroup.
var<workgroup> found: array<atomic<u32>, 64>;

@compute @workgroup_size(64)
fn makeRowsExactly(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { listedRows = endOfListed(); }
  let listed = workgroupUniformLoad(&listedRows);
  // Usually the list is short, and one invocation per row would take longer than everything else.
  let team = select(1u, LANES, listed - min(listed, graph.firstListed) <= at.count.x);
  let teams = LANES / team;
  let slot = lane / team;
  for (var first = graph.firstListed + at.id.x * teams; first < listed; first += at.count.x * teams) {
    atomicStore(&found[lane], 0u);
    workgroupBarrier();
    let k = first + slot;
    let i = select(0u, listedRow(min(k, listed - 1u)), k < listed);
    let isMine = k < listed && isInRows(i);
    if (isMine) { makeRow(i, slot, lane % team, team); }
    workgroupBarrier();
    if (isMine && lane % team == 0u && graph.isWriting == 0u) { rowsOut[i] = atomicLoad(&found[slot]); }
    workgroupBarrier();
  }
}

// Every `team`-th column of a row.
fn makeRow(i: u32, slot: u32, member: u32, team: u32) {
  let isCoreI = isCoreRow(i);
  let point = pointAt(i);
  let cell = cellIds[i];
  let rows = select(0u, rowCount(), storesRow(isCoreI));
  let places = rowPlaces(i);
  for (var row = 0u; row < rows; row++) {
    let range = rowRange(cell, row);
    for (var j = range.x + member; j < range.y; j += team) {
      if (j == i || !storesEdge(i, j, isCoreI) || !areNeighbors(point, i, j)) { continue; }
      let place = places.x + atomicAdd(&found[slot], 1u);
      if (place < places.y) { rowsOut[place] = j; }
    }
  }
}
