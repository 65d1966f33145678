// Joins groups of modes. All modes of a group are near: within a radius in each domain. Two groups are joined if a mode
// of one is near a mode of the other; the boxes around the modes decide most pairs of groups.
// Groups are numbered by their slots in a grid. Sets only grow, so pairs may be tested in any order.
// Source: Comaniciu and Meer 2002, §4.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::grid::{cellIds, grid, rowCount, rowRange};
import union_find::gpu::disjointSets::{findRoot, parent, unite};
import package::gpu::points::vector::BLOCKS;

struct JoinParams {
  groups: u32,
  modes: u32,
  axes: u32,
  // Bit d: axis d is the last one of its domain.
  ends: u32,
  radius2: f32,
  first: u32,
}

@group(0) @binding(0) var<storage, read> positions: array<vec4f>;
// Mode at each rank in the order of the groups; first rank of each group; group in each slot.
@group(0) @binding(1) var<storage, read> sorted: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> groupOrder: array<u32>;
// By slot: first rank and the rank after the last one; BLOCKS quads of smallest coordinates, and BLOCKS of largest.
@group(0) @binding(4) var<storage, read_write> rangesOut: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> boxesOut: array<vec4f>;
@group(0) @binding(6) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(7) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(8) var<uniform> params: JoinParams;
// By group: a group of its cluster, the same one for all.
@group(0) @binding(9) var<storage, read_write> ownerOf: array<u32>;

// Invocations for a group: a power of two.
override WIDTH: u32 = 32u;

var<workgroup> lows: array<vec4f, WIDTH>;
var<workgroup> highs: array<vec4f, WIDTH>;

// One workgroup for a slot.
@compute @workgroup_size(WIDTH)
fn boxSlots(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let linear = workgroupNumber(at);
  let isOwn = linear < params.groups;
  let slot = min(linear, params.groups - 1u);
  let group = groupOrder[slot];
  let begin = starts[group];
  var end = params.modes;
  if (group + 1u < params.groups) { end = starts[group + 1u]; }
  for (var b = 0u; b < BLOCKS; b++) {
    var low = positions[sorted[begin] * BLOCKS + b];
    var high = low;
    for (var rank = begin + lane; rank < end; rank += WIDTH) {
      let position = positions[sorted[rank] * BLOCKS + b];
      low = min(low, position);
      high = max(high, position);
    }
    lows[lane] = low;
    highs[lane] = high;
    workgroupBarrier();
    for (var width = WIDTH / 2u; width > 0u; width /= 2u) {
      if (lane < width) {
        lows[lane] = min(lows[lane], lows[lane + width]);
        highs[lane] = max(highs[lane], highs[lane + width]);
      }
      workgroupBarrier();
    }
    if (lane == 0u && isOwn) {
      boxesOut[2u * slot * BLOCKS + b] = lows[0];
      boxesOut[(2u * slot + 1u) * BLOCKS + b] = highs[0];
    }
    workgroupBarrier();
  }
  if (lane == 0u && isOwn) {
    rangesOut[slot] = vec2u(begin, end);
    atomicStore(&parent[slot], slot);
  }
}

fn isLast(axis: u32) -> bool { return ((params.ends >> axis) & 1u) == 1u; }

// A box around the modes of a slot; or of one position, a mode. `isSlot` is constant at each call.
fn lowOf(isSlot: bool, k: u32, axis: u32) -> f32 {
  if (isSlot) { return boxes[2u * k * BLOCKS + axis / 4u][axis % 4u]; }
  return positions[k * BLOCKS + axis / 4u][axis % 4u];
}

fn highOf(isSlot: bool, k: u32, axis: u32) -> f32 {
  if (isSlot) { return boxes[(2u * k + 1u) * BLOCKS + axis / 4u][axis % 4u]; }
  return lowOf(false, k, axis);
}

// Whether the gap between two boxes is beyond the radius in some domain.
fn areApart(isSlotA: bool, a: u32, isSlotB: bool, b: u32) -> bool {
  var gap2 = 0.0;
  for (var d = 0u; d < params.axes; d++) {
    let before = lowOf(isSlotA, a, d) - highOf(isSlotB, b, d);
    let gap = max(0.0, max(before, lowOf(isSlotB, b, d) - highOf(isSlotA, a, d)));
    gap2 += gap * gap;
    if (isLast(d)) {
      if (gap2 > params.radius2) { return true; }
      gap2 = 0.0;
    }
  }
  return false;
}

// Whether even opposite corners of two boxes are near.
fn areAllNear(a: u32, b: u32) -> bool {
  var far2 = 0.0;
  for (var d = 0u; d < params.axes; d++) {
    let far = max(highOf(true, a, d) - lowOf(true, b, d), highOf(true, b, d) - lowOf(true, a, d));
    far2 += far * far;
    if (isLast(d)) {
      if (far2 > params.radius2) { return false; }
      far2 = 0.0;
    }
  }
  return true;
}

// Whether a mode of the ranks begin, begin + WIDTH … is near a mode of another slot. Ends early once they are joined.
fn isModeNear(begin: u32, slot: u32, other: u32) -> bool {
  let theirs = ranges[other];
  for (var rank = begin; rank < ranges[slot].y; rank += WIDTH) {
    let i = sorted[rank];
    if (areApart(false, i, true, other)) { continue; }
    if (findRoot(slot) == findRoot(other)) { return false; }
    for (var their = theirs.x; their < theirs.y; their++) {
      if (!areApart(false, i, false, sorted[their])) { return true; }
    }
  }
  return false;
}

// One workgroup for a slot, which it joins to earlier slots. No barriers: invocations may end at any time.
@compute @workgroup_size(WIDTH)
fn joinSlots(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let slot = params.first + workgroupNumber(at);
  if (slot >= params.groups) { return; }
  for (var row = 0u; row < rowCount(); row++) {
    let range = rowRange(cellIds[slot], row);
    for (var other = range.x; other < min(range.y, slot); other++) {
      if (areApart(true, slot, true, other)) { continue; }
      if (areAllNear(slot, other)) {
        if (lane == 0u) { unite(slot, other); }
      } else if (isModeNear(ranges[slot].x + lane, slot, other)) {
        unite(slot, other);
      }
    }
  }
}

@compute @workgroup_size(256)
fn ownGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let slot = workgroupNumber(at) * 256u + lane;
  if (slot >= params.groups) { return; }
  ownerOf[groupOrder[slot]] = groupOrder[findRoot(slot)];
}
