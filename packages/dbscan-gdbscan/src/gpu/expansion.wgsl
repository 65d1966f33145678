// Expands a level: the rows of its frontier, one team of invocations per row. Unvisited core neighbours are claimed for
// the next level. A neighbour that another search has visited unites the two searches. Source: Andrade et al. 2013,
// G-DBSCAN, breadth-first search with Fa and Xa.
//
// Invariant: a core point is claimed once, by compare-and-swap, and expanded once, in the next level. So every edge
// between core points is read from both ends. The read from the end that is expanded later finds the other end claimed.
// So no meeting of two searches is missed, and the final sets of searches are the clusters, for every order of
// invocations.

import gpu::dispatch::{Workgroup, workgroupNumber};
import neighbor_graph::rows::{edges, rowRange, rows};
import union_find::gpu::disjointSets::{findRoot, unite};
import package::gpu::search::{NOT_CORE, UNVISITED, frontier, level, search, searchParams, visits};

const WIDTH: u32 = 256u;

// Workgroup memory starts as zero.
var<workgroup> gathered: array<u32, WIDTH>;
var<workgroup> gatheredLength: atomic<u32>;
var<workgroup> claimed: atomic<u32>;

// Claims the point at position j for `root` if it is unvisited. Returns its previous value: UNVISITED if this call
// claimed it.
fn visit(j: u32, root: u32) -> u32 {
  var visitor = atomicLoad(&visits[j]);
  // An exchange may fail spuriously; then the old value is still UNVISITED.
  while (visitor == UNVISITED) {
    let attempt = atomicCompareExchangeWeak(&visits[j], UNVISITED, root);
    if (attempt.exchanged) { return UNVISITED; }
    visitor = attempt.old_value;
  }
  return visitor;
}

// Expands the row of the core point at position i, as one lane of its team. Returns the number of points it claimed.
fn expandRow(i: u32, lane: u32) -> u32 {
  // The root identifies the search as well as its start does, and keeps paths short.
  var root = findRoot(atomicLoad(&visits[i]));
  let range = rowRange(i);
  var found = 0u;
  for (var k = range.x + lane; k < range.y; k += searchParams.team) {
    let j = edges[k];
    let visitor = visit(j, root);
    if (visitor == UNVISITED) {
      found++;
      frontier[j] = level.number + 1u;
    } else if (visitor != NOT_CORE && visitor != root && findRoot(visitor) != root) {
      unite(visitor, root);
      root = findRoot(root);
    }
  }
  return found;
}

// Third dispatch of a round: every workgroup gathers the flagged points among 256.
@compute @workgroup_size(256)
fn expandLevel(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  if (level.length == 0u) { return; }
  let i = workgroupNumber(at) * WIDTH + lane;
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

// Unites the search of the core point at position i with those of the points in its row, as one lane of its team. The
// row holds core points only.
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

// A graph in chunks is never complete on the device. So every core point starts a search, and there is one level, in
// which all edges are meetings.
@compute @workgroup_size(256)
fn expandChunk(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let teams = WIDTH / searchParams.team;
  let first = rows.firstRow + workgroupNumber(at) * WIDTH;
  for (var i = first + lane / searchParams.team; i < min(first + WIDTH, rows.endRow); i += teams) {
    if (atomicLoad(&visits[i]) != NOT_CORE) { joinRow(i, lane % searchParams.team); }
  }
}
