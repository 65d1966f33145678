// State of a run, and the list of points with pairs that float32 cannot decide. Takes bindings 10 and 11 of group 0.

struct Search {
  minPts: u32,
  // Label of the cluster being expanded; wraps from −1 to 0 at the first.
  cluster: u32,
  // Points before this index are settled (startIdx).
  startIndex: u32,
  isDone: u32,
  levels: u32,
  maxFrontier: u32,
  // Invocations that share the candidates of one frontier point: a power of two up to 256.
  team: u32,
  // Frontier points that the next `expandFrontier` is to take; 0 where `advance` took them itself.
  largeLength: u32,
  // Where the exact expansion of the listed points stands: NOT_ASKED, ASKED or FINISHED.
  exactStage: u32,
  undecidedLength: atomic<u32>,
}

const NOT_ASKED: u32 = 0u;
const ASKED: u32 = 1u;
const FINISHED: u32 = 2u;

@group(0) @binding(10) var<storage, read_write> search: Search;
// Positions; each point is listed at most once between two clearings, so `n` places suffice.
@group(0) @binding(11) var<storage, read_write> undecidedPoints: array<u32>;

fn listUndecided(a: u32) {
  undecidedPoints[atomicAdd(&search.undecidedLength, 1u)] = a;
}
