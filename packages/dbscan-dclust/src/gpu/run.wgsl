// What the host settles before a run, and sizes that all kernels share. Takes binding 76 of group 0.

struct RunParams {
  eps2: vec2u,
  n: u32,
  dim: u32,
  // Blocks of four axes.
  blocks: u32,
  minPts: u32,
  // Float32 decides d² < sureBelow and d² > sureAbove (distanceBounds of spatial-grid); never where isExactOnly.
  sureBelow: f32,
  sureAbove: f32,
  isExactOnly: u32,
  // p, and places of a seed list (maxSeedLength).
  chains: u32,
  seedLength: u32,
  // Neighbours in quarantine that a chain may keep in device memory, beyond those in workgroup memory.
  spillLength: u32,
  // Places of a chain's list of meetings.
  meetingLength: u32,
  // A workgroup goes on with its chain for so many passes of a dispatch, or until it has tested so many candidates.
  maxPasses: u32,
  maxCandidates: u32,
  // Adjacent positions that start a chain together, at most; and the strata that starts are taken from in turn.
  freshLength: u32,
  strata: u32,
  // 1 where positions are not the caller's order; where the caller's coordinates are float64.
  isOrdered: u32,
  isWide: u32,
  // Of the directory; no levels: all points are candidates. Not overrides, so that one pipeline serves all shapes: it is large,
  // and takes seconds to compile on some adapters.
  levels: u32,
  fanout: u32,
  leaves: u32,
  // Where the nodes of each level begin.
  levelStarts: vec4u,
}

@group(0) @binding(76) var<uniform> run: RunParams;

// Invocations of a workgroup: a power of two, 32 … 256. Barriers of wide ones are slow on software adapters.
override WIDTH: u32 = 256u;
// Seeds that one pass over the candidates serves: components of two vectors, for candidates come from far memory, and every load
// is to serve as many seeds as registers allow.
const SEEDS: u32 = 8u;
// One number a seed.
struct PerSeed {
  low: vec4f,
  high: vec4f,
}
const NONE: u32 = 0xffffffffu;
