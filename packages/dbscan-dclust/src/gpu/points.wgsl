// Points by position, and the seeds of a pass. Every candidate is loaded once and compared with eight seeds.
//
// Four axes of a point are one vector, and the vectors of adjacent positions are adjacent in memory, so the lanes of a
// workgroup read whole cache lines. Each candidate is read by one lane only, so workgroup memory would save nothing for
// candidates. The seeds, which all lanes read, are in workgroup memory. Axes beyond the last are 0 in both points and
// add nothing.
//
// Float32 decides a pair where the result is certain (see distanceBounds of spatial-grid). Other pairs are undecided.
// Takes binding 74 of group 0.

import package::gpu::run::{PerSeed, SEEDS, WIDTH, run};

// Block k of the point at position b, four float32 words, at k · n + b.
@group(0) @binding(74) var<storage, read> pointBlocks: array<vec4u>;

const MAX_BLOCKS: u32 = 16u;
// Above 2^58 the sum of the squares of 64 axes may overflow float32 (MAX_MAGNITUDE of distanceBounds). The word of that
// float.
const MAX_MAGNITUDE: u32 = 0x5c800000u;

// Positions of the seeds of this pass, and their blocks: block k begins at k · SEEDS.
var<workgroup> seeds: array<u32, SEEDS>;
var<workgroup> seedBlocks: array<vec4f, MAX_BLOCKS * SEEDS>;

fn blockOf(k: u32, b: u32) -> vec4f {
  return bitcast<vec4f>(pointBlocks[k * run.n + b]);
}

// Called by all lanes, with a barrier before and after. Entries of `seeds` beyond those of the pass hold copies.
fn loadSeeds(lane: u32) {
  for (var k = lane; k < run.blocks * SEEDS; k += WIDTH) { seedBlocks[k] = blockOf(k / SEEDS, seeds[k % SEEDS]); }
}

// d² from the point at position b to each seed. If all exceed sureAbove, they may be partial sums.
fn squaredDistances(b: u32) -> PerSeed {
  return squaredDistancesOfTwo(b, b).first;
}

// The same for two points, so that their loads overlap: a pass spends most of its time waiting for loads.
struct TwoDistances {
  first: PerSeed,
  second: PerSeed,
}

fn squaredDistancesOfTwo(b0: u32, b1: u32) -> TwoDistances {
  var sums = TwoDistances();
  for (var k = 0u; k < run.blocks; k++) {
    let axes0 = blockOf(k, b0);
    let axes1 = blockOf(k, b1);
    sums.first.low += squares(axes0, k * SEEDS);
    sums.first.high += squares(axes0, k * SEEDS + 4u);
    sums.second.low += squares(axes1, k * SEEDS);
    sums.second.high += squares(axes1, k * SEEDS + 4u);
    // The sums only increase.
    if (!isAnyWithin(sums.first, run.sureAbove) && !isAnyWithin(sums.second, run.sureAbove)) { break; }
  }
  return sums;
}

// Squared distances on four axes to four seeds, whose blocks begin at `at` in seedBlocks.
fn squares(axes: vec4f, at: u32) -> vec4f {
  let delta0 = axes - seedBlocks[at];
  let delta1 = axes - seedBlocks[at + 1u];
  let delta2 = axes - seedBlocks[at + 2u];
  let delta3 = axes - seedBlocks[at + 3u];
  return vec4f(dot(delta0, delta0), dot(delta1, delta1), dot(delta2, delta2), dot(delta3, delta3));
}

fn isAnyWithin(values: PerSeed, limit: f32) -> bool {
  return any(min(values.low, values.high) <= vec4f(limit));
}

// One bit per seed: pairs that are certainly neighbours, and pairs that are certainly not. The others are undecided.
fn nearBits(d2: PerSeed) -> u32 {
  return bitsOf(d2.low < vec4f(run.sureBelow), d2.high < vec4f(run.sureBelow));
}

fn farBits(d2: PerSeed) -> u32 {
  return bitsOf(d2.low > vec4f(run.sureAbove), d2.high > vec4f(run.sureAbove));
}

fn bitsOf(low: vec4<bool>, high: vec4<bool>) -> u32 {
  let none = vec4u();
  return dot(select(none, vec4u(1u, 2u, 4u, 8u), low) + select(none, vec4u(16u, 32u, 64u, 128u), high), vec4u(1u));
}
