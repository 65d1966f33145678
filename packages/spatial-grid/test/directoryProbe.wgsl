// Candidates of every position, one bit each, by a test of each leaf.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::quantile::directory::{directory, keyOn, leafStart, nodeBounds};

struct ProbeParams {
  n: u32,
}

@group(0) @binding(0) var<uniform> params: ProbeParams;
@group(0) @binding(1) var<storage, read_write> marked: array<u32>;

// Squared distance from the point at a position to the rectangle of a leaf.
fn gap2Of(position: u32, leaf: u32) -> f32 {
  var gap2 = 0.0;
  var node = leaf;
  for (var level = directory.levels; level > 0u; level--) {
    let interval = nodeBounds(level - 1u, node);
    let key = keyOn(level - 1u, position);
    let gap = max(max(interval.x - key, key - interval.y), 0.0);
    gap2 += gap * gap;
    node /= directory.fanout;
  }
  return gap2;
}

@compute @workgroup_size(64)
fn markCandidates(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let position = workgroupNumber(at) * 64u + lane;
  if (position >= params.n) { return; }
  let row = position * ((params.n + 31u) / 32u);
  for (var leaf = 0u; leaf < directory.leaves; leaf++) {
    if (gap2Of(position, leaf) > directory.limit2) { continue; }
    for (var k = leafStart(leaf); k < leafStart(leaf + 1u); k++) { marked[row + k / 32u] |= 1u << (k % 32u); }
  }
}
