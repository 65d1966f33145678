// Steps of a build beside the sort of a level: its keys before, and its intervals after. Source: Böhm et al. 2009,
// section 6 (fractionated sorting).

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::order::keyOfWord;

struct LevelParams {
  n: u32,
  // Words between the first keys of consecutive points, and the index of the key of this level.
  stride: u32,
  column: u32,
  // Partitions before this level (1, F, F² …), and leaves in each.
  parents: u32,
  parentSpan: u32,
  // The same after this level, and the index of its first interval.
  nodes: u32,
  nodeSpan: u32,
  firstNode: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> pointOrder: array<u32>;
// 64-bit keys, the low word first: key on the level's axis, partition.
@group(0) @binding(2) var<storage, read_write> sortKeys: array<vec2u>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> boundsOut: array<vec2f>;
@group(0) @binding(5) var<uniform> params: LevelParams;

const F32: u32 = 2u;
const KEY_LIMIT: f32 = 0x1p60f;
// An empty node has this interval, farther from every query than any node with points.
const BEYOND: f32 = 0x1p61f;

// The partition of position k: the last that begins at or before k, since empty partitions may begin there, too.
fn partitionOf(k: u32) -> u32 {
  var low = 0u;
  var high = params.parents;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (starts[middle * params.parentSpan] <= k) { low = middle; } else { high = middle; }
  }
  return low;
}

@compute @workgroup_size(256)
fn writeSortKeys(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= params.n) { return; }
  // The first level reads the points in the caller's order.
  if (params.column == 0u) { pointOrder[k] = k; }
  let word = keys[pointOrder[k] * params.stride + params.column];
  sortKeys[k] = vec2u(keyOfWord(word, F32), partitionOf(k));
}

fn keyAt(position: u32) -> f32 {
  let key = bitcast<f32>(keys[pointOrder[position] * params.stride + params.column]);
  return clamp(key, -KEY_LIMIT, KEY_LIMIT);
}

// The points of a node are sorted by its key, so the first and the last are the ends of its interval.
@compute @workgroup_size(256)
fn writeBounds(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let node = workgroupNumber(at) * 256u + lane;
  if (node >= params.nodes) { return; }
  let start = starts[node * params.nodeSpan];
  let end = starts[(node + 1u) * params.nodeSpan];
  var interval = vec2f(BEYOND, -BEYOND);
  if (start < end) { interval = vec2f(keyAt(start), keyAt(end - 1u)); }
  boundsOut[params.firstNode + node] = interval;
}
