// Rows of the graph over a uniform grid, one invocation each: the points of a workgroup are neighbours, so its reads are, too.
// Source: Andrade et al. 2013, G-DBSCAN, degree and adjacency kernels; with the cells around a point for all points.

import gpu::dispatch::linearWorkgroup;
import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, pointAt, squaredDistanceTo};
import package::graph::{edges, graph, isCoreRow, listUndecided, rowLength, rowPlaces, storesEdge, storesRow};
import package::settled::bandMiddle;

// Degrees of rows, as far as float32 is certain; rows with other pairs are listed.
@compute @workgroup_size(256)
fn countNeighbors(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let i = graph.firstRow + linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (i >= graph.endRow) { return; }
  let point = pointAt(i);
  let cell = cellIds[i];
  var near = 0u;
  var undecided = 0u;
  for (var row = 0u; row < rowCount(); row++) {
    let range = rowRange(cell, row);
    for (var j = range.x; j < range.y; j++) {
      let verdict = compareWithEps(point, j);
      near += select(0u, 1u, verdict == NEAR && j != i);
      undecided += select(0u, 1u, verdict == UNDECIDED && j != i);
    }
  }
  rowLength[i] = near;
  if (undecided > 0u) { listUndecided(i); }
}

// Counts the stored edges of rows, or writes them.
@compute @workgroup_size(256)
fn makeRows(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let i = graph.firstRow + linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (i >= graph.endRow) { return; }
  let point = pointAt(i);
  let cell = cellIds[i];
  let isCoreI = isCoreRow(i);
  let middle = bandMiddle();
  let places = rowPlaces(i);
  let rows = select(0u, rowCount(), storesRow(isCoreI));
  var place = places.x;
  for (var row = 0u; row < rows; row++) {
    let range = rowRange(cell, row);
    for (var j = range.x; j < range.y; j++) {
      if (j == i || squaredDistanceTo(point, j) > middle || !storesEdge(i, j, isCoreI)) { continue; }
      if (place < places.y) { edges[place] = j; }
      place++;
    }
  }
  if (graph.isWriting == 0u) { rowLength[i] = place; }
}
