// Parameters that the host sets before a run, and sizes that all kernels share. Takes binding 76 of group 0.

struct RunParams {
  eps2: vec2u,
  n: u32,
  dim: u32,
  blocks: u32,
  minPts: u32,
  // Float32 decides d² < sureBelow and d² > sureAbove (distanceBounds of spatial-grid), but no pair if isExactOnly.
  sureBelow: f32,
  sureAbove: f32,
  isExactOnly: u32,
  // p, and the capacity of a seed list (maxSeedLength).
  chains: u32,
  seedLength: u32,
  // Neighbours in quarantine per chain in device memory, beyond those in workgroup memory.
  spillLength: u32,
  meetingLength: u32,
  // In one dispatch a workgroup makes at most maxPasses passes, and begins none after testing maxCandidates candidates.
  maxPasses: u32,
  maxCandidates: u32,
  // Maximum number of adjacent positions that start a chain together.
  freshLength: u32,
  // 1 if positions are not the caller's order; 1 if the caller's coordinates are float64.
  isOrdered: u32,
  isWide: u32,
}

@group(0) @binding(76) var<uniform> run: RunParams;

// Invocations of a workgroup: a power of two, 32 … 256. Barriers of large workgroups are slow on software adapters.
override WIDTH: u32 = 256u;
// Seeds that one pass over the candidates serves: components of two vectors. Candidates come from device memory, so
// every load serves as many seeds as registers allow.
const SEEDS: u32 = 8u;
struct PerSeed {
  low: vec4f,
  high: vec4f,
}
// Maximum of `chains`: a uniform array has a fixed size.
const MAX_CHAINS: u32 = 4096u;
const NONE: u32 = 0xffffffffu;
