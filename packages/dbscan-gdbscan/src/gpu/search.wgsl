// State of a level-synchronous search over the graph. Takes bindings 10, 11, 13 and 14 of group 0.

// Whether the frontier is a queue of positions (two lists in turn), or one flag word per point (the paper's Fa).
override HAS_QUEUE: bool = false;

struct SearchParams {
  n: u32,
  // Invocations that share a row: a power of two up to 64.
  team: u32,
  // A level with a shorter frontier starts searches.
  startBelow: u32,
  // 1: one search at a time, from the unvisited core point with the smallest index.
  isSingle: u32,
}

// The level that is expanded. Only the kernel between two levels writes it, so kernels may branch on it before a
// barrier.
struct Level {
  // Counts empty levels as well.
  number: u32,
  length: u32,
  isStarting: u32,
}

struct Search {
  isDone: u32,
  levels: u32,
  maxFrontier: u32,
  // Core points expanded.
  expanded: u32,
  searches: atomic<u32>,
  // Points claimed for the next level.
  nextLength: atomic<u32>,
  // If `isSingle`: the smallest index of an unvisited core point.
  nextStart: atomic<u32>,
}

@group(0) @binding(10) var<storage, read_write> search: Search;
// Flags: the level at which each point is expanded. Queue: two lists of n words, for even and odd levels.
@group(0) @binding(11) var<storage, read_write> frontier: array<u32>;
@group(0) @binding(13) var<uniform> searchParams: SearchParams;
@group(0) @binding(14) var<storage, read> level: Level;

fn frontierItem(k: u32) -> u32 {
  return frontier[(level.number & 1u) * searchParams.n + k];
}

// Adds the point at position j, which the caller has claimed, to the frontier of the next level. The caller counts it
// in nextLength: with flags, a workgroup adds its sum once.
fn flagForNextLevel(j: u32) {
  frontier[j] = level.number + 1u;
}

fn pushForNextLevel(j: u32) {
  let place = atomicAdd(&search.nextLength, 1u);
  frontier[((level.number + 1u) & 1u) * searchParams.n + place] = j;
}
