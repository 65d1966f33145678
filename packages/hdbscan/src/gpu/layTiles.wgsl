// Lays points out in the tiles of tiles.wgsl.

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::float64::{absoluteDifference64, isLess64};
import package::gpu::boxTree::{floorOf, tree, wideAt};
import package::gpu::tiles::{GROUPS, NOWHERE, SIDE, axisOf, shape};

// Two words an axis: float64.
@group(0) @binding(0) var<storage, read> centre: array<vec2u>;
@group(0) @binding(1) var<storage, read_write> tilesOut: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> lowsOut: array<f32>;

// `tree.unit` turns differences, not their squares, into the unit of tiles.
@compute @workgroup_size(256)
fn layTiles(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let index = workgroupNumber(at) * 256u + lane;
  if (index >= arrayLength(&tilesOut)) { return; }
  let axis = (index / GROUPS) % shape.axes;
  let first = index / (GROUPS * shape.axes) * SIDE + 4u * (index % GROUPS);
  var group = vec4f();
  for (var k = 0u; k < 4u; k++) {
    if (first + k < tree.n && axis < tree.dim && shape.least < 1.0) { group[k] = coordinate(first + k, axis); }
  }
  tilesOut[index] = group;
}

fn coordinate(position: u32, axis: u32) -> f32 {
  let own = wideAt(position * tree.dim + axis);
  let middle = centre[axis];
  let size = floorOf(absoluteDifference64(own, middle));
  return select(size, -size, isBelow(own, middle));
}

// a < b for float64 of any sign.
fn isBelow(a: vec2u, b: vec2u) -> bool {
  let isNegative = (a.y >> 31u) == 1u;
  if (isNegative != ((b.y >> 31u) == 1u)) { return isNegative; }
  if (isNegative) { return isLess64(b, a); }
  return isLess64(a, b);
}

@compute @workgroup_size(256)
fn layLows(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let position = workgroupNumber(at) * 256u + lane;
  if (position >= arrayLength(&lowsOut)) { return; }
  var norm = 0.0;
  for (var d = 0u; d < shape.axes; d++) { norm += axisOf(position, d) * axisOf(position, d); }
  lowsOut[position] = select(NOWHERE, norm * (1.0 - shape.band) - 0x1p-101, position < tree.n);
}
