// One step of every active trajectory by Algorithm 8 of the source: the invocations of a workgroup load a tile of
// TILE_WIDTH points, one each, and all of them read it from workgroup memory. Beyond the source, a workgroup moves only
// 32 positions and divides each tile among its invocations, so that few positions fill a large GPU as well.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::climb::trajectory::{
  IS_WIDE, Place, activeCounts, addPoint, moveTrajectory, nextList, params, points, positionOf,
  trajectoryOf
};
import package::gpu::points::vector::{BLOCKS, VectorBits, WeightedSum, addSums, zeroSum};

// Points in a tile and invocations in a workgroup: a power of two, at least 16.
override TILE_WIDTH: u32 = 256u;
// Quads of a vector, for the length of the tile.
override QUADS: u32 = 1u;

var<workgroup> tile: array<vec4i, TILE_WIDTH * QUADS>;
var<workgroup> sums: array<WeightedSum, 32>;

fn wordsFromTile(q: u32) -> VectorBits {
  var words = VectorBits(tile[q], vec4i(), vec4i(), vec4i());
  if (BLOCKS > 1u) { words.b = tile[q + 1u]; }
  if (BLOCKS > 2u) { words.c = tile[q + 2u]; }
  if (BLOCKS > 3u) { words.d = tile[q + 3u]; }
  return words;
}

fn entry(j: u32) -> Place {
  var place: Place;
  place.at = wordsFromTile(j * QUADS);
  if (IS_WIDE) { place.low = wordsFromTile(j * QUADS + BLOCKS); }
  return place;
}

@compute @workgroup_size(TILE_WIDTH)
fn climbTiled(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let span = min(TILE_WIDTH, 32u);
  let slot = lane % span;
  let part = lane / span;
  let parts = TILE_WIDTH / span;
  let item = params.first + workgroupNumber(at) * span + slot;
  let count = atomicLoad(&activeCounts[params.word]);
  let isActive = item < count;
  // A slot beyond the last sums for any position.
  let k = trajectoryOf(min(item, max(count, 1u) - 1u));
  let position = positionOf(k);
  var total = zeroSum();
  for (var first = 0u; first < params.n; first += TILE_WIDTH) {
    let entries = min(TILE_WIDTH, params.n - first);
    for (var q = lane; q < entries * QUADS; q += TILE_WIDTH) { tile[q] = points[first * QUADS + q]; }
    workgroupBarrier();
    var sum = zeroSum();
    for (var j = part; j < entries; j += parts) { sum = addPoint(sum, position, entry(j)); }
    total = addSums(total, sum);
    workgroupBarrier();
  }
  for (var other = 1u; other < parts; other++) {
    if (part == other) { sums[slot] = total; }
    workgroupBarrier();
    if (part == 0u) { total = addSums(total, sums[slot]); }
    workgroupBarrier();
  }
  if (part == 0u && isActive) {
    if (moveTrajectory(k, position, total)) { nextList[atomicAdd(&activeCounts[params.word + 1u], 1u)] = k; }
  }
}
