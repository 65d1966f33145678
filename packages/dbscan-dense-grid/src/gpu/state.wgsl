// Parameters of a run, and a list of the points with pairs that float32 cannot decide. Each kernel lists them for its
// exact counterpart, which runs next. Takes binding 11 of group 0.

struct RunState {
  minPts: u32,
  // Lengths of the list: as markCore, unitePoints and labelBorders leave it.
  undecidedCores: atomic<u32>,
  undecidedUnions: atomic<u32>,
  undecidedBorders: atomic<u32>,
  // Positions; each kernel lists a point at most once, so `n` places suffice.
  undecidedPoints: array<u32>,
}

@group(0) @binding(11) var<storage, read_write> state: RunState;
