// Rows of the graph without an index: all pairs, in tiles of 64 × 64 points in workgroup memory, in any number of
// dimensions. A workgroup has 64 rows and loops over all columns; each of its 16 × 16 invocations has 4 × 4 pairs of a
// tile in registers. Coordinates are loaded in slabs of 16 axes, so the memory does not grow with the dimension.
// Source: Andrade et al. 2013, G-DBSCAN, degree and adjacency kernels.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::neighborhood::{neighborhood, sortedCoords};
import package::graph::{
  CORE_TO_CORE, bandMiddle, graph, isCoreRow, listUndecided, rowPlaces, rowsOut, storesEdge, storesRow
};

const WIDTH: u32 = 256u;
const SIDE: u32 = 64u;
const STEP: u32 = 16u;
const SLAB: u32 = 16u;
// Odd, so that consecutive axes of a slab are in different memory banks.
const STRIDE: u32 = SIDE + 1u;
const SLAB_WORDS: u32 = SLAB * STRIDE;

// Degrees during the summation, initially 0. The highest bit marks a row as listed as undecided; such a row is counted
// again as a whole.
@group(0) @binding(0) var<storage, read_write> degreeSum: array<atomic<u32>>;
const LISTED: u32 = 0x80000000u;
// Edges written so far per row, if all are written at once; initially 0.
@group(0) @binding(1) var<storage, read_write> cursors: array<atomic<u32>>;

var<workgroup> rowSlab: array<f32, SLAB_WORDS>;
var<workgroup> columnSlab: array<f32, SLAB_WORDS>;
// Neighbours or edges so far, by row of the workgroup.
var<workgroup> tally: array<atomic<u32>, SIDE>;
var<workgroup> undecided: array<atomic<u32>, SIDE>;

fn coordinate(point: u32, d: u32) -> f32 {
  if (point >= graph.n) { return 0.0; }
  return bitcast<f32>(sortedCoords[point * graph.dim + d]);
}

// d² of this invocation's pairs: rows y, y + 16, … of the workgroup by columns x, x + 16, … of the tile. All
// invocations must call it.
fn tileDistances(firstRow: u32, firstColumn: u32, lane: u32) -> mat4x4f {
  let x = lane % STEP;
  let y = lane / STEP;
  var sum0 = vec4f();
  var sum1 = vec4f();
  var sum2 = vec4f();
  var sum3 = vec4f();
  for (var first = 0u; first < graph.dim; first += SLAB) {
    let axes = min(SLAB, graph.dim - first);
    // If one slab holds all axes, the rows stay in memory.
    let areRowsThere = graph.dim <= SLAB && firstColumn > 0u;
    workgroupBarrier();
    for (var k = lane; k < SIDE * axes; k += WIDTH) {
      let place = (k % axes) * STRIDE + k / axes;
      columnSlab[place] = coordinate(firstColumn + k / axes, first + k % axes);
      if (!areRowsThere) { rowSlab[place] = coordinate(firstRow + k / axes, first + k % axes); }
    }
    workgroupBarrier();
    for (var d = 0u; d < axes; d++) {
      let c = d * STRIDE + x;
      let r = d * STRIDE + y;
      let column = vec4f(columnSlab[c], columnSlab[c + 16u], columnSlab[c + 32u], columnSlab[c + 48u]);
      let delta0 = column - rowSlab[r];
      let delta1 = column - rowSlab[r + 16u];
      let delta2 = column - rowSlab[r + 32u];
      let delta3 = column - rowSlab[r + 48u];
      sum0 += delta0 * delta0;
      sum1 += delta1 * delta1;
      sum2 += delta2 * delta2;
      sum3 += delta3 * delta3;
    }
  }
  return mat4x4f(sum0, sum1, sum2, sum3);
}

// The smallest d² of this invocation's pairs. For most tiles nothing else is needed: most pairs are far apart.
fn least(d2: mat4x4f) -> f32 {
  let lows = min(min(d2[0], d2[1]), min(d2[2], d2[3]));
  return min(min(lows.x, lows.y), min(lows.z, lows.w));
}

fn columnsOf(firstColumn: u32, lane: u32) -> vec4u {
  return firstColumn + lane % STEP + vec4u(0u, 16u, 32u, 48u);
}

// Which columns differ from row i.
fn others(i: u32, columns: vec4u) -> vec4<bool> {
  return (columns < vec4u(graph.n)) & (columns != vec4u(i));
}

fn sumOf(counts: vec4u) -> u32 {
  return counts.x + counts.y + counts.z + counts.w;
}

fn countTrue(flags: vec4<bool>) -> u32 {
  return sumOf(select(vec4u(), vec4u(1u), flags));
}

fn noteUndecided(i: u32) {
  if ((atomicOr(&degreeSum[i], LISTED) & LISTED) == 0u) { listUndecided(i); }
}

// Returns 1 for each column that is a certain neighbour of row i. Lists the row if float32 cannot decide a pair; with
// `isForBoth` also the column, which then has no tile of its own with this row.
fn judge(row: u32, i: u32, columns: vec4u, d2: vec4f, isForBoth: bool) -> vec4u {
  let isOther = others(i, columns) & vec4<bool>(i < graph.endRow);
  let isNear = isOther & (d2 < vec4f(neighborhood.sureBelow));
  let isFar = (d2 > vec4f(neighborhood.sureAbove)) & vec4<bool>(neighborhood.isExactOnly == 0u);
  let isUndecided = isOther & !isNear & !isFar;
  if (any(isUndecided)) {
    atomicStore(&undecided[row], 1u);
    for (var k = 0u; k < 4u; k++) {
      if (isForBoth && isUndecided[k]) { noteUndecided(columns[k]); }
    }
  }
  return select(vec4u(), vec4u(1u), isNear);
}

// Degrees of rows, where float32 is certain; rows with other pairs are listed. Distances are symmetric: a workgroup
// takes the tiles up to the diagonal, and counts each pair for its row and for its column.
@compute @workgroup_size(256)
fn countNeighbors(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let tiles = (graph.endRow - graph.firstRow + SIDE - 1u) / SIDE;
  let group = workgroupNumber(at);
  if (group >= tiles) { return; }
  // Longest rows of tiles first, so that no long row starts last.
  let firstRow = graph.firstRow + (tiles - 1u - group) * SIDE;
  let y = lane / STEP;
  if (lane < SIDE) {
    atomicStore(&tally[lane], 0u);
    atomicStore(&undecided[lane], 0u);
  }
  var near = vec4u();
  for (var column = 0u; column <= firstRow; column += SIDE) {
    let d2 = tileDistances(firstRow, column, lane);
    // No `continue`: the next tile's barriers require uniform control flow.
    if (least(d2) <= neighborhood.sureAbove || neighborhood.isExactOnly != 0u) {
      let columns = columnsOf(column, lane);
      let isForBoth = column < firstRow;
      let ones0 = judge(y, firstRow + y, columns, d2[0], isForBoth);
      let ones1 = judge(y + 16u, firstRow + y + 16u, columns, d2[1], isForBoth);
      let ones2 = judge(y + 32u, firstRow + y + 32u, columns, d2[2], isForBoth);
      let ones3 = judge(y + 48u, firstRow + y + 48u, columns, d2[3], isForBoth);
      near += vec4u(sumOf(ones0), sumOf(ones1), sumOf(ones2), sumOf(ones3));
      let ofColumns = ones0 + ones1 + ones2 + ones3;
      for (var k = 0u; k < 4u; k++) {
        if (isForBoth && ofColumns[k] > 0u) { atomicAdd(&degreeSum[columns[k]], ofColumns[k]); }
      }
    }
  }
  atomicAdd(&tally[y], near.x);
  atomicAdd(&tally[y + 16u], near.y);
  atomicAdd(&tally[y + 32u], near.z);
  atomicAdd(&tally[y + 48u], near.w);
  workgroupBarrier();
  let i = firstRow + lane;
  if (lane >= SIDE || i >= graph.endRow) { return; }
  atomicAdd(&degreeSum[i], atomicLoad(&tally[lane]));
  if (atomicLoad(&undecided[lane]) != 0u) { noteUndecided(i); }
}

fn storedIn(i: u32, columns: vec4u, d2: vec4f) -> vec4<bool> {
  var isStored = others(i, columns) & (d2 <= vec4f(bandMiddle()));
  if (i >= graph.endRow || !any(isStored)) { return vec4<bool>(); }
  let isCoreI = isCoreRow(i);
  if (!storesRow(isCoreI)) { return vec4<bool>(); }
  for (var k = 0u; k < 4u; k++) {
    if (isStored[k]) { isStored[k] = storesEdge(i, columns[k], isCoreI); }
  }
  return isStored;
}

// End of the columns that a row of this workgroup may store.
fn endColumn(firstRow: u32) -> u32 {
  if (graph.storedEdges == CORE_TO_CORE) { return min(graph.n, firstRow + SIDE); }
  return graph.n;
}

// Appends the stored edges of row i among the columns, if edges are written.
fn appendEdges(row: u32, i: u32, columns: vec4u, d2: vec4f) {
  let isStored = storedIn(i, columns, d2);
  if (!any(isStored)) { return; }
  let places = rowPlaces(i);
  var place = places.x + atomicAdd(&tally[row], countTrue(isStored));
  for (var k = 0u; k < 4u; k++) {
    if (isStored[k] && place < places.y) {
      rowsOut[place] = columns[k];
      place++;
    }
  }
}

// Reserves places for edges of row i, if all rows are written at once.
fn takePlaces(i: u32, count: u32) -> vec2u {
  let places = rowPlaces(i);
  return vec2u(places.x + atomicAdd(&cursors[i], count), places.y);
}

// Appends the neighbours of row i among the columns; with `isForBoth` also appends row i to the columns' rows.
fn appendBoth(i: u32, columns: vec4u, d2: vec4f, isForBoth: bool) {
  let isNear = others(i, columns) & (d2 <= vec4f(bandMiddle())) & vec4<bool>(i < graph.endRow);
  if (!any(isNear)) { return; }
  var places = takePlaces(i, countTrue(isNear));
  for (var k = 0u; k < 4u; k++) {
    if (!isNear[k]) { continue; }
    if (places.x < places.y) { rowsOut[places.x] = columns[k]; }
    places.x++;
    if (!isForBoth) { continue; }
    let ofColumn = takePlaces(columns[k], 1u);
    if (ofColumn.x < ofColumn.y) { rowsOut[ofColumn.x] = i; }
  }
}

// Writes all edges of a graph that fits as a whole; each pair once for both of its rows, as in countNeighbors.
@compute @workgroup_size(256)
fn writeGraph(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let tiles = (graph.endRow - graph.firstRow + SIDE - 1u) / SIDE;
  let group = workgroupNumber(at);
  if (group >= tiles) { return; }
  let firstRow = graph.firstRow + (tiles - 1u - group) * SIDE;
  let y = lane / STEP;
  for (var column = 0u; column <= firstRow; column += SIDE) {
    let d2 = tileDistances(firstRow, column, lane);
    if (least(d2) <= bandMiddle()) {
      let columns = columnsOf(column, lane);
      let isForBoth = column < firstRow;
      appendBoth(firstRow + y, columns, d2[0], isForBoth);
      appendBoth(firstRow + y + 16u, columns, d2[1], isForBoth);
      appendBoth(firstRow + y + 32u, columns, d2[2], isForBoth);
      appendBoth(firstRow + y + 48u, columns, d2[3], isForBoth);
    }
  }
}

// Counts the stored edges of rows, or writes them.
@compute @workgroup_size(256)
fn makeRows(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let firstRow = graph.firstRow + workgroupNumber(at) * SIDE;
  let y = lane / STEP;
  if (lane < SIDE) { atomicStore(&tally[lane], 0u); }
  for (var column = 0u; column < endColumn(firstRow); column += SIDE) {
    let d2 = tileDistances(firstRow, column, lane);
    if (least(d2) <= bandMiddle()) {
      let columns = columnsOf(column, lane);
      appendEdges(y, firstRow + y, columns, d2[0]);
      appendEdges(y + 16u, firstRow + y + 16u, columns, d2[1]);
      appendEdges(y + 32u, firstRow + y + 32u, columns, d2[2]);
      appendEdges(y + 48u, firstRow + y + 48u, columns, d2[3]);
    }
  }
  workgroupBarrier();
  let i = firstRow + lane;
  if (lane < SIDE && i < graph.endRow && graph.isWriting == 0u) { rowsOut[i] = atomicLoad(&tally[lane]); }
}
