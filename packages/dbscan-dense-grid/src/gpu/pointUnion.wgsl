// Unites sets that hold a pair of core points within eps, one invocation per point, for the sets that cellUnion.wgsl
// left pending. One pair joins two sets; sets that are joined already are skipped. The core points of the first set of
// a pair test the pair.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::ballRows::{placeOf, rowAround};
import spatial_grid::gpu::grid::{cellIds, grid, rowCount};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, pointAt};
import union_find::gpu::disjointSets::{findRoot, unite};
import package::gpu::blocks::{IS_BLOCKED, skipFar};
import package::gpu::cells::{HAS_WHOLE_CELLS, endOfSet, isCore, setOf};
import package::gpu::state::{isTooMany, state};

// By cell: 1 = pending. If points are sets of their own, all of them are.
@group(0) @binding(0) var<storage, read> pendingCells: array<u32>;

// FAR, NEAR or, if float32 cannot tell, UNDECIDED: whether a core point in [begin, end) is within eps of `point`.
fn compareWithCores(point: vec4f, begin: u32, end: u32) -> u32 {
  var found = 0u;
  for (var b = begin; b < end && found != NEAR; b++) {
    b = skipFar(point, b, end);
    if (b >= end || (!IS_BLOCKED && isTooMany())) { break; }
    if (!isCore(b)) { continue; }
    let verdict = compareWithEps(point, b);
    // UNDECIDED is above FAR, and NEAR settles it.
    if (verdict == NEAR) { found = NEAR; } else { found = max(found, verdict); }
  }
  return found;
}

@compute @workgroup_size(256)
fn unitePoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let a = workgroupNumber(at) * 256u + lane;
  if (a >= grid.n) { return; }
  let cell = cellIds[a];
  if ((HAS_WHOLE_CELLS && pendingCells[cell] == 0u) || !isCore(a)) { return; }
  let point = pointAt(a);
  let place = placeOf(point, cell);
  let own = setOf(a);
  let behind = endOfSet(a);
  var root = findRoot(own);
  var hasUndecided = false;
  // All rows: those that come before the own one hold no sets behind it, so their ranges end at once.
  for (var row = 0u; row < rowCount(); row++) {
    let range = rowAround(place, row);
    for (var b = max(range.x, behind); b < range.y;) {
      let end = endOfSet(b);
      let other = setOf(b);
      if (findRoot(other) != root) {
        let verdict = compareWithCores(point, b, end);
        if (verdict == NEAR) {
          unite(own, other);
          root = findRoot(own);
        }
        hasUndecided |= verdict == UNDECIDED;
      }
      b = end;
    }
  }
  if (hasUndecided) { state.undecidedPoints[atomicAdd(&state.undecidedUnions, 1u)] = a; }
}
