// A uniform grid over points sorted by cell, as kernels read it. A position is a place in the sorted order.
//
// Cells adjacent on axis 0 are adjacent in this order, so the (2 · REACH + 1)^dim cells around a point are
// (2 · REACH + 1)^(dim−1) rows, each one range of positions. Cell coordinates start at REACH: every cell has lower
// neighbours without wrap-around.
//   dense    cellIds[k] = Σ cell[d] · strides[d], in a box with a margin of REACH empty cells on all sides
//   sparse   cellIds[k] = rank among the occupied cells, in the same order
//   ranked   the same; one bit per cell of the box finds the rank, so the box must be small enough for that
//
// Uses bindings 20 to 23 of group 0; 24 to 26 belong to neighborhood.wgsl and exactNeighborhood.wgsl.

override DIM: u32 = 2u;
override IS_SPARSE: bool = false;
override IS_RANKED: bool = false;
// Cells between neighbours on an axis, at most.
override REACH: u32 = 1u;

struct GridParams {
  // Per axis: origin and 1 / side as float64 words (x, y) and (z, w).
  axes: array<vec4u, 4>,
  strides: vec4u,
  n: u32,
  // 1: cellStart holds, for each occupied cell, the ranges of its rows.
  hasRanges: u32,
  // Sparse: word of `cellAxes` at which the starts of rows begin; 0: there are none. Ranked: where the bits begin.
  rowsAt: u32,
  // Ranked only: words of 32 cells in the box.
  words: u32,
  // Places in float32 (places.ts): the lowest corner of the box in the frame of the float32 coordinates, and 1 / side.
  corner: vec4f,
  inverse: vec4f,
  // Error of a place on an axis, in cells, at most; 1 if float32 cannot place points.
  placeMargin: f32,
  // (eps / side)², rounded up.
  radius2: f32,
}

@group(0) @binding(20) var<uniform> grid: GridParams;
// CSR: cell c holds positions [cellStart[c], cellStart[c + 1]). With ranges: two words per row, rows as in `rowRange`.
@group(0) @binding(21) var<storage, read> cellStart: array<u32>;
@group(0) @binding(22) var<storage, read> cellIds: array<u32>;
// Sparse only: word 0 is the number of occupied cells; then their coordinates, axis by axis, `n` words per axis. From
// word `rowsAt` on the first occupied cell of each row, and the number of cells: row r, numbered by `rowOf`, has the
// cells [cellAxes[rowsAt + r], cellAxes[rowsAt + r + 1]).
// Ranked: the ids of the occupied cells in the box, by rank. From word `rowsAt` on, for each 32 cells of the box, their
// bits and the number of occupied cells before them; one such pair more ends with the number of occupied cells.
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
  if (IS_RANKED) { return positionsOf(rankedRow(cell, delta, REACH)); }
  if (IS_SPARSE && grid.hasRanges != 0u) {
    let place = 2u * (cell * rowCount() + row);
    return vec2u(cellStart[place], cellStart[place + 1u]);
  }
  if (IS_SPARSE) { return positionsOf(sparseRow(cell, delta, REACH)); }
  let middle = cell + delta.x * grid.strides.y + delta.y * grid.strides.z + delta.z * grid.strides.w;
  return vec2u(cellStart[middle - REACH], cellStart[middle + REACH + 1u]);
}

// Number of occupied cells of a sparse or ranked grid.
fn occupiedCells() -> u32 {
  if (IS_RANKED) { return cellAxes[grid.rowsAt + 2u * grid.words + 1u]; }
  return cellAxes[0];
}

// Positions of the points in the cells with ranks [cells.x, cells.y).
fn positionsOf(cells: vec2u) -> vec2u {
  // Many rows are empty: do not read their starts.
  if (cells.x == cells.y) { return vec2u(); }
  return vec2u(cellStart[cells.x], cellStart[cells.y]);
}

// Ranks [x, y) of the occupied cells in a row around cell `cell`, those at most `reach` apart on axis 0. For sparse and
// ranked grids.
fn rowCells(cell: u32, delta: vec3u, reach: u32) -> vec2u {
  if (IS_RANKED) { return rankedRow(cell, delta, reach); }
  return sparseRow(cell, delta, reach);
}

fn rankedRow(cell: u32, delta: vec3u, reach: u32) -> vec2u {
  let middle = cellAxes[cell] + delta.x * grid.strides.y + delta.y * grid.strides.z + delta.z * grid.strides.w;
  return ranksOf(middle - reach, 2u * reach + 1u);
}

// Ranks [x, y) of the occupied ones among `count` cells from id `first` on; 1 ≤ count < 32.
fn ranksOf(first: u32, count: u32) -> vec2u {
  let word = grid.rowsAt + 2u * (first >> 5u);
  let shift = first & 31u;
  let own = cellAxes[word];
  var bits = own >> shift;
  if (shift + count > 32u) { bits |= cellAxes[word + 2u] << (32u - shift); }
  let low = cellAxes[word + 1u] + countOneBits(own & ((1u << shift) - 1u));
  return vec2u(low, low + countOneBits(bits & ((1u << count) - 1u)));
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

// The first occupied cell that does not precede `cell`.
fn lowerBound(cell: vec4u) -> u32 {
  var low = 0u;
  var high = cellAxes[0];
  while (low < high) {
    let middle = (low + high) / 2u;
    if (isBefore(coordinatesOf(middle), cell)) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}

// Number of the row that holds a cell, from its coordinates on axes 1 to 3. The `strides` of a sparse grid count rows.
fn rowOf(coordinates: vec4u) -> u32 {
  let terms = coordinates.yzw * grid.strides.yzw;
  return terms.x + terms.y + terms.z;
}

// Ranks [x, y) of the occupied cells of a sparse grid in a row around cell `cell`, at most `reach` apart on axis 0.
fn sparseRow(cell: u32, delta: vec3u, reach: u32) -> vec2u {
  let own = coordinatesOf(cell);
  let first = vec4u(own.x - reach, own.yzw + delta);
  // Cell after the last cell of the row.
  let after = vec4u(own.x + reach + 1u, first.yzw);
  if (grid.rowsAt != 0u) { return cellsInRow(grid.rowsAt + rowOf(first), first.x, after.x); }
  let low = lowerBound(first);
  var end = low;
  for (var k = 0u; k < 2u * reach + 1u && end < cellAxes[0]; k++) {
    if (!isBefore(coordinatesOf(end), after)) { break; }
    end++;
  }
  return vec2u(low, end);
}

// The same if the starts of rows are known: cells of a row differ on axis 0 only.
fn cellsInRow(row: u32, first: u32, after: u32) -> vec2u {
  var low = cellAxes[row];
  let rowEnd = cellAxes[row + 1u];
  var high = rowEnd;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (cellAxes[1u + middle] < first) { low = middle + 1u; } else { high = middle; }
  }
  var end = low;
  while (end < rowEnd && cellAxes[1u + end] < after) { end++; }
  return vec2u(low, end);
}
