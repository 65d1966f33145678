// Rows with a pair that float32 cannot decide, over a grid: counted and written as a whole, with software float64 for
// such pairs. A fixed number of workgroups strides over the list, whose length is known on the device only.

import spatial_grid::gpu::exactNeighborhood::areNeighbors;
import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::neighborhood::pointAt;
import package::graph::{
  edges, graph, isCoreRow, isInRows, rowLength, rowPlaces, storesEdge, storesRow, undecidedRows
};

@compute @workgroup_size(64)
fn makeRowsExactly(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let listed = min(atomicLoad(&undecidedRows[0]), graph.endListed);
  for (var k = graph.firstListed + groupId.x * 64u + lane; k < listed; k += groupCount.x * 64u) {
    let i = atomicLoad(&undecidedRows[1u + k]);
    if (!isInRows(i)) { continue; }
    let isCoreI = isCoreRow(i);
    let point = pointAt(i);
    let cell = cellIds[i];
    let rows = select(0u, rowCount(), storesRow(isCoreI));
    let places = rowPlaces(i);
    var place = places.x;
    for (var row = 0u; row < rows; row++) {
      let range = rowRange(cell, row);
      for (var j = range.x; j < range.y; j++) {
        if (j == i || !storesEdge(i, j, isCoreI) || !areNeighbors(point, i, j)) { continue; }
        if (place < places.y) { edges[place] = j; }
        place++;
      }
    }
    if (graph.isWriting == 0u) { rowLength[i] = place; }
  }
}
