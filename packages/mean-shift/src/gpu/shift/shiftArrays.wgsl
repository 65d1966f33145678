// The arrays of a run, as structures of arrays: axis d of element i is at d · stride + i. Coordinates are integer
// numbers of quanta, |x| ≤ 2^29. Remainders, if there are any, follow as the bits of floats in device units, in the
// same order. Takes bindings 0 to 4.

import package::gpu::points::vector::WeightedSum;
import package::gpu::shift::weightedSum::{
  Coordinates, DIM, FLOATS, floats, HAS_REMAINDER, noCoordinates, PRODUCTS, withSquare
};

// One dispatch: sums over a range of points for a range of slots.
struct ShiftSlice {
  // Numbers of points and positions: the strides of their arrays.
  n: u32,
  m: u32,
  // Points [begin, end), in parts of `pointsPerPart`.
  begin: u32,
  end: u32,
  pointsPerPart: u32,
  parts: u32,
  // Slots [firstSlot, firstSlot + slots).
  firstSlot: u32,
  slots: u32,
  // 1: slot k is position moving[k]; 0: position k.
  isListed: u32,
  // 1: earlier dispatches have stored sums over other points.
  isContinued: u32,
  // A position with a smaller squared step has arrived.
  tolerance2: f32,
  // A power of two, in device units.
  quantum: f32,
}

// If coordinates take one float: the bits of floats in device units, see shiftFloats.wgsl.
@group(0) @binding(0) var<storage, read> points: array<i32>;
@group(0) @binding(1) var<storage, read> positions: array<i32>;
@group(0) @binding(2) var<storage, read> moving: array<u32>;
// By part and axis, the weight last: a row of `slots` words.
@group(0) @binding(3) var<storage, read_write> partials: array<f32>;
@group(0) @binding(4) var<uniform> slice: ShiftSlice;

// Bits of the low part of a coordinate.
const LOW: i32 = 0xff;

// One coordinate of a point or of a position. `isPoint` is constant at each call, so there is no branch.
fn coordinate(isPoint: bool, i: u32, axis: u32) -> i32 {
  if (isPoint) { return points[axis * slice.n + i]; }
  return positions[axis * slice.m + i];
}

fn quadOf(isPoint: bool, i: u32, first: u32) -> vec4i {
  var quad = vec4i(coordinate(isPoint, i, first), 0, 0, 0);
  if (DIM > first + 1u) { quad.y = coordinate(isPoint, i, first + 1u); }
  if (DIM > first + 2u) { quad.z = coordinate(isPoint, i, first + 2u); }
  if (DIM > first + 3u) { quad.w = coordinate(isPoint, i, first + 3u); }
  return quad;
}

fn highPart(isPoint: bool, quad: vec4i) -> vec4i {
  if (HAS_REMAINDER || (FLOATS == 1u && isPoint)) { return quad; }
  if (FLOATS == 1u) { return bitcast<vec4i>(vec4f(quad) * slice.quantum); }
  return bitcast<vec4i>(vec4f(quad & vec4i(~LOW)) * slice.quantum);
}

fn remainderOf(isPoint: bool, i: u32, first: u32) -> vec4f {
  var remainder = vec4i(coordinate(isPoint, i, DIM + first), 0, 0, 0);
  if (DIM > first + 1u) { remainder.y = coordinate(isPoint, i, DIM + first + 1u); }
  if (DIM > first + 2u) { remainder.z = coordinate(isPoint, i, DIM + first + 2u); }
  if (DIM > first + 3u) { remainder.w = coordinate(isPoint, i, DIM + first + 3u); }
  return bitcast<vec4f>(remainder);
}

fn lowPart(isPoint: bool, i: u32, first: u32, quad: vec4i) -> vec4f {
  if (HAS_REMAINDER) { return remainderOf(isPoint, i, first); }
  return vec4f(quad & vec4i(LOW)) * slice.quantum;
}

fn coordinatesOf(isPoint: bool, i: u32) -> Coordinates {
  var found = noCoordinates();
  let a = quadOf(isPoint, i, 0u);
  found.high.a = highPart(isPoint, a);
  if (FLOATS > 1u) { found.low.a = lowPart(isPoint, i, 0u, a); }
  if (DIM > 4u) {
    let b = quadOf(isPoint, i, 4u);
    found.high.b = highPart(isPoint, b);
    if (FLOATS > 1u) { found.low.b = lowPart(isPoint, i, 4u, b); }
  }
  if (DIM > 8u) {
    let c = quadOf(isPoint, i, 8u);
    found.high.c = highPart(isPoint, c);
    if (FLOATS > 1u) { found.low.c = lowPart(isPoint, i, 8u, c); }
  }
  if (DIM > 12u) {
    let d = quadOf(isPoint, i, 12u);
    found.high.d = highPart(isPoint, d);
    if (FLOATS > 1u) { found.low.d = lowPart(isPoint, i, 12u, d); }
  }
  return found;
}

// A point, with the square of its length for products.
fn pointAt(i: u32) -> Coordinates {
  let point = coordinatesOf(true, i);
  if (PRODUCTS) { return withSquare(point); }
  return point;
}

fn twice(bits: vec4i) -> vec4i { return bitcast<vec4i>(2.0 * floats(bits)); }

// The position in a slot of this dispatch, or twice the position for products. Slots beyond the last have any position.
fn positionAt(k: u32) -> Coordinates {
  let slot = slice.firstSlot + min(k, slice.slots - 1u);
  var i = slot;
  if (slice.isListed == 1u) { i = moving[slot]; }
  var position = coordinatesOf(false, i);
  if (PRODUCTS) {
    position.high.a = twice(position.high.a);
    if (DIM > 4u) { position.high.b = twice(position.high.b); }
    if (DIM > 8u) { position.high.c = twice(position.high.c); }
    if (DIM > 12u) { position.high.d = twice(position.high.d); }
  }
  return position;
}

fn accumulateWord(k: u32, row: u32, sum: f32) {
  let at = row * slice.slots + k;
  partials[at] = select(0.0, partials[at], slice.isContinued == 1u) + sum;
}

fn accumulateQuad(k: u32, row: u32, first: u32, sum: vec4f) {
  accumulateWord(k, row + first, sum.x);
  if (DIM > first + 1u) { accumulateWord(k, row + first + 1u, sum.y); }
  if (DIM > first + 2u) { accumulateWord(k, row + first + 2u, sum.z); }
  if (DIM > first + 3u) { accumulateWord(k, row + first + 3u, sum.w); }
}

// Adds the sum over a part to what earlier dispatches have stored for the slot.
fn accumulateSum(k: u32, part: u32, sum: WeightedSum) {
  if (k >= slice.slots) { return; }
  let row = part * (DIM + 1u);
  accumulateQuad(k, row, 0u, sum.vector.a);
  if (DIM > 4u) { accumulateQuad(k, row, 4u, sum.vector.b); }
  if (DIM > 8u) { accumulateQuad(k, row, 8u, sum.vector.c); }
  if (DIM > 12u) { accumulateQuad(k, row, 12u, sum.vector.d); }
  accumulateWord(k, row + DIM, sum.weight);
}
