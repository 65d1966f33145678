// Candidates of every position, one bit each, by both kinds of search: the walk of one invocation, and the test of each
// leaf.

import gpu::dispatch::linearWorkgroup;
import package::gpu::directory::{DIRECTORY_LEVELS, directory, keysAt, leafCount, mayHold};
import package::gpu::directory::{nextCandidates, nodeGap2, nodeRange};

@group(0) @binding(0) var<storage, read_write> walked: array<u32>;
@group(0) @binding(1) var<storage, read_write> tested: array<u32>;

fn wordsOfRow() -> u32 {
  return (directory.n + 31u) / 32u;
}

@compute @workgroup_size(64)
fn markCandidates(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let position = linearWorkgroup(groupId, groupCount) * 64u + lane;
  if (position >= directory.n) { return; }
  let row = position * wordsOfRow();
  let keys = keysAt(position);
  var leaf = 0u;
  // Each step goes on by a leaf at least.
  for (var step = 0u; step <= leafCount(); step++) {
    if (leaf >= leafCount()) { break; }
    let run = nextCandidates(leaf, keys);
    for (var k = run.x; k < run.y; k++) { walked[row + k / 32u] |= 1u << (k % 32u); }
    leaf = run.z;
  }
  for (var c = 0u; c < leafCount(); c++) {
    if (!mayHold(nodeGap2(DIRECTORY_LEVELS - 1u, c, keys))) { continue; }
    let range = nodeRange(DIRECTORY_LEVELS - 1u, c);
    for (var k = range.x; k < range.y; k++) { tested[row + k / 32u] |= 1u << (k % 32u); }
  }
}
