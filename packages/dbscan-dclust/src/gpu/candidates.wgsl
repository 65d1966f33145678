// The candidates of a pass: all points, or those in the leaves of the directory that some seed of the pass may reach
// (CUDA-DClust*, section 6). The paper walks the directory with one thread in nested loops; here each lane takes a group of
// sibling leaves, so that hundreds of groups are settled at a time, and teams of lanes then share the runs of positions that are left.

import quantile_directory::gpu::directory::{directory, keysAt, leafStart, nodeBounds};
import package::gpu::points::{isAnyWithin, seeds};
import package::gpu::run::{NONE, PerSeed, SEEDS, WIDTH, run};

// Sibling leaves that one lane looks at, at most.
const GROUP: u32 = 16u;

// Keys of the seeds: level l of seed s at l · SEEDS + s. No vectors: lanes may not write components of one at the same time.
var<workgroup> seedKeys: array<f32, 4u * SEEDS>;
// Runs of positions [x, y), one or none a lane.
var<workgroup> ranges: array<vec2u, WIDTH>;
var<workgroup> rangeCount: atomic<u32>;
// Positions in all of them.
var<workgroup> rangeTotal: atomic<u32>;

// By all lanes, with a barrier before and after.
fn loadSeedKeys(lane: u32) {
  if (run.levels == 0u || lane >= SEEDS) { return; }
  let keys = keysAt(seeds[lane]);
  seedKeys[lane] = keys.x;
  seedKeys[SEEDS + lane] = keys.y;
  seedKeys[2u * SEEDS + lane] = keys.z;
  seedKeys[3u * SEEDS + lane] = keys.w;
}

fn groupsOfSiblings() -> u32 {
  return (run.fanout + GROUP - 1u) / GROUP;
}

// Groups of leaves in all; one where there is no directory.
fn groupCount() -> u32 {
  if (run.levels == 0u) { return 1u; }
  return run.leaves / run.fanout * groupsOfSiblings();
}

// Squared distances on the axis of `level` from the seeds to a node's interval.
fn axisGaps2(level: u32, node: u32) -> PerSeed {
  let interval = nodeBounds[run.levelStarts[level] + node];
  return PerSeed(gaps2Of(interval, level * SEEDS), gaps2Of(interval, level * SEEDS + 4u));
}

// Of four seeds, from place `at` of seedKeys on.
fn gaps2Of(interval: vec2f, at: u32) -> vec4f {
  let keys = vec4f(seedKeys[at], seedKeys[at + 1u], seedKeys[at + 2u], seedKeys[at + 3u]);
  let gaps = max(max(vec4f(interval.x) - keys, keys - vec4f(interval.y)), vec4f());
  return gaps * gaps;
}

fn sumOf(a: PerSeed, b: PerSeed) -> PerSeed {
  return PerSeed(a.low + b.low, a.high + b.high);
}

// Appends the run of leaves in group `group` that may hold neighbours of a seed; by one lane.
fn collectGroup(group: u32) {
  let parent = group / groupsOfSiblings();
  let firstChild = (group % groupsOfSiblings()) * GROUP;
  let endChild = min(firstChild + GROUP, run.fanout);
  var gaps2 = PerSeed();
  var ancestor = parent;
  for (var up = 1u; up < run.levels; up++) {
    gaps2 = sumOf(gaps2, axisGaps2(run.levels - 1u - up, ancestor));
    ancestor /= run.fanout;
  }
  if (!isAnyWithin(gaps2, directory.limit2)) { return; }
  var first = NONE;
  var end = 0u;
  for (var leaf = parent * run.fanout + firstChild; leaf < parent * run.fanout + endChild; leaf++) {
    if (isAnyWithin(sumOf(gaps2, axisGaps2(run.levels - 1u, leaf)), directory.limit2)) {
      first = min(first, leaf);
      end = leaf + 1u;
    }
  }
  if (first == NONE) { return; }
  let range = vec2u(leafStart[first], leafStart[end]);
  if (range.x < range.y) { append(range); }
}

fn append(range: vec2u) {
  ranges[atomicAdd(&rangeCount, 1u)] = range;
  atomicAdd(&rangeTotal, range.y - range.x);
}

// By all lanes, with a barrier before and after: the candidates of as many groups as there are lanes, from group `first` on.
fn collectCandidates(first: u32, lane: u32) {
  if (first + lane >= groupCount()) { return; }
  if (run.levels == 0u) { append(vec2u(0u, run.n)); } else { collectGroup(first + lane); }
}

// By one lane, when the ranges are collected: lets them follow one another without gaps. Item t of all of them is position
// x + t, of the first range with t < y (x may be "negative"). Returns the number of items.
fn lineUpRanges() -> u32 {
  var total = 0u;
  for (var r = 0u; r < atomicLoad(&rangeCount); r++) {
    let range = ranges[r];
    ranges[r] = vec2u(range.x - total, total + range.y - range.x);
    total += range.y - range.x;
  }
  return total;
}

// Teams that share `count` ranges, one range each at a time: a power of two, so that a team has 32 lanes or more.
fn teamsFor(count: u32) -> u32 {
  return min(select(select(select(8u, 4u, count < 8u), 2u, count < 4u), 1u, count < 2u), WIDTH / 32u);
}
