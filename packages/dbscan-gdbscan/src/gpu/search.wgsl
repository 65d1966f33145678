// State of a level-synchronous search over the graph. Takes bindings 10 to 14 of group 0.

struct SearchParams {
  n: u32,
  minPts: u32,
  // 1: every core point starts a search.
  startsEverywhere: u32,
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
  // Counts empty levels as well; from 1.
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
  // About how many core points there are.
  cores: atomic<u32>,
  searches: atomic<u32>,
  // Points claimed for the next level.
  nextLength: atomic<u32>,
  // If `isSingle`: the smallest index of an unvisited core point.
  nextStart: atomic<u32>,
}

const UNVISITED: u32 = 0xffffffffu;
const NOT_CORE: u32 = 0xfffffffeu;

@group(0) @binding(10) var<storage, read_write> search: Search;
// By position: the level at which each point is expanded (the paper's Fa).
@group(0) @binding(11) var<storage, read_write> frontier: array<u32>;
// By position: NOT_CORE, UNVISITED, or the search that reached the point (the paper's Xa). A search is identified by
// the position of the core point where it started.
@group(0) @binding(12) var<storage, read_write> visits: array<atomic<u32>>;
@group(0) @binding(13) var<uniform> searchParams: SearchParams;
@group(0) @binding(14) var<storage, read> level: Level;
