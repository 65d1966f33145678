// What happens between two levels: the frontier swaps, and searches start where it has run short.
//
// The paper runs one search after another, each from the next core point without a cluster. A search of few points leaves a
// GPU idle, and thousands of clusters are as many searches, so many searches run at the same time here: a level whose frontier is short
// starts one in every block of 256 positions that still has an unvisited core point. Searches that meet belong to one cluster
// (expansion.wgsl). With `isSingle` it is the paper's order: a search starts when the one before has ended.

import gpu::dispatch::linearWorkgroup;
import package::gpu::search::{HAS_QUEUE, flagForNextLevel, frontier, pushForNextLevel, search};
import package::gpu::visits::{UNVISITED, visits};

const NONE: u32 = 0xffffffffu;

@group(0) @binding(0) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(1) var<storage, read> positions: array<u32>;

// First dispatch of a round, by one invocation.
@compute @workgroup_size(1)
fn beginLevel() {
  if (search.isDone != 0u) { return; }
  search.level++;
  var length = atomicLoad(&search.nextLength);
  atomicStore(&search.nextLength, 0u);
  if (search.isSingle != 0u && search.isStarting != 0u) { length += startSingle(); }
  // Nobody was claimed, although every unvisited core point had its chance to start.
  if (length == 0u && search.isStarting != 0u) { search.isDone = 1u; }
  search.frontierLength = length;
  search.isStarting = select(0u, 1u, length < search.startBelow && search.isDone == 0u);
  if (length == 0u) { return; }
  search.levels++;
  search.maxFrontier = max(search.maxFrontier, length);
  search.expanded += length;
}

// Begins the search that the last round found; returns the length of its frontier.
fn startSingle() -> u32 {
  let i = atomicLoad(&search.nextStart);
  atomicStore(&search.nextStart, NONE);
  if (i == NONE) { return 0u; }
  let start = positions[i];
  atomicStore(&visits[start], start);
  atomicAdd(&search.searches, 1u);
  frontier[select(start, (search.level & 1u) * search.n, HAS_QUEUE)] = select(search.level, start, HAS_QUEUE);
  return 1u;
}

var<workgroup> isStarting: u32;
var<workgroup> lowest: atomic<u32>;

// Second dispatch: a block of positions each.
@compute @workgroup_size(256)
fn startSearches(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  if (lane == 0u) {
    isStarting = search.isStarting;
    atomicStore(&lowest, NONE);
  }
  if (workgroupUniformLoad(&isStarting) == 0u) { return; }
  let i = linearWorkgroup(groupId, groupCount) * 256u + lane;
  let isFree = i < search.n && atomicLoad(&visits[min(i, search.n - 1u)]) == UNVISITED;
  if (isFree) { atomicMin(&lowest, select(i, pointOrder[i], search.isSingle != 0u)); }
  workgroupBarrier();
  let found = atomicLoad(&lowest);
  if (found == NONE) { return; }
  if (search.isSingle != 0u) {
    if (lane == 0u) { atomicMin(&search.nextStart, found); }
    return;
  }
  if (found != i) { return; }
  atomicStore(&visits[i], i);
  atomicAdd(&search.searches, 1u);
  if (HAS_QUEUE) {
    pushForNextLevel(i);
  } else {
    flagForNextLevel(i);
    atomicAdd(&search.nextLength, 1u);
  }
}
