// Labels contested border points, when clusters are final: each gets the lowest label among its core neighbours. The
// label of any other border point is already known, because its core neighbours have one identity. One pass serves
// several points, as in the expansion.

import gpu::dispatch::Workgroup;
import package::gpu::candidates::{collectCandidates, groupCount, loadSeedKeys, rangeCount, ranges, teamsFor};
import package::gpu::exactPairs::areNeighbors;
import package::gpu::points::{
  MAX_MAGNITUDE, farBits, isAnyWithin, loadSeeds, nearBits, seeds, squaredDistances
};
import package::gpu::run::{NONE, SEEDS, WIDTH, run};
import package::gpu::search::search;
import package::gpu::states::{CORE, states};

// Whether to process only the points with undecided pairs, in software float64.
override IS_EXACT: bool = false;

@group(0) @binding(0) var<storage, read> pointOrder: array<u32>;
// Labels, then the list of contested points, as clusters.wgsl writes them.
@group(0) @binding(1) var<storage, read_write> labels: array<u32>;

struct BorderSlice {
  first: u32,
  end: u32,
}

@group(0) @binding(2) var<uniform> slice: BorderSlice;

var<workgroup> listLength: u32;
// By seed: the lowest label found, and whether an undecided pair might lower it.
var<workgroup> best: array<atomic<u32>, SEEDS>;
var<workgroup> isOpen: array<atomic<u32>, SEEDS>;

fn indexOf(position: u32) -> u32 {
  if (run.isOrdered == 0u) { return position; }
  return pointOrder[position];
}

fn itemAt(k: u32) -> u32 {
  // Contested points with undecided pairs take the words of identities, which are not used any more.
  if (IS_EXACT) { return atomicLoad(&states[run.n + k]); }
  return labels[run.n + k];
}

fn compareWithSeeds(b: u32, count: u32, isExactOnly: bool) {
  let d2 = squaredDistances(b);
  if (!isExactOnly && !isAnyWithin(d2, run.sureAbove)) { return; }
  if ((atomicLoad(&states[b]) & CORE) == 0u) { return; }
  let near = select(nearBits(d2), 0u, isExactOnly);
  var left = select(~farBits(d2), NONE, isExactOnly) & ((1u << count) - 1u);
  for (; left != 0u; left &= left - 1u) {
    let s = firstTrailingBit(left);
    if ((near & (1u << s)) == 0u) {
      atomicStore(&isOpen[s], 1u);
      if (!IS_EXACT) { continue; }
      if (!areNeighbors(seeds[s], b)) { continue; }
    }
    atomicMin(&best[s], labels[indexOf(b)]);
  }
}

fn compareCandidates(count: u32, lane: u32) {
  let isExactOnly = run.isExactOnly != 0u || atomicLoad(&search.magnitude) > MAX_MAGNITUDE;
  for (var first = 0u; first < groupCount(); first += WIDTH) {
    if (lane == 0u) { atomicStore(&rangeCount, 0u); }
    workgroupBarrier();
    collectCandidates(first, lane);
    workgroupBarrier();
    let rangesNow = atomicLoad(&rangeCount);
    let teams = teamsFor(rangesNow);
    let step = WIDTH / teams;
    for (var r = lane / step; r < rangesNow; r += teams) {
      for (var b = ranges[r].x + lane % step; b < ranges[r].y; b += step) { compareWithSeeds(b, count, isExactOnly); }
    }
    workgroupBarrier();
  }
}

@compute @workgroup_size(WIDTH)
fn labelBorders(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    listLength = min(select(atomicLoad(&search.contestedLength), atomicLoad(&search.openLength), IS_EXACT), slice.end);
  }
  let length = workgroupUniformLoad(&listLength);
  for (var first = slice.first + at.id.x * SEEDS; first < length; first += at.count.x * SEEDS) {
    let count = min(length - first, SEEDS);
    if (lane < SEEDS) {
      seeds[lane] = itemAt(first + min(lane, count - 1u));
      atomicStore(&best[lane], NONE);
      atomicStore(&isOpen[lane], 0u);
    }
    workgroupBarrier();
    loadSeeds(lane);
    loadSeedKeys(lane);
    workgroupBarrier();
    compareCandidates(count, lane);
    workgroupBarrier();
    if (lane < count) {
      labels[indexOf(seeds[lane])] = atomicLoad(&best[lane]);
      if (!IS_EXACT && atomicLoad(&isOpen[lane]) != 0u) {
        atomicStore(&states[run.n + atomicAdd(&search.openLength, 1u)], seeds[lane]);
      }
    }
    workgroupBarrier();
  }
}
