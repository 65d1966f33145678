// Parameters of a run, and a list of the points with pairs that float32 cannot decide. Each kernel lists them for its
// exact counterpart, which runs next. Takes binding 11 of group 0.

struct RunState {
  minPts: u32,
  // Lengths of the list: as markCore, unitePoints and labelBorders leave it.
  undecidedCores: atomic<u32>,
  undecidedUnions: atomic<u32>,
  undecidedBorders: atomic<u32>,
  // 1: an invocation has looked at too many points, and the labels are not final.
  isCrowded: atomic<u32>,
  // Positions; each kernel lists a point at most once, so `n` places suffice.
  undecidedPoints: array<u32>,
}

@group(0) @binding(11) var<storage, read_write> state: RunState;

// Points that one invocation may look at: on an H200 32,768 take 5 ms.
override PATIENCE: u32 = 32768u;

// Counts the points that this invocation looks at.
var<private> looked: u32;

// Whether to give up, because this invocation or another one has looked at too many points.
fn isTooMany() -> bool {
  looked++;
  if ((looked & 255u) != 0u) { return false; }
  if (looked >= PATIENCE) { atomicStore(&state.isCrowded, 1u); }
  return atomicLoad(&state.isCrowded) != 0u;
}
