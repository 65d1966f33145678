// Groups of modes: the key of each mode's small cell; with modes sorted by key, the mean and the first mode of each
// group; and the label of each mode once the groups are merged.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::points::vector::BLOCKS;

struct KeyParams {
  count: u32,
  axes: u32,
  // Cells in a device unit.
  scale: f32,
  // Of each axis: smallest coordinate, first bit of the key, and largest index.
  origin: array<vec4f, 4>,
  shift: array<vec4u, 4>,
  largest: array<vec4u, 4>,
}

struct GroupParams {
  groups: u32,
  count: u32,
}

@group(0) @binding(0) var<storage, read> positions: array<vec4f>;
// Two words a key, the low one first.
@group(0) @binding(1) var<storage, read_write> keys: array<vec2u>;
@group(0) @binding(2) var<uniform> keyParams: KeyParams;

// Index of the mode at each rank in the order of the keys.
@group(0) @binding(3) var<storage, read> sorted: array<u32>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(8) var<storage, read_write> firstPoints: array<u32>;
@group(0) @binding(9) var<uniform> groupParams: GroupParams;
// BLOCKS quads for each group: its mean.
@group(0) @binding(12) var<storage, read_write> means: array<vec4f>;
@group(0) @binding(10) var<storage, read> clusterOf: array<u32>;
@group(0) @binding(11) var<storage, read_write> labels: array<u32>;

// Invocations for a group: a power of two.
override WIDTH: u32 = 64u;

var<workgroup> partSums: array<vec4f, WIDTH>;
var<workgroup> partFirsts: array<u32, WIDTH>;

@compute @workgroup_size(256)
fn writeKeys(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= keyParams.count) { return; }
  var key = vec2u();
  for (var d = 0u; d < keyParams.axes; d++) {
    let x = positions[k * BLOCKS + d / 4u][d % 4u];
    // Rounding may put a mean slightly outside the box of the points.
    let cell = max(0.0, (x - keyParams.origin[d / 4u][d % 4u]) * keyParams.scale);
    let index = min(u32(cell), keyParams.largest[d / 4u][d % 4u]);
    let shift = keyParams.shift[d / 4u][d % 4u];
    if (shift < 32u) { key.x |= index << shift; }
    if (shift > 0u && shift < 32u) { key.y |= index >> (32u - shift); }
    if (shift >= 32u) { key.y |= index << (shift - 32u); }
  }
  keys[k] = key;
}

fn endOf(group: u32) -> u32 {
  if (group + 1u == groupParams.groups) { return groupParams.count; }
  return starts[group + 1u];
}

// Partial sums of so many terms: rounding grows with the number of partial sums, not of terms.
const TERMS: u32 = 64u;

// One workgroup for a group, in a fixed order. Differences from the group's first mode are summed: they are short.
@compute @workgroup_size(WIDTH)
fn meanGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let linear = workgroupNumber(at);
  let isOwn = linear < groupParams.groups;
  let group = min(linear, groupParams.groups - 1u);
  let begin = starts[group];
  let end = endOf(group);
  let first = sorted[begin];
  for (var b = 0u; b < BLOCKS; b++) {
    let origin = positions[first * BLOCKS + b];
    var sum = vec4f();
    var least = 0xffffffffu;
    for (var start = begin + lane; start < end; start += TERMS * WIDTH) {
      var few = vec4f();
      for (var rank = start; rank < min(start + TERMS * WIDTH, end); rank += WIDTH) {
        let k = sorted[rank];
        few += positions[k * BLOCKS + b] - origin;
        least = min(least, pointOrder[k]);
      }
      sum += few;
    }
    partSums[lane] = sum;
    partFirsts[lane] = least;
    workgroupBarrier();
    for (var width = WIDTH / 2u; width > 0u; width /= 2u) {
      if (lane < width) {
        partSums[lane] += partSums[lane + width];
        partFirsts[lane] = min(partFirsts[lane], partFirsts[lane + width]);
      }
      workgroupBarrier();
    }
    if (lane == 0u && isOwn) {
      means[group * BLOCKS + b] = origin + partSums[0] / f32(end - begin);
      firstPoints[group] = partFirsts[0];
    }
    workgroupBarrier();
  }
}

@compute @workgroup_size(WIDTH)
fn labelGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  if (group >= groupParams.groups) { return; }
  let end = endOf(group);
  for (var rank = starts[group] + lane; rank < end; rank += WIDTH) {
    labels[pointOrder[sorted[rank]]] = clusterOf[group];
  }
}
