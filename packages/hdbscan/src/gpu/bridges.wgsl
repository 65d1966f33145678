// Edges between components, by all pairs: candidates for the lightest edge of each two components, or, where these are
// too many for a table, of each component. A pair is a candidate if its lower bound is not above the least upper bound
// that is known. Upper bounds are kept as complements, so that a table of zeros knows none.

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::float64::isLess64;
import package::gpu::boxTree::{UNLIMITED, exactSquared, floorOf, limitOf, tree};
import package::gpu::round::core;
import package::gpu::tiles::{GROUPS, SIDE, STEP, farOf, lows, multiplyTiles, nearVector, products, rowOf, shape};

struct BridgeParams {
  // Pairs of tiles: those of row 0, those of row 1, …; the column is not above the row.
  firstPair: u32,
  pairs: u32,
  components: u32,
  // 1: the table is by two components. 0: by one.
  isByPair: u32,
  // Room for candidates.
  room: u32,
  // 2, not a constant either.
  phases: u32,
}

@group(0) @binding(0) var<uniform> params: BridgeParams;
// By position: 0 … components − 1.
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read_write> limits: array<atomic<u32>>;
// Candidates in all, beyond the room, too.
@group(0) @binding(3) var<storage, read_write> count: atomic<u32>;
// Two positions, and the lower bound; then the weight of those that still are candidates, or UNLIMITED.
@group(0) @binding(4) var<storage, read_write> bridges: array<vec4u>;

fn placeOf(a: u32, b: u32) -> u32 {
  if (params.isByPair == 0u) { return a; }
  return min(a, b) * params.components + max(a, b);
}

// Whether a lower bound is not above what is known.
fn isCandidate(near: f32, a: u32, b: u32) -> bool {
  let bits = bitcast<u32>(near);
  if (bits <= ~atomicLoad(&limits[placeOf(a, b)])) { return true; }
  return params.isByPair == 0u && bits <= ~atomicLoad(&limits[b]);
}

fn lower(place: u32, far: f32) {
  let bits = ~bitcast<u32>(far);
  if (atomicLoad(&limits[place]) < bits) { atomicMax(&limits[place], bits); }
}

@compute @workgroup_size(256)
fn findBridges(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  if (group >= params.pairs) { return; }
  let pair = params.firstPair + group;
  // The root in float32 is off by few at most.
  var row = u32(sqrt(2.0 * f32(pair)));
  while (row * (row + 1u) / 2u > pair) { row--; }
  while ((row + 1u) * (row + 2u) / 2u <= pair) { row++; }
  let column = pair - row * (row + 1u) / 2u;
  multiplyTiles(row, column, lane);
  // First all upper bounds of the pair of tiles, then candidates.
  for (var phase = 0u; phase < params.phases; phase++) {
    storageBarrier();
    workgroupBarrier();
    look(row, column, lane, phase == 1u);
  }
}

fn look(rowTile: u32, columnTile: u32, lane: u32, isTaking: bool) {
  let x = lane % STEP;
  let y = lane / STEP;
  for (var k = 0u; k < shape.rows; k++) {
    let p = rowTile * SIDE + rowOf(k, lane);
    if (p >= tree.n) { continue; }
    let low = lows[p >> 2u][p & 3u];
    for (var side = 0u; side < 2u; side++) {
      let others = lows[columnTile * GROUPS + side * STEP + x];
      let near = nearVector(low, others, products[2u * k + side]);
      lookAt(p, columnTile * SIDE + side * 64u + 4u * x, near, low + others, isTaking);
    }
  }
}

fn lookAt(p: u32, first: u32, near: vec4f, sums: vec4f, isTaking: bool) {
  let own = core[p];
  let mine = numbers[p];
  for (var k = 0u; k < 4u; k++) {
    let q = first + k;
    if (q >= tree.n) { continue; }
    let other = numbers[q];
    // Most pairs end here: upper bounds are not below their lower bounds.
    if (other == mine || !isCandidate(near[k], mine, other)) { continue; }
    var weight = core[q];
    if (isLess64(weight, own)) { weight = own; }
    if (isTaking) {
      let least = max(near[k], floorOf(weight));
      if (!isCandidate(least, mine, other)) { continue; }
      let place = atomicAdd(&count, 1u);
      if (place < params.room) { bridges[place] = vec4u(p, q, bitcast<u32>(least), 0u); }
    } else {
      let most = max(farOf(near[k], sums[k]), limitOf(weight));
      lower(placeOf(mine, other), most);
      if (params.isByPair == 0u) { lower(other, most); }
    }
  }
}

@compute @workgroup_size(256)
fn weighBridges(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= min(atomicLoad(&count), params.room)) { return; }
  let bridge = bridges[k];
  var weight = UNLIMITED;
  if (isCandidate(bitcast<f32>(bridge.z), numbers[bridge.x], numbers[bridge.y])) {
    weight = exactSquared(bridge.x, bridge.y);
    if (isLess64(weight, core[bridge.x])) { weight = core[bridge.x]; }
    if (isLess64(weight, core[bridge.y])) { weight = core[bridge.y]; }
  }
  bridges[k] = vec4u(bridge.xy, weight);
}
