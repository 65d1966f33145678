// State of a run, and the list of points with undecided pairs: one buffer, because a device need not bind more than
// eight storage buffers a kernel. Takes binding 10 of group 0.

struct Search {
  // At most 2^31 − 1: more than there are points.
  minPts: u32,
  // Clusters so far, with the one that is being expanded.
  clusters: u32,
  // All points before this index have been tested (startIdx).
  startIndex: u32,
  isDone: u32,
  levels: u32,
  maxFrontier: u32,
  // Core points that have been in a frontier, and about how many there are.
  expanded: u32,
  cores: u32,
  // Invocations that share the candidates of one frontier point: a power of two up to 256.
  team: u32,
  // Frontier points that the next `expandFrontier` expands; 0 if `advance` has expanded them.
  largeLength: u32,
  // State of the exact expansion of the listed points: NOT_ASKED, ASKED or FINISHED.
  exactState: u32,
  undecidedLength: atomic<u32>,
  // Positions. A point is listed at most once before the list is cleared, so n words suffice.
  undecidedPoints: array<u32>,
}

const NOT_ASKED: u32 = 0u;
const ASKED: u32 = 1u;
const FINISHED: u32 = 2u;

@group(0) @binding(10) var<storage, read_write> search: Search;

// Label of the cluster that is being expanded.
fn currentCluster() -> u32 {
  return search.clusters - 1u;
}

fn listUndecided(a: u32) {
  search.undecidedPoints[atomicAdd(&search.undecidedLength, 1u)] = a;
}

// The label of a point, one word by position: the cluster in the low 30 bits, above them two flags. So a claim is one
// compare-and-swap, and its old value shows whether the point is core. A device holds fewer than 2^30 points.

const CORE: u32 = 0x80000000u;
// The point is on the list of points with undecided pairs.
const IS_LISTED: u32 = 0x40000000u;
const UNCLAIMED: u32 = 0x3fffffffu;

fn clusterOf(label: u32) -> u32 {
  return label & UNCLAIMED;
}

fn isUnclaimed(label: u32) -> bool {
  return clusterOf(label) == UNCLAIMED;
}
