// Rows of the graph over a uniform grid, one invocation per row. The points of a workgroup are close, so their reads
// are local. Source: Andrade et al. 2013, G-DBSCAN, degree and adjacency kernels, with the cells around a point instead
// of all points. Uses binding 66 of group 0, and those of graph.wgsl.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, neighborhood, pointAt, squaredDistance};
import package::graph::{
  ALL, bandMiddle, graph, isCore, isCoreRow, listUndecided, rowPlaces, rowsOut, storesRow
};

// Columns per batch: their loads overlap, which speeds up the longest rows.
const BATCH: u32 = 4u;

// Degrees of rows, where float32 is certain; rows with other pairs are listed as undecided.
@compute @workgroup_size(256)
fn countNeighbors(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = graph.firstRow + workgroupNumber(at) * 256u + lane;
  if (i >= graph.endRow) { return; }
  let point = pointAt(i);
  let cell = cellIds[i];
  var near = 0u;
  var undecided = 0u;
  for (var row = 0u; row < rowCount(); row++) {
    let range = rowRange(cell, row);
    for (var first = range.x; first < range.y; first += BATCH) {
      for (var k = 0u; k < BATCH; k++) {
        let j = first + k;
        let verdict = compareWithEps(point, min(j, range.y - 1u));
        let counts = j < range.y && j != i;
        near += select(0u, 1u, counts && verdict == NEAR);
        undecided += select(0u, 1u, counts && verdict == UNDECIDED);
      }
    }
  }
  rowsOut[i] = near;
  if (undecided > 0u) { listUndecided(i); }
}

// A column of a row, and its point; `NONE` if there is none.
struct Stored {
  column: u32,
  point: vec4f,
}

const NONE: u32 = 0xffffffffu;

// Whether row i can omit column j because it stores `stored`: i, j and `stored` are neighbours of each other, where
// float32 is certain. For a border point i, both columns are in the same cluster. For three core points, the edge
// between the outer two positions is omitted: in positions it is the longest edge of a cycle, and removing the longest
// edge of every cycle at once keeps the graph's connected components.
fn isRedundant(stored: Stored, column: Stored, isCoreI: bool) -> bool {
  if (stored.column == NONE || (isCoreI && stored.column < column.column)) { return false; }
  return squaredDistance(stored.point, column.point) < neighborhood.sureBelow;
}

// Order of the rows of cells around a point: its own first, then from the last to the first. Columns descend, which
// `isRedundant` relies on.
fn descending(step: u32) -> u32 {
  return select(rowCount() - step, 0u, step == 0u);
}

// Kept columns of each row: their number, then up to KEPT columns. Reading them takes a tenth of the time of a second
// search.
@group(0) @binding(66) var<storage, read_write> keptColumns: array<u32>;

const KEPT: u32 = 7u;

// Writes row i from its kept columns. Returns false if not all of its columns were kept.
fn writeKeptRow(i: u32, places: vec2u) -> bool {
  if (graph.isWriting == 0u || graph.isKeeping == 0u) { return false; }
  let first = i * (KEPT + 1u);
  let count = keptColumns[first];
  if (count > KEPT) { return false; }
  for (var k = 0u; k < count; k++) {
    if (places.x + k < places.y) { rowsOut[places.x + k] = keptColumns[first + 1u + k]; }
  }
  return true;
}

fn keepColumn(i: u32, place: u32, column: u32) {
  if (place < KEPT) { keptColumns[i * (KEPT + 1u) + 1u + place] = column; }
}

fn keepLength(i: u32, length: u32) {
  keptColumns[i * (KEPT + 1u)] = length;
}

// Counts the stored edges of rows, or writes them. Omits most edges to core points that do not change the components.
@compute @workgroup_size(256)
fn makeRows(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = graph.firstRow + workgroupNumber(at) * 256u + lane;
  if (i >= graph.endRow) { return; }
  let places = rowPlaces(i);
  if (writeKeptRow(i, places)) { return; }
  let point = pointAt(i);
  let cell = cellIds[i];
  let isCoreI = isCoreRow(i);
  let isThin = graph.storedEdges != ALL;
  let middle = bandMiddle();
  let isKept = graph.isWriting == 0u && graph.isKeeping != 0u;
  let rows = select(0u, rowCount(), storesRow(isCoreI));
  var place = places.x;
  var last = Stored(NONE, vec4f());
  var lastButOne = Stored(NONE, vec4f());
  for (var step = 0u; step < rows; step++) {
    let range = rowRange(cell, descending(step));
    let end = select(range.y, min(range.y, i), isCoreI);
    for (var after = end; after > range.x; after -= min(after - range.x, BATCH)) {
      var columns: array<Stored, BATCH>;
      for (var k = 0u; k < BATCH; k++) {
        let j = max(after, range.x + k + 1u) - k - 1u;
        columns[k] = Stored(NONE, pointAt(j));
        let isColumn = (k < after - range.x) & (j != i) & (squaredDistance(point, columns[k].point) <= middle);
        if (isColumn & (isCore(j) | !isThin)) { columns[k].column = j; }
      }
      for (var k = 0u; k < BATCH; k++) {
        let column = columns[k];
        if (column.column == NONE) { continue; }
        if (isThin) {
          if (isRedundant(last, column, isCoreI) || isRedundant(lastButOne, column, isCoreI)) { continue; }
          lastButOne = last;
          last = column;
        }
        if (place < places.y) { rowsOut[place] = column.column; }
        if (isKept) { keepColumn(i, place, column.column); }
        place++;
      }
    }
  }
  if (isKept) { keepLength(i, place); }
  if (graph.isWriting == 0u) { rowsOut[i] = place; }
}
