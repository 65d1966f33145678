// Points by position, and the seeds of a pass: every candidate is loaded once and compared with four seeds.
//
// Four axes of a point are one vector, and the vectors of neighbouring positions are neighbours in memory, so the lanes of a
// workgroup read whole lines. Only one lane looks at a candidate, so a tile of candidates in workgroup memory would save
// nothing; the seeds lie there, which all lanes read. Axes beyond the points' last are 0 in both and add nothing.
//
// Float32 decides where it is certain (distanceBounds of spatial-grid says where); other pairs are undecided.
// Takes binding 74 of group 0.

import package::gpu::run::{SEEDS, WIDTH, run};

// Block k of the point at position b, four float32 words, at k · n + b.
@group(0) @binding(74) var<storage, read> pointBlocks: array<vec4u>;

const FAR: u32 = 0u;
const NEAR: u32 = 1u;
const UNDECIDED: u32 = 2u;

// 64 axes.
const MAX_BLOCKS: u32 = 16u;
// Beyond 2^58 the squares of 64 axes may leave float32 (MAX_MAGNITUDE of distanceBounds): the word of that float.
const MAX_MAGNITUDE: u32 = 0x5c800000u;

// Positions of the seeds of this pass; their blocks, those of block k at 4k.
var<workgroup> seeds: array<u32, SEEDS>;
var<workgroup> seedBlocks: array<vec4f, MAX_BLOCKS * SEEDS>;

fn blockOf(k: u32, b: u32) -> vec4f {
  return bitcast<vec4f>(pointBlocks[k * run.n + b]);
}

// By all lanes, with a barrier before and after. Places of `seeds` from `count` on hold copies of the first.
fn loadSeeds(lane: u32) {
  for (var k = lane; k < run.blocks * SEEDS; k += WIDTH) { seedBlocks[k] = blockOf(k / SEEDS, seeds[k % SEEDS]); }
}

// d² from the point at position b to each seed.
fn squaredDistances(b: u32) -> vec4f {
  var sums = vec4f();
  for (var k = 0u; k < run.blocks; k++) {
    let axes = blockOf(k, b);
    let delta0 = axes - seedBlocks[k * SEEDS];
    let delta1 = axes - seedBlocks[k * SEEDS + 1u];
    let delta2 = axes - seedBlocks[k * SEEDS + 2u];
    let delta3 = axes - seedBlocks[k * SEEDS + 3u];
    sums += vec4f(dot(delta0, delta0), dot(delta1, delta1), dot(delta2, delta2), dot(delta3, delta3));
  }
  return sums;
}

// Component s, without indexing a vector at run time, which goes to memory on some GPUs.
fn ofSeed(values: vec4f, s: u32) -> f32 {
  let low = select(values.x, values.y, s == 1u);
  return select(low, select(values.z, values.w, s == 3u), s >= 2u);
}

// FAR, NEAR or UNDECIDED.
fn verdictOf(d2: f32, isExactOnly: bool) -> u32 {
  if (isExactOnly) { return UNDECIDED; }
  if (d2 < run.sureBelow) { return NEAR; }
  return select(UNDECIDED, FAR, d2 > run.sureAbove);
}
