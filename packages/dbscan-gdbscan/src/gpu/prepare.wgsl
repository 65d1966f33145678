// Prepares the search: all core points unvisited, all frontiers empty.

import gpu::dispatch::linearWorkgroup;
import neighbor_graph::rows::degrees;
import package::gpu::search::{HAS_QUEUE, frontier};
import package::gpu::visits::{NOT_CORE, UNVISITED, visits};

struct PrepareParams {
  n: u32,
  minPts: u32,
  // 1: every core point starts a search.
  startsEverywhere: u32,
}

@group(0) @binding(0) var<uniform> params: PrepareParams;
// By search: the smallest index of its core points.
@group(0) @binding(1) var<storage, read_write> firstCore: array<u32>;

@compute @workgroup_size(256)
fn prepareSearch(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let i = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (i >= params.n) { return; }
  // The degree does not count the point itself.
  let isCore = degrees[i] + 1u >= params.minPts;
  let visit = select(UNVISITED, i, params.startsEverywhere != 0u);
  atomicStore(&visits[i], select(NOT_CORE, visit, isCore));
  firstCore[i] = 0xffffffffu;
  // Levels are numbered from 1.
  if (!HAS_QUEUE) { frontier[i] = 0u; }
}
