// A step of a climb: to the weighted mean of the points around. Candidates come from the rows of cells around the climb's place, wherever it
// has got to; without a grid every point is one.
// Source: Agnolucci 2020, Algorithm 6; Comaniciu and Meer 2002, §2.
// Takes bindings 0 to 6 of group 0.

import spatial_grid::gpu::grid::{DIM, IS_SPARSE, cellAxes, cellStart, coordinatesOf, grid, isBefore, rowCount, rowDelta};
import package::gpu::place::{BLOCKS, Place, Pull, bothPulls, noPull};

override IS_FLAT: bool = false;
override HAS_GRID: bool = true;

struct ClimbParams {
  // Of the grid, on the first four axes.
  cellCounts: vec4u,
  origin: vec4f,
  invSide: vec4f,
  n: u32,
  // Points farther away weigh nothing.
  radius2: f32,
  // A climb has ended when a squared step is shorter.
  minStep2: f32,
  // This step's word in `lengths`, and the first place of `climbing` that this dispatch takes.
  word: u32,
  first: u32,
  // 1: the first step, of all climbs; `climbing` is not there yet.
  isFirst: u32,
  // 1: no climb goes on after this step.
  isLast: u32,
}

@group(0) @binding(0) var<storage, read> points: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> places: array<vec4f>;
// Of each climb's last step.
@group(0) @binding(2) var<storage, read_write> weights: array<f32>;
// Climbs that take this step, and those that will take the next one. Their order has no meaning.
@group(0) @binding(3) var<storage, read> climbing: array<u32>;
@group(0) @binding(4) var<storage, read_write> goingOn: array<u32>;
// How many there are, step by step.
@group(0) @binding(5) var<storage, read_write> lengths: array<atomic<u32>>;
@group(0) @binding(6) var<uniform> params: ClimbParams;

// A sum of so many terms is finished before it is added to the rest: rounding grows with their square root, not with all.
const TERMS: u32 = 256u;

fn placeAt(k: u32) -> Place {
  var place = Place(places[k * BLOCKS], vec4f(), vec4f(), vec4f());
  if (BLOCKS > 1u) { place.b = places[k * BLOCKS + 1u]; }
  if (BLOCKS > 2u) { place.c = places[k * BLOCKS + 2u]; }
  if (BLOCKS > 3u) { place.d = places[k * BLOCKS + 3u]; }
  return place;
}

fn addPoint(sum: Pull, at: Place, k: u32) -> Pull {
  var next = sum;
  let a = points[k * BLOCKS] - at.a;
  var d2 = dot(a, a);
  var b = vec4f();
  var c = vec4f();
  var d = vec4f();
  if (BLOCKS > 1u) { b = points[k * BLOCKS + 1u] - at.b; d2 += dot(b, b); }
  if (BLOCKS > 2u) { c = points[k * BLOCKS + 2u] - at.c; d2 += dot(c, c); }
  if (BLOCKS > 3u) { d = points[k * BLOCKS + 3u] - at.d; d2 += dot(d, d); }
  var weight = 1.0;
  // Coordinates are scaled so that this is the Gaussian of the bandwidth.
  if (!IS_FLAT) { weight = exp2(-d2); }
  weight = select(0.0, weight, d2 <= params.radius2);
  next.to.a = fma(vec4f(weight), a, next.to.a);
  if (BLOCKS > 1u) { next.to.b = fma(vec4f(weight), b, next.to.b); }
  if (BLOCKS > 2u) { next.to.c = fma(vec4f(weight), c, next.to.c); }
  if (BLOCKS > 3u) { next.to.d = fma(vec4f(weight), d, next.to.d); }
  next.weight += weight;
  return next;
}

// Of every stride-th point from `begin` on.
fn pullOf(at: Place, begin: u32, end: u32, stride: u32) -> Pull {
  var total = noPull();
  for (var start = begin; start < end; start += TERMS * stride) {
    var sum = noPull();
    for (var k = start; k < min(start + TERMS * stride, end); k += stride) { sum = addPoint(sum, at, k); }
    total = bothPulls(total, sum);
  }
  return total;
}

// First position of the occupied cells that are not before `cell`.
fn sparseStart(cell: vec4u) -> u32 {
  var low = 0u;
  var high = cellAxes[0];
  while (low < high) {
    let middle = (low + high) / 2u;
    if (isBefore(coordinatesOf(middle), cell)) { low = middle + 1u; } else { high = middle; }
  }
  return cellStart[low];
}

// Positions in row `row` around a cell, which need not be in the box.
fn candidatesOf(cell: vec4i, row: u32) -> vec2u {
  var rowCell = cell;
  let delta = rowDelta(row);
  rowCell.y += i32(delta.x);
  rowCell.z += i32(delta.y);
  rowCell.w += i32(delta.z);
  let low = max(cell.x - 1, 0);
  let high = min(cell.x + 1, i32(params.cellCounts.x) - 1);
  var isInside = low <= high;
  if (DIM > 1u) { isInside = isInside && rowCell.y >= 0 && rowCell.y < i32(params.cellCounts.y); }
  if (DIM > 2u) { isInside = isInside && rowCell.z >= 0 && rowCell.z < i32(params.cellCounts.z); }
  if (DIM > 3u) { isInside = isInside && rowCell.w >= 0 && rowCell.w < i32(params.cellCounts.w); }
  if (!isInside) { return vec2u(); }
  // The grid counts its cells from 1.
  var first = vec4u(u32(low) + 1u, 0u, 0u, 0u);
  if (DIM > 1u) { first.y = u32(rowCell.y) + 1u; }
  if (DIM > 2u) { first.z = u32(rowCell.z) + 1u; }
  if (DIM > 3u) { first.w = u32(rowCell.w) + 1u; }
  let count = u32(high - low) + 1u;
  if (IS_SPARSE) { return vec2u(sparseStart(first), sparseStart(first + vec4u(count, 0u, 0u, 0u))); }
  let id = first.x + first.y * grid.strides.y + first.z * grid.strides.z + first.w * grid.strides.w;
  return vec2u(cellStart[id], cellStart[id + count]);
}

// Of every stride-th candidate, from candidate `lane` of each row on.
fn pullAround(at: Place, lane: u32, stride: u32) -> Pull {
  if (!HAS_GRID) { return pullOf(at, lane, params.n, stride); }
  let cells = floor((at.a - params.origin) * params.invSide);
  // Clamped two cells off the box, where there are no candidates either.
  let cell = vec4i(clamp(cells, vec4f(-2.0), vec4f(params.cellCounts) + 1.0));
  var total = noPull();
  for (var row = 0u; row < rowCount(); row++) {
    let range = candidatesOf(cell, row);
    total = bothPulls(total, pullOf(at, range.x + lane, range.y, stride));
  }
  return total;
}

// Moves climb k; whether it goes on.
fn follow(k: u32, at: Place, pull: Pull) -> bool {
  weights[k] = pull.weight;
  if (pull.weight == 0.0) { return false; }
  let a = pull.to.a / pull.weight;
  var length2 = dot(a, a);
  places[k * BLOCKS] = at.a + a;
  if (BLOCKS > 1u) {
    let b = pull.to.b / pull.weight;
    length2 += dot(b, b);
    places[k * BLOCKS + 1u] = at.b + b;
  }
  if (BLOCKS > 2u) {
    let c = pull.to.c / pull.weight;
    length2 += dot(c, c);
    places[k * BLOCKS + 2u] = at.c + c;
  }
  if (BLOCKS > 3u) {
    let d = pull.to.d / pull.weight;
    length2 += dot(d, d);
    places[k * BLOCKS + 3u] = at.d + d;
  }
  return length2 >= params.minStep2 && params.isLast == 0u;
}

// Which climb is item k of this step.
fn climbOf(item: u32) -> u32 {
  if (params.isFirst == 1u) { return item; }
  return climbing[item];
}
