// Expansion of a level: the rows of its frontier, a team of invocations each. Core neighbours that nobody has visited are
// claimed for the next level; a neighbour that another search has visited joins the two searches.
// Source: Andrade et al. 2013, G-DBSCAN, breadth-first search with Fa and Xa.
//
// Invariant: a core point is claimed once, by compare-and-swap, and expanded once, in the level after. So every edge between core points is
// looked at from both ends, from the later one when the other is claimed: no meeting of two searches is missed, and
// their sets in the end are the clusters, whatever the order of invocations.

import gpu::dispatch::linearWorkgroup;
import neighbor_graph::rows::{edges, rowRange, rows};
import union_find::gpu::disjointSets::{findRoot, unite};
import package::gpu::search::{
  HAS_QUEUE, flagForNextLevel, frontier, frontierItem, level, pushForNextLevel, search, searchParams
};
import package::gpu::visits::{NOT_CORE, UNVISITED, visits};

const WIDTH: u32 = 256u;

// Workgroup memory begins as zero.
var<workgroup> gathered: array<u32, WIDTH>;
var<workgroup> gatheredLength: atomic<u32>;
var<workgroup> claimed: atomic<u32>;

// Claims the point at position j for `root` if nobody has it; returns whose it was or is: UNVISITED where it is ours now.
fn visit(j: u32, root: u32) -> u32 {
  var visitor = atomicLoad(&visits[j]);
  // An exchange may fail without a reason; then the old value is still UNVISITED.
  while (visitor == UNVISITED) {
    let attempt = atomicCompareExchangeWeak(&visits[j], UNVISITED, root);
    if (attempt.exchanged) { return UNVISITED; }
    visitor = attempt.old_value;
  }
  return visitor;
}

// Expands the row of the core point at position i, as one lane of its team; returns how many points it claimed.
fn expandRow(i: u32, lane: u32) -> u32 {
  // The root names the search as well as its start does, and leaves short paths.
  var root = findRoot(atomicLoad(&visits[i]));
  let range = rowRange(i);
  var found = 0u;
  for (var k = range.x + lane; k < range.y; k += searchParams.team) {
    let j = edges[k];
    let visitor = visit(j, root);
    if (visitor == UNVISITED) {
      found++;
      if (HAS_QUEUE) { pushForNextLevel(j); } else { flagForNextLevel(j); }
    } else if (visitor != NOT_CORE && visitor != root && findRoot(visitor) != root) {
      unite(visitor, root);
      root = findRoot(root);
    }
  }
  return found;
}

// Third dispatch of a round where the frontier is flags: every workgroup gathers the flagged ones of 256 points.
@compute @workgroup_size(256)
fn expandFlags(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  if (level.length == 0u) { return; }
  let i = linearWorkgroup(groupId, groupCount) * WIDTH + lane;
  if (i < searchParams.n && frontier[i] == level.number) { gathered[atomicAdd(&gatheredLength, 1u)] = i; }
  workgroupBarrier();
  let teams = WIDTH / searchParams.team;
  var found = 0u;
  for (var k = lane / searchParams.team; k < atomicLoad(&gatheredLength); k += teams) {
    found += expandRow(gathered[k], lane % searchParams.team);
  }
  if (found > 0u) { atomicAdd(&claimed, found); }
  workgroupBarrier();
  if (lane == 0u && atomicLoad(&claimed) > 0u) { atomicAdd(&search.nextLength, atomicLoad(&claimed)); }
}

// The same where it is a list: a fixed number of workgroups strides over it.
@compute @workgroup_size(256)
fn expandQueue(@builtin(workgroup_id) groupId: vec3u, @builtin(num_workgroups) groupCount: vec3u, @builtin(local_invocation_index) lane: u32) {
  let teams = WIDTH / searchParams.team;
  for (var k = groupId.x * teams + lane / searchParams.team; k < level.length; k += groupCount.x * teams) {
    _ = expandRow(frontierItem(k), lane % searchParams.team);
  }
}

// Joins the search of the core point at position i with those of the points in its row, as one lane of its team. The row holds core
// points only.
fn joinRow(i: u32, lane: u32) {
  var root = findRoot(i);
  let range = rowRange(i);
  for (var k = range.x + lane; k < range.y; k += searchParams.team) {
    let j = edges[k];
    if (findRoot(j) == root) { continue; }
    unite(j, root);
    root = findRoot(root);
  }
}

// A graph in chunks is never there as a whole, so a search begins at every core point: one level, in which all edges are meetings.
@compute @workgroup_size(256)
fn expandChunk(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let teams = WIDTH / searchParams.team;
  let first = rows.firstRow + linearWorkgroup(groupId, groupCount) * WIDTH;
  for (var i = first + lane / searchParams.team; i < min(first + WIDTH, rows.endRow); i += teams) {
    if (atomicLoad(&visits[i]) != NOT_CORE) { joinRow(i, lane % searchParams.team); }
  }
}
