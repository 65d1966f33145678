// Rows of the graph over a uniform grid, one invocation each: the points of a workgroup are neighbours, so its reads are, too.
// Source: Andrade et al. 2013, G-DBSCAN, degree and adjacency kernels; with the cells around a point for all points.

import gpu::dispatch::linearWorkgroup;
import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, neighborhood, pointAt, squaredDistanceTo};
import package::graph::{ALL, edges, graph, isCoreRow, listUndecided, rowLength, rowPlaces, storesEdge, storesRow};
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

// A stored column of a row, and its point; `NONE` where there is none yet.
struct Stored {
  column: u32,
  point: vec4f,
}

const NONE: u32 = 0xffffffffu;

// Whether the row of i can do without column j, because it has `stored`: i, j and `stored` are neighbours of each other, as far as
// float32 is certain. A border point is beside the same cluster through either of two. Of the three edges between core points the one
// between the outer two positions goes: of every cycle the longest edge may, all at once, and what was joined still is.
fn isSpared(stored: Stored, j: u32, isCoreI: bool) -> bool {
  if (stored.column == NONE || (isCoreI && stored.column < j)) { return false; }
  return squaredDistanceTo(stored.point, j) < neighborhood.sureBelow;
}

// The rows of cells around a point, its own first, then the last ones first: columns descend, as `isSpared` wants it.
fn descending(step: u32) -> u32 {
  return select(rowCount() - step, 0u, step == 0u);
}

// Counts the stored edges of rows, or writes them. Of the edges to core points it leaves out most of those that change nothing.
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
  let isThin = graph.storedEdges != ALL;
  let middle = bandMiddle();
  let places = rowPlaces(i);
  let rows = select(0u, rowCount(), storesRow(isCoreI));
  var place = places.x;
  var last = Stored(NONE, vec4f());
  var lastButOne = Stored(NONE, vec4f());
  for (var step = 0u; step < rows; step++) {
    let range = rowRange(cell, descending(step));
    let end = select(range.y, min(range.y, i), isCoreI);
    for (var after = end; after > range.x; after--) {
      let j = after - 1u;
      if (j == i || squaredDistanceTo(point, j) > middle || !storesEdge(i, j, isCoreI)) { continue; }
      if (isThin) {
        if (isSpared(last, j, isCoreI) || isSpared(lastButOne, j, isCoreI)) { continue; }
        lastButOne = last;
        last = Stored(j, pointAt(j));
      }
      if (place < places.y) { edges[place] = j; }
      place++;
    }
  }
  if (graph.isWriting == 0u) { rowLength[i] = place; }
}
