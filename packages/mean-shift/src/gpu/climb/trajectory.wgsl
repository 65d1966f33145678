// One step of a trajectory: to the weighted mean of the points around its position. Candidates come from the rows of
// cells around the position, which may lie outside the grid; cells beyond the radius are skipped. Without a grid every
// point is a candidate.
// Source: Agnolucci 2020, Algorithm 6; Comaniciu and Meer 2002, §2.
// Takes bindings 0 to 6 of group 0.

import spatial_grid::gpu::grid::{DIM, IS_SPARSE, cellStart, grid, lowerBound};
import package::gpu::points::vector::{BLOCKS, WeightedSum, VectorBits, addSums, zeroSum};

override IS_FLAT: bool = false;
override HAS_GRID: bool = true;
// Vectors of two parts: see vectorScale.ts.
override IS_WIDE: bool = false;

struct ClimbParams {
  // Of the grid, on the first four axes.
  cellCounts: vec4u,
  origin: vec4f,
  invSide: vec4f,
  // 0 on an axis of one cell, as invSide is.
  side: vec4f,
  n: u32,
  // Points farther away weigh 0.
  radius2: f32,
  // A trajectory ends with a shorter squared step.
  minStep2: f32,
  // Index of this step in `activeCounts`; first item of `activeList` for this dispatch.
  word: u32,
  first: u32,
  // 1: the first step, of all trajectories. `activeList` is not written yet.
  isFirst: u32,
  // 1: the last step. No trajectory stays active.
  isLast: u32,
  // Of vectors of two parts: the value of one unit of the upper part.
  quantum: f32,
}

@group(0) @binding(0) var<storage, read> points: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> positions: array<vec4i>;
// Sum of weights of each trajectory's last step.
@group(0) @binding(2) var<storage, read_write> weights: array<f32>;
// Trajectories that take this step, and those that take the next one, in any order.
@group(0) @binding(3) var<storage, read> activeList: array<u32>;
@group(0) @binding(4) var<storage, read_write> nextList: array<u32>;
// Number of active trajectories, step by step.
@group(0) @binding(5) var<storage, read_write> activeCounts: array<atomic<u32>>;
@group(0) @binding(6) var<uniform> params: ClimbParams;

// Partial sums of so many terms: rounding grows with the square root of the number of terms, not with the number.
const TERMS: u32 = 256u;

fn quads() -> u32 { return select(BLOCKS, 2u * BLOCKS, IS_WIDE); }

// A point or a position: all of it or the upper part, and the lower part.
struct Place { at: VectorBits, low: VectorBits }

// One quad of a point or of a position. `isPoint` is constant at each call, so there is no branch.
fn quadAt(isPoint: bool, q: u32) -> vec4i {
  if (isPoint) { return points[q]; }
  return positions[q];
}

fn wordsFrom(isPoint: bool, q: u32) -> VectorBits {
  var words = VectorBits(quadAt(isPoint, q), vec4i(), vec4i(), vec4i());
  if (BLOCKS > 1u) { words.b = quadAt(isPoint, q + 1u); }
  if (BLOCKS > 2u) { words.c = quadAt(isPoint, q + 2u); }
  if (BLOCKS > 3u) { words.d = quadAt(isPoint, q + 3u); }
  return words;
}

fn placeOf(isPoint: bool, k: u32) -> Place {
  let q = k * quads();
  var place: Place;
  place.at = wordsFrom(isPoint, q);
  if (IS_WIDE) { place.low = wordsFrom(isPoint, q + BLOCKS); }
  return place;
}

fn positionOf(k: u32) -> Place { return placeOf(false, k); }

// Four coordinates of two parts, rounded to one float.
fn rounded(high: vec4i, low: vec4i) -> vec4f {
  if (!IS_WIDE) { return bitcast<vec4f>(high); }
  return fma(vec4f(high), vec4f(params.quantum), bitcast<vec4f>(low));
}

// x − y. Upper parts are integers, so no compiler can combine them with the lower parts.
fn difference(x: vec4i, xLow: vec4i, y: vec4i, yLow: vec4i) -> vec4f {
  if (!IS_WIDE) { return bitcast<vec4f>(x) - bitcast<vec4f>(y); }
  return fma(vec4f(x - y), vec4f(params.quantum), bitcast<vec4f>(xLow) - bitcast<vec4f>(yLow));
}

// The body of the source's loop: adds one point, with the weight of its distance.
fn addPoint(sum: WeightedSum, position: Place, x: Place) -> WeightedSum {
  var next = sum;
  let a = difference(x.at.a, x.low.a, position.at.a, position.low.a);
  var d2 = dot(a, a);
  var b = vec4f();
  var c = vec4f();
  var d = vec4f();
  if (BLOCKS > 1u) { b = difference(x.at.b, x.low.b, position.at.b, position.low.b); d2 += dot(b, b); }
  if (BLOCKS > 2u) { c = difference(x.at.c, x.low.c, position.at.c, position.low.c); d2 += dot(c, c); }
  if (BLOCKS > 3u) { d = difference(x.at.d, x.low.d, position.at.d, position.low.d); d2 += dot(d, d); }
  var weight = 1.0;
  // Coordinates are scaled so that this is the Gaussian of the bandwidth.
  if (!IS_FLAT) { weight = exp2(-d2); }
  weight = select(0.0, weight, d2 <= params.radius2);
  next.vector.a = fma(vec4f(weight), a, next.vector.a);
  if (BLOCKS > 1u) { next.vector.b = fma(vec4f(weight), b, next.vector.b); }
  if (BLOCKS > 2u) { next.vector.c = fma(vec4f(weight), c, next.vector.c); }
  if (BLOCKS > 3u) { next.vector.d = fma(vec4f(weight), d, next.vector.d); }
  next.weight += weight;
  return next;
}

// The weighted sum of every stride-th point from `begin` on.
fn sumOver(position: Place, begin: u32, end: u32, stride: u32) -> WeightedSum {
  var total = zeroSum();
  for (var start = begin; start < end; start += TERMS * stride) {
    var sum = zeroSum();
    for (var k = start; k < min(start + TERMS * stride, end); k += stride) {
      sum = addPoint(sum, position, placeOf(true, k));
    }
    total = addSums(total, sum);
  }
  return total;
}

// Cells in a radius: the radius is shorter than so many sides.
override CELLS_PER_RADIUS: u32 = 1u;

// Largest rounding error of a coordinate in cells: see CELLS_MAX in vectorIndex.ts.
const SLACK: f32 = 1.0 / 64.0;

fn rowsAround() -> u32 {
  let width = 2u * CELLS_PER_RADIUS + 1u;
  if (DIM == 1u) { return 1u; }
  if (DIM == 2u) { return width; }
  if (DIM == 3u) { return width * width; }
  return width * width * width;
}

// A lower bound of the distance, in cells, from coordinate t to cell `index`.
fn gapTo(index: i32, t: f32) -> f32 { return max(0.0, max(f32(index) - t, t - f32(index) - 1.0) - SLACK); }

// Slots of the points in row `row` of the cells around a position that may be within the radius. t is the position in
// cells; it may lie outside the box.
fn candidatesOf(t: vec4f, row: u32) -> vec2u {
  let width = 2u * CELLS_PER_RADIUS + 1u;
  var first = vec4u(1u);
  var isInside = true;
  var gap2 = 0.0;
  if (DIM > 1u) {
    let y = i32(floor(t.y)) + i32(row % width) - i32(CELLS_PER_RADIUS);
    isInside = isInside && y >= 0 && y < i32(params.cellCounts.y);
    let gap = gapTo(y, t.y) * params.side.y;
    gap2 = fma(gap, gap, gap2);
    first.y = u32(y) + 1u;
  }
  if (DIM > 2u) {
    let z = i32(floor(t.z)) + i32(row / width % width) - i32(CELLS_PER_RADIUS);
    isInside = isInside && z >= 0 && z < i32(params.cellCounts.z);
    let gap = gapTo(z, t.z) * params.side.z;
    gap2 = fma(gap, gap, gap2);
    first.z = u32(z) + 1u;
  }
  if (DIM > 3u) {
    let w = i32(floor(t.w)) + i32(row / (width * width)) - i32(CELLS_PER_RADIUS);
    isInside = isInside && w >= 0 && w < i32(params.cellCounts.w);
    let gap = gapTo(w, t.w) * params.side.w;
    gap2 = fma(gap, gap, gap2);
    first.w = u32(w) + 1u;
  }
  // What is left of the squared radius for axis 0.
  let rest = params.radius2 - gap2;
  let half = sqrt(max(rest, 0.0)) * params.invSide.x + SLACK;
  let low = max(i32(floor(t.x - half)), 0);
  let high = min(i32(floor(t.x + half)), i32(params.cellCounts.x) - 1);
  if (!isInside || rest < 0.0 || low > high) { return vec2u(); }
  // The grid counts its cells from 1.
  first.x = u32(low) + 1u;
  if (DIM < 2u) { first.y = 0u; }
  if (DIM < 3u) { first.z = 0u; }
  if (DIM < 4u) { first.w = 0u; }
  let count = u32(high - low) + 1u;
  let after = first + vec4u(count, 0u, 0u, 0u);
  if (IS_SPARSE) { return vec2u(cellStart[lowerBound(first)], cellStart[lowerBound(after)]); }
  let id = first.x + first.y * grid.strides.y + first.z * grid.strides.z + first.w * grid.strides.w;
  return vec2u(cellStart[id], cellStart[id + count]);
}

// The weighted sum of every stride-th candidate, from candidate `lane` of each row on.
fn sumAround(position: Place, lane: u32, stride: u32) -> WeightedSum {
  if (!HAS_GRID) { return sumOver(position, lane, params.n, stride); }
  // Clamped to more than a radius outside the box, where there are no candidates.
  let off = f32(CELLS_PER_RADIUS) + 1.5;
  let inCells = (rounded(position.at.a, position.low.a) - params.origin) * params.invSide;
  let t = clamp(inCells, vec4f(-off), vec4f(params.cellCounts) + off);
  var total = zeroSum();
  for (var row = 0u; row < rowsAround(); row++) {
    let range = candidatesOf(t, row);
    total = addSums(total, sumOver(position, range.x + lane, range.y, stride));
  }
  return total;
}

// Moves four coordinates of a trajectory. If the lower part exceeds half a quantum, whole quanta move to the upper
// part.
fn moveQuad(q: u32, high: vec4i, low: vec4i, step: vec4f) {
  if (!IS_WIDE) { positions[q] = bitcast<vec4i>(bitcast<vec4f>(high) + step); return; }
  let sum = bitcast<vec4f>(low) + step;
  let whole = round(sum / params.quantum);
  positions[q] = high + vec4i(whole);
  positions[q + BLOCKS] = bitcast<vec4i>(fma(whole, vec4f(-params.quantum), sum));
}

// Moves trajectory k. Returns whether it stays active.
fn moveTrajectory(k: u32, position: Place, sum: WeightedSum) -> bool {
  weights[k] = sum.weight;
  if (sum.weight == 0.0) { return false; }
  let q = k * quads();
  let a = sum.vector.a / sum.weight;
  var length2 = dot(a, a);
  moveQuad(q, position.at.a, position.low.a, a);
  if (BLOCKS > 1u) {
    let b = sum.vector.b / sum.weight;
    length2 += dot(b, b);
    moveQuad(q + 1u, position.at.b, position.low.b, b);
  }
  if (BLOCKS > 2u) {
    let c = sum.vector.c / sum.weight;
    length2 += dot(c, c);
    moveQuad(q + 2u, position.at.c, position.low.c, c);
  }
  if (BLOCKS > 3u) {
    let d = sum.vector.d / sum.weight;
    length2 += dot(d, d);
    moveQuad(q + 3u, position.at.d, position.low.d, d);
  }
  return length2 >= params.minStep2 && params.isLast == 0u;
}

fn trajectoryOf(item: u32) -> u32 {
  if (params.isFirst == 1u) { return item; }
  return activeList[item];
}
