// Rows of a filter, selected from a complete graph without testing pairs again; one invocation per row.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::graph::{graph, isCoreRow, rowPlaces, rowsOut, storesEdge, storesRow};

// Starts and columns of all edges of the complete graph.
@group(0) @binding(0) var<storage, read> keptStart: array<u32>;
@group(0) @binding(1) var<storage, read> keptEdges: array<u32>;

// Counts the stored edges of rows, or writes them.
@compute @workgroup_size(256)
fn filterRows(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = graph.firstRow + workgroupNumber(at) * 256u + lane;
  if (i >= graph.endRow) { return; }
  let isCoreI = isCoreRow(i);
  let places = rowPlaces(i);
  let end = select(keptStart[i], keptStart[i + 1u], storesRow(isCoreI));
  var place = places.x;
  for (var k = keptStart[i]; k < end; k++) {
    let j = keptEdges[k];
    if (!storesEdge(i, j, isCoreI)) { continue; }
    if (place < places.y) { rowsOut[place] = j; }
    place++;
  }
  if (graph.isWriting == 0u) { rowsOut[i] = place; }
}
