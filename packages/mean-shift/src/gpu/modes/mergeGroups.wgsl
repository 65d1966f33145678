// Merges groups of modes to clusters. The host takes groups from the largest to the smallest, and
// a group without a cluster centre within a bandwidth becomes a centre. The same rule, for each group alone once its
// larger neighbours are settled: it is absorbed if a neighbour is a centre, and a centre if all larger neighbours are
// absorbed. Every open group is tested, round after round, until none is open.
// Invariant: a state changes once, from OPEN, and only when no larger neighbour is OPEN. So a round may read states of
// the same round or of the one before: the outcome is the same, and equal to the host's.
// Source: Luby 1986 (independent sets in parallel), with given priorities.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::grid::{cellIds, grid, rowCount, rowRange};
import package::gpu::points::vector::BLOCKS;

struct MergeParams {
  count: u32,
  radius2: f32,
  word: u32,
}

// By slot in the grid of groups: mean; number of modes and first mode.
@group(0) @binding(0) var<storage, read> means: array<vec4f>;
@group(0) @binding(1) var<storage, read> ranks: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> openCounts: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> params: MergeParams;
// Group in each slot; for each group the group that is the centre of its cluster.
@group(0) @binding(5) var<storage, read> groupOrder: array<u32>;
@group(0) @binding(6) var<storage, read_write> centerOf: array<u32>;
// By group; gathered to `ranksOut`.
@group(0) @binding(7) var<storage, read> groupSizes: array<u32>;
@group(0) @binding(8) var<storage, read> groupFirsts: array<u32>;
@group(0) @binding(9) var<storage, read_write> ranksOut: array<vec2u>;

const OPEN: u32 = 0u;
const CENTER: u32 = 1u;
const ABSORBED: u32 = 2u;

@compute @workgroup_size(256)
fn gatherGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= params.count) { return; }
  let group = groupOrder[k];
  ranksOut[k] = vec2u(groupSizes[group], groupFirsts[group]);
  atomicStore(&states[k], OPEN);
}

fn squaredDistance(a: u32, b: u32) -> f32 {
  var sum = 0.0;
  for (var q = 0u; q < BLOCKS; q++) {
    let delta = means[a * BLOCKS + q] - means[b * BLOCKS + q];
    sum += dot(delta, delta);
  }
  return sum;
}

// Whether group a comes before group b: more modes, or as many and an earlier first mode.
fn isBefore(a: u32, b: u32) -> bool {
  if (ranks[a].x != ranks[b].x) { return ranks[a].x > ranks[b].x; }
  return ranks[a].y < ranks[b].y;
}

fn settled(k: u32) -> u32 {
  let cell = cellIds[k];
  var state = CENTER;
  for (var row = 0u; row < rowCount() && state != ABSORBED; row++) {
    let range = rowRange(cell, row);
    for (var other = range.x; other < range.y; other++) {
      if (other == k || squaredDistance(k, other) > params.radius2) { continue; }
      let otherState = atomicLoad(&states[other]);
      if (otherState == CENTER) { state = ABSORBED; break; }
      if (otherState == OPEN && isBefore(other, k)) { state = OPEN; }
    }
  }
  return state;
}

@compute @workgroup_size(256)
fn settleGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= params.count || atomicLoad(&states[k]) != OPEN) { return; }
  let state = settled(k);
  if (state == OPEN) { atomicAdd(&openCounts[params.word], 1u); } else { atomicStore(&states[k], state); }
}

// The nearest centre of every group; of several nearest ones the largest.
@compute @workgroup_size(256)
fn assignCenters(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= params.count) { return; }
  let cell = cellIds[k];
  var nearest = k;
  var least = params.radius2;
  var isFound = false;
  for (var row = 0u; row < rowCount(); row++) {
    let range = rowRange(cell, row);
    for (var other = range.x; other < range.y; other++) {
      if (atomicLoad(&states[other]) != CENTER) { continue; }
      let d2 = squaredDistance(k, other);
      if (d2 > least || (d2 == least && isFound && !isBefore(other, nearest))) { continue; }
      nearest = other;
      least = d2;
      isFound = true;
    }
  }
  centerOf[groupOrder[k]] = groupOrder[nearest];
}
