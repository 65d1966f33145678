// The nearest points of each position, by all pairs: a list of lower bounds. A workgroup has 128 rows and loops over
// tiles of columns. A row takes every point below its limit, and when there is no room for another tile, the list is
// sorted, cut to `length`, and its last bound is the new limit. So no point outside a list has a lower bound.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::tiles::{
  GROUPS, NOWHERE, SIDE, STEP, lowOf, lows, multiplyTiles, nearByDifferences, nearVector, products, rowOf, shape
};

struct ListParams {
  // The tiles of rows of a batch, and of columns of a step.
  firstTile: u32,
  tiles: u32,
  firstColumn: u32,
  endColumn: u32,
  // Entries of a list that is sorted, and its room.
  length: u32,
  room: u32,
}

@group(0) @binding(0) var<uniform> params: ListParams;
// By row of the batch: position and lower bound.
@group(0) @binding(1) var<storage, read_write> lists: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> sorted: array<vec2u>;
// Entries of each row.
@group(0) @binding(3) var<storage, read_write> held: array<u32>;

var<workgroup> filled: array<atomic<u32>, SIDE>;
var<workgroup> counts: array<u32, SIDE>;
var<workgroup> limits: array<f32, SIDE>;
var<workgroup> fullest: atomic<u32>;
var<workgroup> most: u32;

@compute @workgroup_size(256)
fn listNearest(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let tile = workgroupNumber(at);
  if (tile >= params.tiles) { return; }
  let first = tile * SIDE;
  if (lane < SIDE) {
    let count = held[first + lane];
    atomicStore(&filled[lane], count);
    setLimit(lane, first + lane, count);
  }
  let rowTile = params.firstTile + tile;
  for (var column = params.firstColumn; column < params.endColumn; column++) {
    multiplyTiles(rowTile, column, lane);
    offerAll(rowTile, first, column, lane);
    if (lane == 0u) { atomicStore(&fullest, 0u); }
    workgroupBarrier();
    if (lane < SIDE) {
      counts[lane] = atomicLoad(&filled[lane]);
      atomicMax(&fullest, counts[lane]);
    }
    workgroupBarrier();
    if (lane == 0u) { most = atomicLoad(&fullest); }
    let isLast = column + 1u == params.endColumn;
    if (workgroupUniformLoad(&most) + SIDE > params.room || isLast) {
      for (var row = 0u; row < SIDE; row++) {
        let count = workgroupUniformLoad(&counts[row]);
        if (count > params.length || isLast) { sortRow(rowTile * SIDE + row, first + row, row, count, lane); }
      }
    }
  }
  if (lane < SIDE) { held[first + lane] = atomicLoad(&filled[lane]); }
}

fn setLimit(row: u32, list: u32, count: u32) {
  limits[row] = 0.5 * NOWHERE;
  if (count >= params.length) { limits[row] = bitcast<f32>(lists[list * params.room + params.length - 1u].y); }
}

fn offerAll(rowTile: u32, first: u32, column: u32, lane: u32) {
  let x = lane % STEP;
  let y = lane / STEP;
  let left = lows[column * GROUPS + x];
  let right = lows[column * GROUPS + STEP + x];
  let top = lows[rowTile * GROUPS + y];
  let bottom = lows[rowTile * GROUPS + STEP + y];
  let firstColumn = column * SIDE + 4u * x;
  for (var k = 0u; k < shape.rows; k++) {
    var low = top[k & 3u];
    if (k >= 4u) { low = bottom[k & 3u]; }
    let row = rowOf(k, lane);
    offer(first + row, row, firstColumn, nearVector(low, left, products[2u * k]));
    offer(first + row, row, firstColumn + 64u, nearVector(low, right, products[2u * k + 1u]));
  }
}

fn offer(list: u32, row: u32, column: u32, near: vec4f) {
  let limit = limits[row];
  let isNear = near < vec4f(limit);
  if (!any(isNear)) { return; }
  for (var k = 0u; k < 4u; k++) {
    if (!isNear[k]) { continue; }
    let place = atomicAdd(&filled[row], 1u);
    lists[list * params.room + place] = vec2u(column + k, bitcast<u32>(near[k]));
  }
}

// Sorts a list and cuts it. Where a bound is small beside its band, differences give a better one.
fn sortRow(position: u32, list: u32, row: u32, count: u32, lane: u32) {
  let start = list * params.room;
  let sortedStart = list * params.length;
  storageBarrier();
  workgroupBarrier();
  for (var k = lane; k < count; k += 256u) {
    let entry = lists[start + k];
    let near = bitcast<f32>(entry.y);
    if (16.0 * shape.band * (lowOf(position) + lowOf(entry.x)) > near && position != entry.x) {
      lists[start + k].y = bitcast<u32>(max(near, nearByDifferences(position, entry.x)));
    }
  }
  storageBarrier();
  workgroupBarrier();
  for (var k = lane; k < count; k += 256u) {
    let entry = lists[start + k];
    var rank = 0u;
    for (var j = 0u; j < count; j++) {
      let other = lists[start + j];
      rank += select(0u, 1u, other.y < entry.y || (other.y == entry.y && other.x < entry.x));
    }
    if (rank < params.length) { sorted[sortedStart + rank] = entry; }
  }
  storageBarrier();
  workgroupBarrier();
  let kept = min(count, params.length);
  for (var k = lane; k < kept; k += 256u) { lists[start + k] = sorted[sortedStart + k]; }
  storageBarrier();
  workgroupBarrier();
  if (lane == 0u) {
    atomicStore(&filled[row], kept);
    setLimit(row, list, kept);
  }
  workgroupBarrier();
}
