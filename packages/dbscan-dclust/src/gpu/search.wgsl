// State of a run, and of each chain. Takes bindings 78 and 11 of group 0.

struct Search {
  // Counts calls of the new-seeds kernel.
  round: u32,
  isDone: u32,
  // Units of the walk for unprocessed points that are behind it (newSeeds.wgsl).
  cursor: atomic<u32>,
  // Chains that the refill kernel is to serve; 0: nothing to do. And the points that it has handed out.
  refillChains: u32,
  refillTaken: atomic<u32>,
  // Points set aside now.
  asideLength: atomic<u32>,
  // Largest |coordinate| of the float32 image, as a word.
  magnitude: atomic<u32>,
  processed: atomic<u32>,
  // What the paper reports, and more. Chains: those whose first seed was core.
  chains: atomic<u32>,
  collisions: atomic<u32>,
  overflows: atomic<u32>,
  refills: u32,
  rescans: atomic<u32>,
  splits: atomic<u32>,
  // Seeds with pairs that float32 could not decide.
  exactSeeds: atomic<u32>,
  clusters: atomic<u32>,
  // Border points between chains; those of them with undecided pairs.
  contestedLength: atomic<u32>,
  openLength: atomic<u32>,
}

struct Chain {
  // Seeds on its list.
  length: atomic<u32>,
  // Seeds that wait for the exact kernel.
  redoLength: u32,
  // The identity that the chain's row of the collision matrix stands for; NONE.
  owner: atomic<u32>,
  // Whether that row, or its column, holds a collision.
  hasCollided: atomic<u32>,
  // Meetings on its list that wait for a later dispatch (meetings.wgsl).
  meetings: u32,
}

@group(0) @binding(78) var<storage, read_write> search: Search;
@group(0) @binding(11) var<storage, read_write> chains: array<Chain>;
