// Expands clusters one after the other, by level-synchronous breadth-first search.
//
// A round is two dispatches. `advance` (one workgroup) swaps the frontiers, finds the next core point when a cluster is
// complete, and expands small frontiers itself, level after level. `expandFrontier` expands a large frontier: a fixed
// number of workgroups shares it, so rounds need neither the host nor indirect arguments. If the frontier is empty but
// points with undecided pairs are listed, `advance` requests `expandExactly`, which the host records every few rounds,
// and returns.
//
// Invariant: clusters are expanded one at a time, in the order of their smallest core point. So the first claim of a
// border point gives it the lowest label among its neighbours, for every order of threads.
//
// Source: Milanesi, GPU-DBSCAN, §3.6.1 (findNextCore) and §3.6.2 (bfsExpand).

import gpu::dispatch::Workgroup;
import gpu_primitives::frontier::{frontier, frontierItem, pushFrontier, swapFrontier};
import spatial_grid::gpu::exactNeighborhood::areNeighbors;
import spatial_grid::gpu::grid::{cellIds, grid, rowCount, rowRange};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, pointAt};
import package::gpu::search::{
  ASKED, CORE, FINISHED, IS_LISTED, NOT_ASKED, UNCLAIMED, currentCluster, isUnclaimed, listUndecided, search
};

@group(0) @binding(0) var<storage, read_write> labels: array<atomic<u32>>;
// Position of each point.
@group(0) @binding(2) var<storage, read> positions: array<u32>;

const WIDTH: u32 = 256u;
// Smaller in `expandExactly`: the list is usually short, and software float64 takes long.
const EXACT_WIDTH: u32 = 64u;
const NONE: u32 = 0xffffffffu;
// Maximum number of invocations (team size times points) of a frontier that `advance` expands. All workgroups expand a
// larger one.
const SMALL_FRONTIER_LANES: u32 = 1024u;
// Bounds of one dispatch of `advance`, because drivers stop long dispatches: levels, candidates in the rows of one
// invocation, and windows of points searched at a time.
const MAX_LEVELS: u32 = 256u;
const MAX_CANDIDATES: u32 = 1048576u;
const MAX_WINDOWS: u32 = 512u;
const WINDOW_ITEMS: u32 = 8u;

// Claims the point at position b, whose unclaimed label was `label`, for the cluster that is being expanded. If the
// swap fails, another invocation has claimed the point for the same cluster.
fn claim(b: u32, label: u32) {
  let claimed = (label & CORE) | currentCluster();
  loop {
    // 3. atomicCAS
    let attempt = atomicCompareExchangeWeak(&labels[b], label, claimed);
    if (attempt.exchanged) {
      // 4. only core points enter the next frontier
      if ((label & CORE) != 0u) { pushFrontier(b); }
      return;
    }
    // The swap may fail spuriously; then the old value is still unclaimed.
    if (attempt.old_value != label) { return; }
  }
}

// The share of a lane of a team in the candidates of a point: rows firstRow, firstRow + rowStep, …; in each, candidates
// firstPlace, firstPlace + placeStep, …. All rows are read at the same time.
struct TeamShare {
  firstRow: u32,
  rowStep: u32,
  firstPlace: u32,
  placeStep: u32,
}

fn teamShare(lane: u32, team: u32) -> TeamShare {
  let rows = rowCount();
  if (team < rows) { return TeamShare(lane, team, 0u, 1u); }
  let placeStep = team / rows;
  let firstPlace = lane / rows;
  // If the number of rows does not divide the team size, the last lanes have no candidates.
  return TeamShare(select(rows, lane % rows, firstPlace < placeStep), rows, firstPlace, placeStep);
}

// Claims the unclaimed neighbours of the core point at position a, as one lane of its team. Returns the number of
// candidates in this lane's rows.
fn expandPoint(a: u32, lane: u32) -> u32 {
  let point = pointAt(a);
  let cell = cellIds[a];
  let share = teamShare(lane, search.team);
  var hasUndecided = false;
  var candidates = 0u;
  // 2. candidates in the cells around
  for (var row = share.firstRow; row < rowCount(); row += share.rowStep) {
    let range = rowRange(cell, row);
    candidates += range.y - range.x;
    for (var b = range.x + share.firstPlace; b < range.y; b += share.placeStep) {
      let label = atomicLoad(&labels[b]);
      if (isUnclaimed(label)) {
        let verdict = compareWithEps(point, b);
        if (verdict == NEAR) { claim(b, label); }
        hasUndecided |= verdict == UNDECIDED;
      }
    }
  }
  if (hasUndecided && (atomicOr(&labels[a], IS_LISTED) & IS_LISTED) == 0u) { listUndecided(a); }
  return candidates;
}

@compute @workgroup_size(256)
fn expandFrontier(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  // 1. all points of the frontier in parallel, one team per point
  let teams = WIDTH / search.team;
  for (var k = at.id.x * teams + lane / search.team; k < search.largeLength; k += at.count.x * teams) {
    _ = expandPoint(frontierItem(k), lane % search.team);
  }
}

var<workgroup> lowest: atomic<u32>;
var<workgroup> found: u32;
var<workgroup> frontierLength: u32;
var<workgroup> windowStart: u32;
var<workgroup> teamSize: u32;

// Returns the smallest index ≥ startIndex of an unclaimed core point, or NONE: a reduction over windows of points.
// Advances startIndex beyond the points it has tested.
fn findNextCore(lane: u32) -> u32 {
  if (lane == 0u) { windowStart = search.startIndex; }
  var start = workgroupUniformLoad(&windowStart);
  var next = NONE;
  for (var w = 0u; w < MAX_WINDOWS && start < grid.n && next == NONE; w++) {
    if (lane == 0u) { atomicStore(&lowest, NONE); }
    workgroupBarrier();
    for (var k = 0u; k < WINDOW_ITEMS; k++) {
      let i = start + k * WIDTH + lane;
      if (i < grid.n && atomicLoad(&labels[positions[i]]) == (CORE | UNCLAIMED)) {
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

// Called by one invocation: starts a cluster whose frontier is core point `i`.
fn beginCluster(i: u32) {
  search.clusters++;
  let root = positions[i];
  atomicStore(&labels[root], CORE | currentCluster());
  pushFrontier(root);
  swapFrontier();
}

// Called by one invocation at the start of a round: resets the state of the previous round. Returns whether there is
// work.
fn beginRound() -> bool {
  search.largeLength = 0u;
  if (search.exactState == FINISHED) {
    search.exactState = NOT_ASKED;
    atomicStore(&search.undecidedLength, 0u);
  }
  return search.isDone == 0u && search.exactState == NOT_ASKED;
}

// Called by one invocation: makes the next frontier the current one. Returns its length, or NONE if this dispatch has
// done enough work or exact work must come first.
fn nextLevel(candidates: u32) -> u32 {
  if (candidates > MAX_CANDIDATES) { return NONE; }
  swapFrontier();
  if (frontier.length == 0u && atomicLoad(&search.undecidedLength) > 0u) {
    search.exactState = ASKED;
    return NONE;
  }
  return frontier.length;
}

@compute @workgroup_size(256)
fn advance(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    found = select(0u, 1u, beginRound());
    teamSize = search.team;
  }
  if (workgroupUniformLoad(&found) == 0u) { return; }
  let team = workgroupUniformLoad(&teamSize);
  // Counted by lane 0, whose rows hold the most candidates.
  var candidates = 0u;
  for (var level = 0u; level < MAX_LEVELS; level++) {
    if (lane == 0u) { frontierLength = nextLevel(candidates); }
    var length = workgroupUniformLoad(&frontierLength);
    if (length == NONE) { return; }
    if (length == 0u) {
      let next = findNextCore(lane);
      if (next == NONE) {
        if (lane == 0u && search.startIndex >= grid.n) { search.isDone = 1u; }
        return;
      }
      if (lane == 0u) { beginCluster(next); }
      length = 1u;
    }
    let isLarge = length > SMALL_FRONTIER_LANES / team;
    if (lane == 0u) {
      search.levels++;
      search.maxFrontier = max(search.maxFrontier, length);
      search.expanded += length;
      search.largeLength = select(0u, length, isLarge);
    }
    storageBarrier();
    if (isLarge) { return; }
    for (var k = lane / team; k < length; k += WIDTH / team) {
      candidates += expandPoint(frontierItem(k), lane % team);
    }
    storageBarrier();
  }
}

// Expands the listed points again, with software float64 for the pairs that float32 cannot decide.
@compute @workgroup_size(64)
fn expandExactly(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  if (search.exactState != ASKED) { return; }
  let team = min(search.team, EXACT_WIDTH);
  let teams = EXACT_WIDTH / team;
  let length = atomicLoad(&search.undecidedLength);
  let share = teamShare(lane % team, team);
  for (var k = at.id.x * teams + lane / team; k < length; k += at.count.x * teams) {
    let a = search.undecidedPoints[k];
    let point = pointAt(a);
    let cell = cellIds[a];
    for (var row = share.firstRow; row < rowCount(); row += share.rowStep) {
      let range = rowRange(cell, row);
      for (var b = range.x + share.firstPlace; b < range.y; b += share.placeStep) {
        let label = atomicLoad(&labels[b]);
        if (isUnclaimed(label) && areNeighbors(point, a, b)) { claim(b, label); }
      }
    }
  }
}

// Called by one invocation, in a dispatch of its own, because invocations of expandExactly read the state.
@compute @workgroup_size(1)
fn finishExactly() {
  if (search.exactState == ASKED) { search.exactState = FINISHED; }
}
