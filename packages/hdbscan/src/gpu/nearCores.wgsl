// The first pass of cores.wgsl for small ranks: the nearest points are a list in registers, in float32.

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::float64::isLess64;
import package::gpu::boxTree::{FAR, LEAF_POINTS, NONE, UNLIMITED, exactSquared, farOf, limitOf, pointNear, pointsNear};
import package::gpu::coreSearch::{coreOut, limit, nextLeaf, params, startLeaves};

// Entries of the list: more than the rank by SPARE, at most LIST_MAX. A constant, so that loops over the list unroll.
override LIST: u32 = 32u;
const LIST_MAX: u32 = 32u;
// Entries beyond the rank. They are needed where points of about the same distance stand on both sides of the rank.
const SPARE: u32 = 2u;

// By position: points that are no farther than the core distance, or NONE.
@group(0) @binding(0) var<storage, read_write> nearOut: array<vec4u>;

// Ascending: `pointNear` of each entry, and its position. Entries that are not needed stand before all others.
var<private> nears: array<f32, LIST_MAX>;
var<private> positions: array<u32, LIST_MAX>;
// The least `pointNear` of a point that the list has refused or lost.
var<private> refused: f32;

@compute @workgroup_size(256)
fn nearCores(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let slot = workgroupNumber(at) * 256u + lane;
  if (slot >= params.count) { return; }
  let p = params.first + slot;
  for (var k = 0u; k < LIST; k++) { nears[k] = select(2.0 * FAR, -1.0, k < LIST - params.rank - SPARE); }
  refused = 2.0 * FAR;
  startLeaves(p);
  for (var leaf = p / LEAF_POINTS; leaf != NONE; leaf = nextLeaf()) {
    // Invocations in lockstep take as many entries as the one with the most, not one for each point of the leaf.
    for (var wanted = pointsNear(leaf, limit); wanted != 0u; wanted &= wanted - 1u) {
      let q = leaf * LEAF_POINTS + firstTrailingBit(wanted);
      let near = pointNear(q);
      // Points above the limit are farther than the core distance, which they do not make uncertain.
      if (near > limit) { continue; }
      if (near < nears[LIST - 1u]) { take(q, near); } else { refused = min(refused, near); }
    }
  }
  nearOut[p] = surelyNear(p);
  let core = coreOf(p);
  coreOut[p] = select(UNLIMITED, core, refused > limitOf(core) || all(core == vec2u()));
}

// Takes an entry into its place of the list. The last one is lost.
fn take(q: u32, near: f32) {
  var value = near;
  var position = q;
  for (var k = 0u; k < LIST; k++) {
    let known = nears[k];
    let knownPosition = positions[k];
    let isNearer = value < known;
    nears[k] = select(known, value, isNearer);
    positions[k] = select(knownPosition, position, isNearer);
    value = select(value, known, isNearer);
    position = select(position, knownPosition, isNearer);
  }
  refused = min(refused, value);
  limit = min(FAR, farOf(nears[LIST - SPARE - 1u]));
}

// Four points in the list, spread over it, that are surely no farther than the core distance: least distances have the
// order of their lower bounds.
fn surelyNear(p: u32) -> vec4u {
  var sure = vec4u(NONE);
  for (var j = 0u; j < 4u; j++) {
    let back = SPARE + 2u + 2u * j;
    if (back >= LIST) { continue; }
    let near = nears[LIST - 1u - back];
    let position = positions[LIST - 1u - back];
    if (near >= 0.0 && farOf(near) < nears[LIST - SPARE - 1u] && position != p) { sure[j] = position; }
  }
  return sure;
}

// The exact squared distance of the rank: entries that are surely nearer than its `pointNear` count, those that are
// surely farther do not, and the others are decided.
fn coreOf(p: u32) -> vec2u {
  let least = nears[LIST - SPARE - 1u];
  let most = farOf(least);
  var surely = 0u;
  var farther = 0u;
  for (var k = 0u; k < LIST; k++) {
    surely += select(0u, 1u, nears[k] < 0.0 || farOf(nears[k]) < least);
    farther += select(0u, 1u, nears[k] > most);
  }
  let close = LIST - surely - farther;
  // Ascending.
  var exact: array<vec2u, LIST_MAX>;
  for (var k = 0u; k < LIST; k++) { exact[k] = UNLIMITED; }
  // A loop of no constant end: software float64 once. The list moves by one, because an index would not be constant.
  for (var left = close + farther; left > 0u; left--) {
    if (left <= close) {
      var value = exactSquared(p, positions[LIST - 1u]);
      for (var k = 0u; k < LIST; k++) {
        let known = exact[k];
        let isNearer = isLess64(value, known);
        exact[k] = select(known, value, isNearer);
        value = select(value, known, isNearer);
      }
    }
    for (var k = LIST - 1u; k > 0u; k--) { positions[k] = positions[k - 1u]; }
  }
  var core = UNLIMITED;
  for (var k = 0u; k < LIST; k++) {
    if (k + surely + 1u == LIST - SPARE) { core = exact[k]; }
  }
  return core;
}
