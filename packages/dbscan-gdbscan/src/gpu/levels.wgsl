// Before a search: all core points unvisited, all frontiers empty. Between two levels: counts the frontier, and starts
// searches if it is short.
//
// The paper runs one search after another, each from the next core point without a cluster. A search of few points
// leaves most of a GPU idle, and thousands of clusters are as many searches. So here many searches run at the same
// time: a level with a short frontier starts one in every block of 256 positions that still has an unvisited core
// point. Searches that meet belong to one cluster (expansion.wgsl). `isSingle` selects the paper's order: a search
// starts when the previous one has ended.

import gpu::dispatch::{Workgroup, workgroupNumber};
import neighbor_graph::rows::degrees;
import union_find::gpu::disjointSets::parent;
import package::gpu::search::{Level, NOT_CORE, UNVISITED, frontier, level, search, searchParams, visits};

const NONE: u32 = 0xffffffffu;
// About how many points are looked at to count the core points.
const SAMPLES: u32 = 8192u;

@group(0) @binding(0) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(1) var<storage, read> positions: array<u32>;
// `level`, writable for the kernel between two levels.
@group(0) @binding(2) var<storage, read_write> nextLevel: Level;
// By search: the smallest index of its core points, for labels.wgsl.
@group(0) @binding(3) var<storage, read_write> firstCore: array<u32>;

@compute @workgroup_size(256)
fn prepareSearch(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= searchParams.n) { return; }
  // The degree does not count the point itself.
  let isCore = degrees[i] + 1u >= searchParams.minPts;
  let stride = max(1u, searchParams.n / SAMPLES);
  if (isCore && i % stride == 0u) { atomicAdd(&search.cores, stride); }
  let visit = select(UNVISITED, i, searchParams.startsEverywhere != 0u);
  atomicStore(&visits[i], select(NOT_CORE, visit, isCore));
  atomicStore(&parent[i], i);
  firstCore[i] = NONE;
  frontier[i] = 0u;
}

// First dispatch of a round, by one invocation.
@compute @workgroup_size(1)
fn beginLevel() {
  if (search.isDone != 0u) { return; }
  nextLevel.number++;
  var length = atomicLoad(&search.nextLength);
  atomicStore(&search.nextLength, 0u);
  if (searchParams.isSingle != 0u && nextLevel.isStarting != 0u) { length += startSingle(); }
  // No point was claimed, although the last round could start a search at every unvisited core point.
  if (length == 0u && nextLevel.isStarting != 0u) { search.isDone = 1u; }
  nextLevel.length = length;
  nextLevel.isStarting = select(0u, 1u, length < searchParams.startBelow && search.isDone == 0u);
  if (length == 0u) { return; }
  search.levels++;
  search.maxFrontier = max(search.maxFrontier, length);
  search.expanded += length;
}

// Starts the search that the last round found. Returns the length of its frontier.
fn startSingle() -> u32 {
  let i = atomicLoad(&search.nextStart);
  atomicStore(&search.nextStart, NONE);
  if (i == NONE) { return 0u; }
  let start = positions[i];
  atomicStore(&visits[start], start);
  atomicAdd(&search.searches, 1u);
  frontier[start] = nextLevel.number;
  return 1u;
}

// NONE minus the smallest key of the block's unvisited points; 0, the initial value, if there are none.
var<workgroup> lowestBelowNone: atomic<u32>;

// Second dispatch of a round: one block of positions per workgroup.
@compute @workgroup_size(256)
fn startSearches(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  if (level.isStarting == 0u) { return; }
  let isSingle = searchParams.isSingle != 0u;
  let i = workgroupNumber(at) * 256u + lane;
  if (i < searchParams.n && atomicLoad(&visits[i]) == UNVISITED) {
    var key = i;
    if (isSingle) { key = pointOrder[i]; }
    atomicMax(&lowestBelowNone, NONE - key);
  }
  workgroupBarrier();
  let lowest = NONE - atomicLoad(&lowestBelowNone);
  if (lowest == NONE) { return; }
  if (isSingle) {
    if (lane == 0u) { atomicMin(&search.nextStart, lowest); }
    return;
  }
  if (lowest != i) { return; }
  atomicStore(&visits[i], i);
  atomicAdd(&search.searches, 1u);
  frontier[i] = level.number + 1u;
  atomicAdd(&search.nextLength, 1u);
}
