// State of a run, and of each chain behind it. Takes binding 78 of group 0.

struct Chain {
  length: atomic<u32>,
  // Seeds that wait for the exact kernel.
  redoLength: u32,
  // The identity that owns the chain's row of the collision matrix, or NONE.
  owner: atomic<u32>,
  // Whether that row or its column holds a collision.
  hasCollided: atomic<u32>,
  meetings: u32,
}

struct Search {
  // Counts calls of the new-seeds kernel.
  round: u32,
  isDone: u32,
  // Units that the walk for unprocessed points has passed (newSeeds.wgsl).
  cursor: atomic<u32>,
  // Chains that the refill kernel serves (0: it has nothing to do), and points that it has distributed.
  refillChains: u32,
  refillTaken: atomic<u32>,
  asideLength: atomic<u32>,
  // Largest |coordinate| of the points as float32, as a word.
  magnitude: atomic<u32>,
  processed: atomic<u32>,
  // Counters of the paper, and more. chains: identities, each begun by a core point.
  chains: atomic<u32>,
  collisions: atomic<u32>,
  overflows: atomic<u32>,
  refills: u32,
  rescans: atomic<u32>,
  splits: atomic<u32>,
  // Seeds with pairs that float32 cannot decide.
  exactSeeds: atomic<u32>,
  clusters: atomic<u32>,
  // Contested border points, and those of them with undecided pairs.
  contestedLength: atomic<u32>,
  openLength: atomic<u32>,
  // By chain; in the same buffer, because a device need not bind more than eight storage buffers a kernel.
  ofChain: array<Chain>,
}

@group(0) @binding(78) var<storage, read_write> search: Search;
