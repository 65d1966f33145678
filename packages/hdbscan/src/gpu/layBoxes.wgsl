// Boxes of the tree, one level a dispatch, from the leaves up.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::boxTree::{FANOUT, LEAF_POINTS, chunksOf, levelSize, nodeExists, nodeOf, relative, tree};

struct LevelParams {
  level: u32,
}

@group(0) @binding(0) var<uniform> params: LevelParams;
@group(0) @binding(1) var<storage, read_write> boxesOut: array<vec4f>;

@compute @workgroup_size(256)
fn layLeafBoxes(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let leaf = workgroupNumber(at) * 256u + lane;
  if (leaf >= levelSize(0u)) { return; }
  let chunks = chunksOf();
  let first = leaf * LEAF_POINTS;
  let end = min(first + LEAF_POINTS, tree.n);
  for (var c = 0u; c < chunks; c++) {
    var low = relative[first * chunks + c];
    var high = low;
    for (var p = first + 1u; p < end; p++) {
      low = min(low, relative[p * chunks + c]);
      high = max(high, relative[p * chunks + c]);
    }
    boxesOut[nodeOf(0u, leaf) * 2u * chunks + c] = low;
    boxesOut[nodeOf(0u, leaf) * 2u * chunks + chunks + c] = high;
  }
}

@compute @workgroup_size(256)
fn layLevelBoxes(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= levelSize(params.level)) { return; }
  let chunks = chunksOf();
  let node = nodeOf(params.level, k);
  let first = nodeOf(params.level - 1u, k * FANOUT);
  var count = 1u;
  while (count < FANOUT && nodeExists(params.level - 1u, k * FANOUT + count)) { count++; }
  for (var c = 0u; c < chunks; c++) {
    var low = boxesOut[first * 2u * chunks + c];
    var high = boxesOut[first * 2u * chunks + chunks + c];
    for (var child = first + 1u; child < first + count; child++) {
      low = min(low, boxesOut[child * 2u * chunks + c]);
      high = max(high, boxesOut[child * 2u * chunks + chunks + c]);
    }
    boxesOut[node * 2u * chunks + c] = low;
    boxesOut[node * 2u * chunks + chunks + c] = high;
  }
}
