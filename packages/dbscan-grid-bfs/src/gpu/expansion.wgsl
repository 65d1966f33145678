// Expansion of clusters, one after the other, by level-synchronous breadth-first search.
// Source: Milanesi, GPU-DBSCAN, §3.6.1 (findNextCore) and §3.6.2 (bfsExpand).
//
// A round is three dispatches. `advance` (one workgroup) swaps the frontiers, finds the next core point when a cluster
// is complete, and expands small frontiers itself, level after level. `expandFrontier` (indirect) expands a large one.
// `expandExactly` (indirect, exactExpansion.wgsl) runs when the frontier is empty but points with undecided pairs are
// listed. So the host can record many rounds and look at `search` once.
//
// Invariant: clusters are expanded in the order of their smallest core point, one at a time, so the first claim of a
// border point is the lowest label among its neighbours, whatever the order of threads.

import gpu::dispatch::linearWorkgroup;
import gpu_primitives::frontier::{frontierItem, frontierState, pushFrontier, requestGroups, swapFrontier};
import spatial_grid::gpu::grid::{cellIds, grid, rowCount, rowRange};
import spatial_grid::gpu::neighbourhood::{NEAR, UNDECIDED, compareWithEps, pointAt};
import package::gpu::claim::{claim, labels};
import package::gpu::labels::{CORE, IS_LISTED, UNCLAIMED, isUnclaimed};
import package::gpu::search::{listUndecided, requestExactGroups, search};

// Position of each point.
@group(0) @binding(2) var<storage, read> positions: array<u32>;

// Invocations that share the candidates of one frontier point; divides 256.
override TEAM: u32 = 32u;
// Frontiers up to this length are expanded by `advance`.
override SMALL_FRONTIER: u32 = 32u;

const WIDTH: u32 = 256u;
const NONE: u32 = 0xffffffffu;
// Bounds of one dispatch of `advance`, so that no watchdog bites: levels, and windows of points searched.
const MAX_LEVELS: u32 = 256u;
const MAX_WINDOWS: u32 = 512u;
const WINDOW_ITEMS: u32 = 8u;

// Claims the free neighbours of the core point at position a, as one lane of its team.
fn expandPoint(a: u32, lane: u32) {
  let point = pointAt(a);
  let cell = cellIds[a];
  var hasUndecided = false;
  // 2. candidates in the cells around
  for (var row = 0u; row < rowCount(); row++) {
    let range = rowRange(cell, row);
    for (var b = range.x + lane; b < range.y; b += TEAM) {
      let label = atomicLoad(&labels[b]);
      if (isUnclaimed(label)) {
        let verdict = compareWithEps(point, b);
        if (verdict == NEAR) { claim(b, label); }
        hasUndecided |= verdict == UNDECIDED;
      }
    }
  }
  if (hasUndecided && (atomicOr(&labels[a], IS_LISTED) & IS_LISTED) == 0u) { listUndecided(a); }
}

@compute @workgroup_size(256)
fn expandFrontier(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  // 1. all points of the frontier at once, a team each
  let k = linearWorkgroup(groupId, groupCount) * (WIDTH / TEAM) + lane / TEAM;
  if (k < frontierState.length) { expandPoint(frontierItem(k), lane % TEAM); }
}

var<workgroup> lowest: atomic<u32>;
var<workgroup> found: u32;
var<workgroup> frontierLength: u32;
var<workgroup> windowStart: u32;

// The smallest index ≥ startIndex of an unclaimed core point, or NONE: a reduction over one window of points after
// another. Leaves startIndex behind what it has seen.
fn findNextCore(lane: u32) -> u32 {
  if (lane == 0u) { windowStart = search.startIndex; }
  var start = workgroupUniformLoad(&windowStart);
  var next = NONE;
  for (var w = 0u; w < MAX_WINDOWS && start < grid.length && next == NONE; w++) {
    if (lane == 0u) { atomicStore(&lowest, NONE); }
    workgroupBarrier();
    for (var k = 0u; k < WINDOW_ITEMS; k++) {
      let i = start + k * WIDTH + lane;
      if (i < grid.length && atomicLoad(&labels[positions[i]]) == (CORE | UNCLAIMED)) {
        atomicMin(&lowest, i);
        break;
      }
    }
    workgroupBarrier();
    if (lane == 0u) { found = atomicLoad(&lowest); }
    next = workgroupUniformLoad(&found);
    start = select(next + 1u, start + WINDOW_ITEMS * WIDTH, next == NONE);
  }
  if (lane == 0u) { search.startIndex = start; }
  return next;
}

// By one invocation: a new cluster with core point `i` as its whole frontier.
fn beginCluster(i: u32) {
  search.cluster++;
  let root = positions[i];
  atomicStore(&labels[root], CORE | search.cluster);
  pushFrontier(root);
  swapFrontier();
}

// By one invocation: whether listed points wait to be expanded exactly; then asks for it.
fn requestExactExpansion() -> bool {
  let listed = atomicLoad(&search.undecidedLength);
  if (listed == 0u) { return false; }
  search.isExactPending = 1u;
  requestExactGroups((listed * TEAM + WIDTH - 1u) / WIDTH);
  return true;
}

// By one invocation, first of all: what the last round asked for is done.
fn beginRound() {
  requestGroups(0u);
  requestExactGroups(0u);
  if (search.isExactPending != 0u) {
    search.isExactPending = 0u;
    atomicStore(&search.undecidedLength, 0u);
  }
}

// By one invocation: makes the filled frontier current; returns its length, or NONE if the round is to end.
fn nextLevel() -> u32 {
  swapFrontier();
  if (frontierState.length == 0u && requestExactExpansion()) { return NONE; }
  return frontierState.length;
}

@compute @workgroup_size(256)
fn advance(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    beginRound();
    found = search.isDone;
  }
  if (workgroupUniformLoad(&found) != 0u) { return; }
  for (var level = 0u; level < MAX_LEVELS; level++) {
    if (lane == 0u) { frontierLength = nextLevel(); }
    var length = workgroupUniformLoad(&frontierLength);
    if (length == NONE) { return; }
    if (length == 0u) {
      let next = findNextCore(lane);
      if (next == NONE) {
        if (lane == 0u && search.startIndex >= grid.length) { search.isDone = 1u; }
        return;
      }
      if (lane == 0u) { beginCluster(next); }
      length = 1u;
    }
    if (lane == 0u) {
      search.levels++;
      search.maxFrontier = max(search.maxFrontier, length);
      if (length > SMALL_FRONTIER) { requestGroups((length * TEAM + WIDTH - 1u) / WIDTH); }
    }
    if (length > SMALL_FRONTIER) { return; }
    storageBarrier();
    for (var k = lane / TEAM; k < length; k += WIDTH / TEAM) { expandPoint(frontierItem(k), lane % TEAM); }
    storageBarrier();
  }
}
