// A uniform grid over points sorted by cell, as kernels read it. A position is a place in the sorted order.
//
// Cells adjacent on axis 0 are adjacent in this order, so the (2 · REACH + 1)^dim cells around a point are
// (2 · REACH + 1)^(dim−1) rows, each one range of positions. Cell coordinates start at REACH: every cell has lower
// neighbours without wrap-around.
//   dense    cellIds[k] = Σ cell[d] · strides[d], in a box with a margin of REACH empty cells on all sides
//   sparse   cellIds[k] = rank among the occupied cells, in the same order
//
// Uses bindings 20 to 23 of group 0; 24 to 26 belong to neighborhood.wgsl and exactNeighborhood.wgsl.

override DIM: u32 = 2u;
override IS_SPARSE: bool = false;
// Cells between neighbours on an axis, at most.
override REACH: u32 = 1u;

struct GridParams {
  // Per axis: origin and 1 / side as float64 words (x, y) and (z, w).
  axes: array<vec4u, 4>,
  strides: vec4u,
  n: u32,
  // 1: cellStart holds, for each occupied cell, the ranges of its rows.
  hasRanges: u32,
  // Sparse only: word of `cellAxes` at which the starts of rows begin; 0: there are none.
  rowsAt: u32,
}

@group(0) @binding(20) var<uniform> grid: GridParams;
// CSR: cell c holds positions [cellStart[c], cellStart[c + 1]). With ranges: two words per row, rows as in `rowRange`.
@group(0) @binding(21) var<storage, read> cellStart: array<u32>;
@group(0) @binding(22) var<storage, read> cellIds: array<u32>;
// Sparse only: word 0 is the number of occupied cells; then their coordinates, axis by axis, `n` words per axis. From
// word `rowsAt` on the first occupied cell of each row, and the number of cells: row r, numbered by `rowOf`, has the
// cells [cellAxes[rowsAt + r], cellAxes[rowsAt + r + 1]).
@group(0) @binding(23) var<storage, read> cellAxes: array<u32>;

fn rowCount() -> u32 {
  let span = 2u * REACH + 1u;
  if (DIM == 1u) { return 1u; }
  if (DIM == 2u) { return span; }
  if (DIM == 3u) { return span * span; }
  return span * span * span;
}

// Offset −REACH … REACH of row `row` on axes 1 to 3 (as wrapping words). Row 0 is the cell's own row, which has most
// points.
fn rowDelta(row: u32) -> vec3u {
  let span = 2u * REACH + 1u;
  let r = (row + rowCount() / 2u) % rowCount();
  var delta = vec3u();
  if (DIM > 1u) { delta.x = r % span - REACH; }
  if (DIM > 2u) { delta.y = (r / span) % span - REACH; }
  if (DIM > 3u) { delta.z = r / (span * span) - REACH; }
  return delta;
}

// Positions [x, y) of the points in row `row` around cell `cell`.
fn rowRange(cell: u32, row: u32) -> vec2u {
  let delta = rowDelta(row);
  if (IS_SPARSE && grid.hasRanges != 0u) {
    let place = 2u * (cell * rowCount() + row);
    return vec2u(cellStart[place], cellStart[place + 1u]);
  }
  if (IS_SPARSE) { return sparseRowRange(cell, delta); }
  let middle = cell + delta.x * grid.strides.y + delta.y * grid.strides.z + delta.z * grid.strides.w;
  return vec2u(cellStart[middle - REACH], cellStart[middle + REACH + 1u]);
}

fn coordinatesOf(cell: u32) -> vec4u {
  var coordinates = vec4u();
  for (var d = 0u; d < DIM; d++) { coordinates[d] = cellAxes[1u + d * grid.n + cell]; }
  return coordinates;
}

// Whether cell a precedes cell b; the last axis is most significant.
fn isBefore(a: vec4u, b: vec4u) -> bool {
  if (a.w != b.w) { return a.w < b.w; }
  if (a.z != b.z) { return a.z < b.z; }
  if (a.y != b.y) { return a.y < b.y; }
  return a.x < b.x;
}

// Number of the row that holds a cell, from its coordinates on axes 1 to 3. The `strides` of a sparse grid count rows.
fn rowOf(coordinates: vec4u) -> u32 {
  let terms = coordinates.yzw * grid.strides.yzw;
  return terms.x + terms.y + terms.z;
}

fn sparseRowRange(cell: u32, delta: vec3u) -> vec2u {
  let own = coordinatesOf(cell);
  let first = vec4u(own.x - REACH, own.yzw + delta);
  // Cell after the last cell of the row.
  let after = vec4u(own.x + REACH + 1u, first.yzw);
  // Lower bound: the first occupied cell that does not precede `first`.
  var low = 0u;
  var high = cellAxes[0];
  if (grid.rowsAt != 0u) {
    let row = grid.rowsAt + rowOf(first);
    low = cellAxes[row];
    high = cellAxes[row + 1u];
  }
  while (low < high) {
    let middle = (low + high) / 2u;
    if (isBefore(coordinatesOf(middle), first)) { low = middle + 1u; } else { high = middle; }
  }
  var end = low;
  for (var k = 0u; k < 2u * REACH + 1u && end < cellAxes[0]; k++) {
    if (!isBefore(coordinatesOf(end), after)) { break; }
    end++;
  }
  return vec2u(cellStart[low], cellStart[end]);
}
