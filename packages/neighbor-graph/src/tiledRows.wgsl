// Rows of the graph without an index: all pairs, in tiles of 64 × 64 points that pass through workgroup memory, in any
// number of dimensions. A workgroup has 64 rows and walks along all columns; each of its 16 × 16 invocations has 4 × 4 pairs
// of a tile in registers. Coordinates come in slabs of 16 axes, so memory does not grow with the dimension.
// Source: Andrade et al. 2013, G-DBSCAN, degree and adjacency kernels.

import gpu::dispatch::linearWorkgroup;
import spatial_grid::gpu::neighborhood::{neighborhood, sortedCoords};
import package::graph::{
  CORE_TO_CORE, edges, graph, isCoreRow, listUndecided, rowLength, rowPlaces, storesEdge, storesRow
};
import package::settled::bandMiddle;

const WIDTH: u32 = 256u;
const SIDE: u32 = 64u;
const STEP: u32 = 16u;
const SLAB: u32 = 16u;
// Odd, so that an axis of the slab and the next one lie on other banks.
const STRIDE: u32 = SIDE + 1u;
const SLAB_WORDS: u32 = SLAB * STRIDE;

var<workgroup> rowSlab: array<f32, SLAB_WORDS>;
var<workgroup> columnSlab: array<f32, SLAB_WORDS>;
// By row of the workgroup: neighbours, or edges, so far.
var<workgroup> tally: array<atomic<u32>, SIDE>;
var<workgroup> undecided: array<atomic<u32>, SIDE>;

fn coordinate(point: u32, d: u32) -> f32 {
  if (point >= graph.n) { return 0.0; }
  return bitcast<f32>(sortedCoords[point * graph.dim + d]);
}

// d² of this invocation's pairs: rows y, y + 16, … of the workgroup by columns x, x + 16, … of the tile. By all invocations.
fn tileDistances(firstRow: u32, firstColumn: u32, lane: u32) -> mat4x4f {
  let x = lane % STEP;
  let y = lane / STEP;
  var sum0 = vec4f();
  var sum1 = vec4f();
  var sum2 = vec4f();
  var sum3 = vec4f();
  for (var first = 0u; first < graph.dim; first += SLAB) {
    let axes = min(SLAB, graph.dim - first);
    // Where one slab has all axes, the rows stay.
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

// The least d² of this invocation's pairs. Nearly all tiles end with it: most pairs are far apart.
fn least(d2: mat4x4f) -> f32 {
  let lows = min(min(d2[0], d2[1]), min(d2[2], d2[3]));
  return min(min(lows.x, lows.y), min(lows.z, lows.w));
}

fn columnsOf(firstColumn: u32, lane: u32) -> vec4u {
  return firstColumn + lane % STEP + vec4u(0u, 16u, 32u, 48u);
}

// Which columns are other points than that of row i.
fn others(i: u32, columns: vec4u) -> vec4<bool> {
  return (columns < vec4u(graph.n)) & (columns != vec4u(i));
}

fn countTrue(flags: vec4<bool>) -> u32 {
  let ones = select(vec4u(), vec4u(1u), flags);
  return ones.x + ones.y + ones.z + ones.w;
}

// Certain neighbours of row i among the columns; notes in `undecided` where float32 cannot tell.
fn countNear(row: u32, i: u32, columns: vec4u, d2: vec4f) -> u32 {
  let isOther = others(i, columns);
  let isNear = d2 < vec4f(neighborhood.sureBelow);
  let isFar = (d2 > vec4f(neighborhood.sureAbove)) & vec4<bool>(neighborhood.isExactOnly == 0u);
  if (any(isOther & !isNear & !isFar)) { atomicStore(&undecided[row], 1u); }
  return countTrue(isOther & isNear);
}

// Degrees of rows, as far as float32 is certain; rows with other pairs are listed.
@compute @workgroup_size(256)
fn countNeighbors(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let firstRow = graph.firstRow + linearWorkgroup(groupId, groupCount) * SIDE;
  let y = lane / STEP;
  if (lane < SIDE) {
    atomicStore(&tally[lane], 0u);
    atomicStore(&undecided[lane], 0u);
  }
  var near = vec4u();
  for (var column = 0u; column < graph.n; column += SIDE) {
    let d2 = tileDistances(firstRow, column, lane);
    // No `continue`: the next tile's barriers want uniform flow.
    if (least(d2) <= neighborhood.sureAbove || neighborhood.isExactOnly != 0u) {
      let columns = columnsOf(column, lane);
      near.x += countNear(y, firstRow + y, columns, d2[0]);
      near.y += countNear(y + 16u, firstRow + y + 16u, columns, d2[1]);
      near.z += countNear(y + 32u, firstRow + y + 32u, columns, d2[2]);
      near.w += countNear(y + 48u, firstRow + y + 48u, columns, d2[3]);
    }
  }
  atomicAdd(&tally[y], near.x);
  atomicAdd(&tally[y + 16u], near.y);
  atomicAdd(&tally[y + 32u], near.z);
  atomicAdd(&tally[y + 48u], near.w);
  workgroupBarrier();
  let i = firstRow + lane;
  if (lane >= SIDE || i >= graph.endRow) { return; }
  rowLength[i] = atomicLoad(&tally[lane]);
  if (atomicLoad(&undecided[lane]) != 0u) { listUndecided(i); }
}

// Which columns are stored edges of row i.
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

// Columns behind the last that a row of this workgroup stores.
fn endColumn(firstRow: u32) -> u32 {
  if (graph.storedEdges == CORE_TO_CORE) { return min(graph.n, firstRow + SIDE); }
  return graph.n;
}

// Appends the stored edges of row i among the columns, where rows are written.
fn appendEdges(row: u32, i: u32, columns: vec4u, d2: vec4f) {
  let isStored = storedIn(i, columns, d2);
  if (!any(isStored)) { return; }
  let places = rowPlaces(i);
  var place = places.x + atomicAdd(&tally[row], countTrue(isStored));
  for (var k = 0u; k < 4u; k++) {
    if (isStored[k] && place < places.y) {
      edges[place] = columns[k];
      place++;
    }
  }
}

// Counts the stored edges of rows, or writes them.
@compute @workgroup_size(256)
fn makeRows(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let firstRow = graph.firstRow + linearWorkgroup(groupId, groupCount) * SIDE;
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
  if (lane < SIDE && i < graph.endRow && graph.isWriting == 0u) { rowLength[i] = atomicLoad(&tally[lane]); }
}
