// Parameters of a run, and the points with pairs that float32 cannot decide. Each kernel lists them for its exact
// counterpart, which runs next. Takes bindings 11 and 12 of group 0.

struct RunState {
  minPts: u32,
  // Lengths of the lists of markCore, uniteSets and labelBorders.
  undecidedCores: atomic<u32>,
  undecidedUnions: atomic<u32>,
  undecidedBorders: atomic<u32>,
}

@group(0) @binding(11) var<storage, read_write> state: RunState;
// Positions; each kernel lists a point at most once, so `n` places suffice.
@group(0) @binding(12) var<storage, read_write> undecidedPoints: array<u32>;
