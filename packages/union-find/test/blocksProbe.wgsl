// A kernel that imports unite: makes each block of `blockSize` members one set, from its end to its start.

import package::gpu::disjointSets::{findRoot, parent, unite};

struct ProbeParams {
  blockSize: u32,
}

// Result of findRoot right after the member's own unite.
@group(0) @binding(0) var<storage, read_write> roots: array<u32>;
@group(0) @binding(1) var<uniform> params: ProbeParams;

@compute @workgroup_size(64)
fn uniteBlocks(@builtin(global_invocation_id) id: vec3u) {
  let n = arrayLength(&parent);
  if (id.x >= n) { return; }
  let i = n - 1u - id.x;
  if (i % params.blockSize > 0u) { unite(i, i - 1u); }
  roots[i] = findRoot(i);
}
