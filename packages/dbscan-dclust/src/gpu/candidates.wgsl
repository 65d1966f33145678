// The candidates of a pass: all points, or the points in the leaves of the directory that some seed of the pass may
// reach (CUDA-DClust*, section 6). In the paper one thread walks the directory in nested loops. Here each lane tests a
// group of sibling leaves, so a workgroup tests hundreds of groups at a time. Then teams of lanes share the resulting
// ranges of positions.

import spatial_grid::gpu::quantile::directory::{directory, keyOn, leafStart, nodeBounds};
import package::gpu::points::{isAnyWithin, seeds};
import package::gpu::run::{NONE, PerSeed, SEEDS, WIDTH, run};

// Maximum number of sibling leaves that one lane tests.
const GROUP: u32 = 16u;

// Keys of the seeds: level l of seed s at l · SEEDS + s. Scalars, because two lanes must not write components of one
// vector at the same time. At most 32, as many as a workgroup has lanes.
var<workgroup> seedKeys: array<f32, 4u * SEEDS>;
var<workgroup> ranges: array<vec2u, WIDTH>;
var<workgroup> rangeCount: atomic<u32>;
var<workgroup> rangeTotal: atomic<u32>;

// Called by all lanes, with a barrier before and after.
fn loadSeedKeys(lane: u32) {
  if (lane < 4u * SEEDS) { seedKeys[lane] = keyOn(lane / SEEDS, seeds[lane % SEEDS]); }
}

fn groupsOfSiblings() -> u32 {
  return (directory.fanout + GROUP - 1u) / GROUP;
}

fn groupCount() -> u32 {
  if (directory.levels == 0u) { return 1u; }
  return directory.leaves / directory.fanout * groupsOfSiblings();
}

// Squared distances, on the axis of `level`, from the seeds to the interval of a node.
fn axisGaps2(level: u32, node: u32) -> PerSeed {
  let interval = nodeBounds(level, node);
  return PerSeed(gaps2Of(interval, level * SEEDS), gaps2Of(interval, level * SEEDS + 4u));
}

// The same for four seeds, whose keys begin at `at` in seedKeys.
fn gaps2Of(interval: vec2f, at: u32) -> vec4f {
  let keys = vec4f(seedKeys[at], seedKeys[at + 1u], seedKeys[at + 2u], seedKeys[at + 3u]);
  let gaps = max(max(vec4f(interval.x) - keys, keys - vec4f(interval.y)), vec4f());
  return gaps * gaps;
}

fn sumOf(a: PerSeed, b: PerSeed) -> PerSeed {
  return PerSeed(a.low + b.low, a.high + b.high);
}

// Appends the range of leaves in group `group` that may hold neighbours of a seed. Called by one lane.
fn collectGroup(group: u32) {
  let parent = group / groupsOfSiblings();
  let firstChild = (group % groupsOfSiblings()) * GROUP;
  let endChild = min(firstChild + GROUP, directory.fanout);
  var gaps2 = PerSeed();
  var ancestor = parent;
  for (var up = 1u; up < directory.levels; up++) {
    gaps2 = sumOf(gaps2, axisGaps2(directory.levels - 1u - up, ancestor));
    ancestor /= directory.fanout;
  }
  if (!isAnyWithin(gaps2, directory.limit2)) { return; }
  var first = NONE;
  var end = 0u;
  for (var leaf = parent * directory.fanout + firstChild; leaf < parent * directory.fanout + endChild; leaf++) {
    if (isAnyWithin(sumOf(gaps2, axisGaps2(directory.levels - 1u, leaf)), directory.limit2)) {
      first = min(first, leaf);
      end = leaf + 1u;
    }
  }
  if (first == NONE) { return; }
  let range = vec2u(leafStart(first), leafStart(end));
  if (range.x < range.y) { append(range); }
}

fn append(range: vec2u) {
  ranges[atomicAdd(&rangeCount, 1u)] = range;
  atomicAdd(&rangeTotal, range.y - range.x);
}

// Called by all lanes, with a barrier before and after. Collects the candidates of WIDTH groups, from group `first` on,
// one group per lane.
fn collectCandidates(first: u32, lane: u32) {
  if (first + lane >= groupCount()) { return; }
  if (directory.levels == 0u) { append(vec2u(0u, run.n)); } else { collectGroup(first + lane); }
}

// Called by one lane after the ranges are collected. Concatenates the ranges: item t is position x + t of the first
// range with t < y (x wraps around below 0). Returns the number of items.
fn lineUpRanges() -> u32 {
  var total = 0u;
  for (var r = 0u; r < atomicLoad(&rangeCount); r++) {
    let range = ranges[r];
    ranges[r] = vec2u(range.x - total, total + range.y - range.x);
    total += range.y - range.x;
  }
  return total;
}

// Number of teams that share `count` ranges, one range at a time each: a power of two, so that a team has at least 32
// lanes.
fn teamsFor(count: u32) -> u32 {
  return min(select(select(select(8u, 4u, count < 8u), 2u, count < 4u), 1u, count < 2u), WIDTH / 32u);
}
