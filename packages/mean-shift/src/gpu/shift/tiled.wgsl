// Algorithm 8 of the source: the invocations of a workgroup load a tile of TILE_WIDTH points, one each, and all of them
// read it from workgroup memory. Beyond the source, an invocation moves POINTS_PER_LANE positions, so that one read of
// the tile serves all of them, and the points are split into parts that different workgroups sum, so that few positions
// fill a large GPU as well.

import gpu::dispatch::linearWorkgroup;
import package::gpu::points::vector::{BLOCKS, addSums, zeroSum, WeightedSum};
import package::gpu::shift::weightedSum::{Coordinates, FLOATS, floats, noCoordinates, PRODUCTS, addTerm, wordsWith};
import package::gpu::shift::shiftArrays::{accumulateSum, pointAt, positionAt, slice};

// Points in a tile and invocations in a workgroup: a power of two, at least 16.
override TILE_WIDTH: u32 = 256u;
// 1, 2 or 4.
override POINTS_PER_LANE: u32 = 4u;
// Entries of the tile between two tests of the loop's end: 1, 2 or 4.
override UNROLLED: u32 = 4u;

// Coordinate of the null point of the source: so far from all others that its weight is 0, with a finite square. For
// products, the square itself. With remainders its bits are an integer, 1.585e9 quanta: three times as far as any
// point, and differences stay below 2^31.
const NOWHERE: f32 = 0x1p62;

// Rows of quads: all high parts, then the bits of all low parts. Row r of entry j is at r · TILE_WIDTH + j.
var<workgroup> tile: array<vec4i, TILE_WIDTH * BLOCKS * FLOATS>;

fn load(lane: u32, i: u32) {
  // The null point.
  var point = noCoordinates();
  if (i < slice.end) {
    point = pointAt(i);
  } else if (PRODUCTS) {
    point.high = wordsWith(point.high, -NOWHERE);
  } else {
    point.high.a.x = bitcast<i32>(NOWHERE);
  }
  tile[lane] = point.high.a;
  if (BLOCKS > 1u) { tile[TILE_WIDTH + lane] = point.high.b; }
  if (BLOCKS > 2u) { tile[2u * TILE_WIDTH + lane] = point.high.c; }
  if (BLOCKS > 3u) { tile[3u * TILE_WIDTH + lane] = point.high.d; }
  if (FLOATS == 1u) { return; }
  let low = BLOCKS * TILE_WIDTH + lane;
  tile[low] = bitcast<vec4i>(point.low.a);
  if (BLOCKS > 1u) { tile[low + TILE_WIDTH] = bitcast<vec4i>(point.low.b); }
  if (BLOCKS > 2u) { tile[low + 2u * TILE_WIDTH] = bitcast<vec4i>(point.low.c); }
  if (BLOCKS > 3u) { tile[low + 3u * TILE_WIDTH] = bitcast<vec4i>(point.low.d); }
}

fn entry(j: u32) -> Coordinates {
  var point = noCoordinates();
  point.high.a = tile[j];
  if (BLOCKS > 1u) { point.high.b = tile[TILE_WIDTH + j]; }
  if (BLOCKS > 2u) { point.high.c = tile[2u * TILE_WIDTH + j]; }
  if (BLOCKS > 3u) { point.high.d = tile[3u * TILE_WIDTH + j]; }
  if (FLOATS == 1u) { return point; }
  let low = BLOCKS * TILE_WIDTH + j;
  point.low.a = floats(tile[low]);
  if (BLOCKS > 1u) { point.low.b = floats(tile[low + TILE_WIDTH]); }
  if (BLOCKS > 2u) { point.low.c = floats(tile[low + 2u * TILE_WIDTH]); }
  if (BLOCKS > 3u) { point.low.d = floats(tile[low + 3u * TILE_WIDTH]); }
  return point;
}

@compute @workgroup_size(TILE_WIDTH)
fn sumTiled(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let group = linearWorkgroup(groupId, groupCount);
  let span = TILE_WIDTH * POINTS_PER_LANE;
  let blocks = (slice.slots + span - 1u) / span;
  let part = group / blocks;
  if (part >= slice.parts) { return; }
  // Separate variables instead of arrays: registers cannot be indexed.
  let k = (group % blocks) * span + lane;
  let p0 = positionAt(k);
  var p1: Coordinates;
  var p2: Coordinates;
  var p3: Coordinates;
  if (POINTS_PER_LANE > 1u) { p1 = positionAt(k + TILE_WIDTH); }
  if (POINTS_PER_LANE > 2u) {
    p2 = positionAt(k + 2u * TILE_WIDTH);
    p3 = positionAt(k + 3u * TILE_WIDTH);
  }
  var total0: WeightedSum;
  var total1: WeightedSum;
  var total2: WeightedSum;
  var total3: WeightedSum;
  // A part has whole tiles, except for the last part.
  let begin = slice.begin + part * slice.pointsPerPart;
  let end = min(begin + slice.pointsPerPart, slice.end);
  for (var first = begin; first < end; first += TILE_WIDTH) {
    load(lane, first + lane);
    workgroupBarrier();
    var sum0 = zeroSum();
    var sum1 = zeroSum();
    var sum2 = zeroSum();
    var sum3 = zeroSum();
    // Null points fill the tile, so the last steps may read beyond the points.
    let entries = min(TILE_WIDTH, end - first);
    for (var j = 0u; j < entries; j += UNROLLED) {
      for (var u = 0u; u < UNROLLED; u++) {
        let x = entry(j + u);
        sum0 = addTerm(sum0, p0, x);
        if (POINTS_PER_LANE > 1u) { sum1 = addTerm(sum1, p1, x); }
        if (POINTS_PER_LANE > 2u) {
          sum2 = addTerm(sum2, p2, x);
          sum3 = addTerm(sum3, p3, x);
        }
      }
    }
    total0 = addSums(total0, sum0);
    if (POINTS_PER_LANE > 1u) { total1 = addSums(total1, sum1); }
    if (POINTS_PER_LANE > 2u) {
      total2 = addSums(total2, sum2);
      total3 = addSums(total3, sum3);
    }
    workgroupBarrier();
  }
  accumulateSum(k, part, total0);
  if (POINTS_PER_LANE > 1u) { accumulateSum(k + TILE_WIDTH, part, total1); }
  if (POINTS_PER_LANE > 2u) {
    accumulateSum(k + 2u * TILE_WIDTH, part, total2);
    accumulateSum(k + 3u * TILE_WIDTH, part, total3);
  }
}
