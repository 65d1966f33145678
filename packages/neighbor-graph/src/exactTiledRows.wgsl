// Undecided rows without an index: rows with a pair that float32 cannot decide. They are counted and written as a
// whole, with software float64 for such pairs. A fixed number of workgroups strides over the list, one row at a time.

import gpu::dispatch::Workgroup;
import spatial_grid::gpu::exactNeighborhood::areNeighborsExactly;
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, sortedCoords, verdictOn};
import package::graph::{
  endOfListed, graph, isCoreRow, isInRows, listedRow, rowPlaces, rowsOut, storesEdge, storesRow
};

const WIDTH: u32 = 64u;

var<workgroup> listedRows: u32;
var<workgroup> tally: atomic<u32>;

fn areNeighborsOf(i: u32, j: u32) -> bool {
  var d2 = 0.0;
  for (var d = 0u; d < graph.dim; d++) {
    let delta = bitcast<f32>(sortedCoords[i * graph.dim + d]) - bitcast<f32>(sortedCoords[j * graph.dim + d]);
    d2 += delta * delta;
  }
  let verdict = verdictOn(d2);
  if (verdict != UNDECIDED) { return verdict == NEAR; }
  return areNeighborsExactly(i, j, graph.dim);
}

@compute @workgroup_size(64)
fn makeRowsExactly(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { listedRows = endOfListed(); }
  let listed = workgroupUniformLoad(&listedRows);
  for (var k = graph.firstListed + at.id.x; k < listed; k += at.count.x) {
    let i = listedRow(k);
    let isCoreI = isCoreRow(i);
    let places = rowPlaces(i);
    let columns = select(0u, graph.n, isInRows(i) && storesRow(isCoreI));
    if (lane == 0u) { atomicStore(&tally, 0u); }
    workgroupBarrier();
    for (var j = lane; j < columns; j += WIDTH) {
      if (j == i || !storesEdge(i, j, isCoreI) || !areNeighborsOf(i, j)) { continue; }
      let place = places.x + atomicAdd(&tally, 1u);
      if (place < places.y) { rowsOut[place] = j; }
    }
    workgroupBarrier();
    if (lane == 0u && graph.isWriting == 0u && isInRows(i)) { rowsOut[i] = atomicLoad(&tally); }
  }
}
