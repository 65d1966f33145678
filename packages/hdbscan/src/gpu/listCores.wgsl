// Squared core distances from the lists of nearLists.wgsl, exact. Only distances whose bounds leave the rank open are
// decided in software float64. A core distance above the bound of all points outside the list is searched among all.

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::float64::isLess64;
import package::gpu::boxTree::{NONE, UNLIMITED, exactSquared, limitOf, tree};
import package::gpu::tiles::{NOWHERE, farOf, lowOf, nearByDifferences};

struct ListCoreParams {
  rank: u32,
  // The positions of a batch; or, of those that are open, the ones of a step.
  first: u32,
  count: u32,
  // As in nearLists.wgsl; and the entries of a list that are kept.
  length: u32,
  room: u32,
  kept: u32,
}

@group(0) @binding(0) var<uniform> params: ListCoreParams;
@group(0) @binding(1) var<storage, read> lists: array<vec2u>;
@group(0) @binding(2) var<storage, read> held: array<u32>;
// By entry of the sorted lists: the squared distance; 0 where it surely is below the core distance, UNLIMITED above.
@group(0) @binding(3) var<storage, read_write> exact: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> coreOut: array<vec2u>;
// By position, for the rounds: the first entries of a list, and a lower bound of all others.
@group(0) @binding(5) var<storage, read_write> nearOut: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> reachOut: array<f32>;
// The number of positions whose core distance is open, then these.
@group(0) @binding(7) var<storage, read_write> open: array<atomic<u32>>;

fn entryOf(row: u32, k: u32) -> vec2u {
  return lists[row * params.room + k];
}

fn farOfEntry(position: u32, entry: vec2u) -> f32 {
  return farOf(bitcast<f32>(entry.y), lowOf(position) + lowOf(entry.x));
}

@compute @workgroup_size(256)
fn decideClose(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let index = workgroupNumber(at) * 256u + lane;
  let row = index / params.length;
  if (row >= params.count) { return; }
  let k = index % params.length;
  let position = params.first + row;
  var squared = UNLIMITED;
  if (k < held[row]) {
    let entry = entryOf(row, k);
    var most = 0.0;
    for (var j = 0u; j < params.rank; j++) { most = max(most, farOfEntry(position, entryOf(row, j))); }
    let isNearer = farOfEntry(position, entry) < bitcast<f32>(entryOf(row, params.rank - 1u).y);
    if (isNearer) { squared = vec2u(); }
    if (!isNearer && bitcast<f32>(entry.y) <= most) { squared = exactSquared(position, entry.x); }
  }
  exact[index] = squared;
}

@compute @workgroup_size(256)
fn selectCores(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let row = workgroupNumber(at) * 256u + lane;
  if (row >= params.count) { return; }
  let position = params.first + row;
  let count = held[row];
  var core = UNLIMITED;
  // The rank-th smallest: fewer than the rank are below it, and no smaller one has the rank with its equals.
  for (var k = 0u; k < count; k++) {
    let squared = exact[row * params.length + k];
    var upTo = 0u;
    for (var j = 0u; j < count; j++) {
      upTo += select(1u, 0u, isLess64(squared, exact[row * params.length + j]));
    }
    if (upTo >= params.rank && isLess64(squared, core)) { core = squared; }
  }
  coreOut[position] = core;
  for (var k = 0u; k < params.kept; k++) {
    var entry = vec2u(NONE, 0u);
    if (k < count) { entry = entryOf(row, k); }
    nearOut[position * params.kept + k] = entry;
  }
  // A list that is not full has all points.
  let isFull = count == params.length;
  reachOut[position] = NOWHERE;
  if (isFull || count > params.kept) { reachOut[position] = bitcast<f32>(entryOf(row, params.kept - 1u).y); }
  if (isFull && any(core != vec2u()) && limitOf(core) > bitcast<f32>(entryOf(row, count - 1u).y)) {
    atomicStore(&open[1u + atomicAdd(&open[0], 1u)], position);
  }
}

const LANES: u32 = 64u;

var<workgroup> below: atomic<u32>;
var<workgroup> total: u32;
var<workgroup> known: vec2u;
var<workgroup> largest: array<vec2u, LANES>;

// A workgroup a position: as long as at least the rank of points are below what is known, the largest of these is.
@compute @workgroup_size(64)
fn settleCores(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at);
  if (k >= params.count) { return; }
  let position = atomicLoad(&open[1u + params.first + k]);
  if (lane == 0u) { known = coreOut[position]; }
  // Bounded: each turn takes a smaller distance of a pair.
  for (var turn = 0u; turn < tree.n; turn++) {
    if (lane == 0u) { atomicStore(&below, 0u); }
    let core = workgroupUniformLoad(&known);
    let limit = limitOf(core);
    var mine = vec2u();
    for (var q = lane; q < tree.n; q += LANES) {
      if (nearByDifferences(position, q) > limit) { continue; }
      let squared = exactSquared(position, q);
      if (!isLess64(squared, core)) { continue; }
      atomicAdd(&below, 1u);
      if (isLess64(mine, squared)) { mine = squared; }
    }
    largest[lane] = mine;
    workgroupBarrier();
    if (lane == 0u) {
      total = atomicLoad(&below);
      if (total >= params.rank) {
        known = vec2u();
        for (var j = 0u; j < LANES; j++) {
          if (isLess64(known, largest[j])) { known = largest[j]; }
        }
      }
    }
    if (workgroupUniformLoad(&total) < params.rank) { break; }
  }
  if (lane == 0u) { coreOut[position] = known; }
}
