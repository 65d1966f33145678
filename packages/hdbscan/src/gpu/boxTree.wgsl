// Points in Morton order and a tree of boxes over them, as kernels read it. A position is a place in this order. A leaf
// is LEAF_POINTS positions in a row; a node of the next level holds FANOUT nodes in a row. So the tree is complete, and
// indices alone say where parents and children are, and which nodes there are. Nodes are numbered from the root down,
// as in a heap, with room on each level for a full one: level 0, the leaves, is the last.
//
// Float32 decides only that a point or a box is certainly too far: `relative` holds (x − corner) · 2^−q, rounded, with
// an error of at most slack / 2 on an axis, and the box of all points has sides of at most 1. A difference on an axis,
// less `slack`, is at most the true one. Squares and sums in float32 have a relative error below (dim + 4) · 2^−24, and
// `shrink` is 1 − (dim + 4) · 2^−22; flushed subnormals only lower the sum. All other pairs are decided in software
// float64, so every result is that of float64.
//
// Uses bindings 80 to 83 of group 0.

import gpu_primitives::float64::{absoluteDifference64, add64, float64From32, multiply64};

// 0: any number of dimensions, as `tree` says. A number compiles kernels for it, which keep `own` in registers.
override DIM: u32 = 0u;

const LEAF_POINTS: u32 = 8u;
const FANOUT_BITS: u32 = 2u;
const FANOUT: u32 = 4u;
const NONE: u32 = 0xffffffffu;
// Above every float64 that is not negative.
const UNLIMITED: vec2u = vec2u(NONE, NONE);
// Above the squared diagonal of 16 sides of length 1.
const FAR: f32 = 1024.0;

struct BoxTreeParams {
  n: u32,
  dim: u32,
  // 1: the caller's coordinates are float64.
  isWide: u32,
  // The level of the root, and the leaves.
  height: u32,
  leaves: u32,
  // 2^unit turns squared distances of the caller's coordinates into those of `relative`.
  unit: i32,
  slack: f32,
  shrink: f32,
}

@group(0) @binding(80) var<uniform> tree: BoxTreeParams;
// By position: the axes, four a vector; missing axes are 0.
@group(0) @binding(81) var<storage, read> relative: array<vec4f>;
// By position: the caller's coordinates, two words each if float64.
@group(0) @binding(82) var<storage, read> words: array<u32>;
// Of each node the lower bounds, then the upper bounds, as vectors.
@group(0) @binding(83) var<storage, read> boxes: array<vec4f>;

fn dimOf() -> u32 {
  if (DIM == 0u) { return tree.dim; }
  return DIM;
}

// Vectors of a point.
fn chunksOf() -> u32 {
  return (dimOf() + 3u) >> 2u;
}

// Nodes of a level.
fn levelSize(level: u32) -> u32 {
  return (tree.leaves + (1u << (FANOUT_BITS * level)) - 1u) >> (FANOUT_BITS * level);
}

fn nodeExists(level: u32, index: u32) -> bool {
  return (index << (FANOUT_BITS * level)) < tree.leaves;
}

// The number of a node. Above d full levels of four stand (4^d − 1) / 3 nodes: d pairs of bits 01.
fn nodeOf(level: u32, index: u32) -> u32 {
  return index + (0x55555555u & ((1u << (FANOUT_BITS * (tree.height - level))) - 1u));
}

fn nodeCount() -> u32 {
  return nodeOf(0u, tree.leaves);
}

// The point whose neighbours an invocation searches.
var<private> own: array<vec4f, 4>;

fn loadOwn(position: u32) {
  let chunks = chunksOf();
  for (var c = 0u; c < chunks; c++) { own[c] = relative[position * chunks + c]; }
}

// A lower bound of the squared distance between `own` and the points of a node, in the unit of `relative`.
fn nodeNear(node: u32) -> f32 {
  let chunks = chunksOf();
  let low = node * 2u * chunks;
  var sum = 0.0;
  for (var c = 0u; c < chunks; c++) {
    let gap = max(boxes[low + c] - own[c], own[c] - boxes[low + chunks + c]) - tree.slack;
    let outside = max(gap, vec4f());
    sum += dot(outside, outside);
  }
  return sum * tree.shrink;
}

// The box of a node that an invocation searches around: lower bounds, upper bounds.
var<private> ownBox: array<vec4f, 8>;

fn loadOwnBox(node: u32) {
  let count = 2u * chunksOf();
  for (var c = 0u; c < count; c++) { ownBox[c] = boxes[node * count + c]; }
}

// A lower bound of the squared distance between points of `ownBox` and those of a node.
fn boxNear(node: u32) -> f32 {
  let chunks = chunksOf();
  let low = node * 2u * chunks;
  var sum = 0.0;
  for (var c = 0u; c < chunks; c++) {
    let gap = max(boxes[low + c] - ownBox[chunks + c], ownBox[c] - boxes[low + chunks + c]) - tree.slack;
    let outside = max(gap, vec4f());
    sum += dot(outside, outside);
  }
  return sum * tree.shrink;
}

// A lower bound of the squared distance between points of `ownBox` and the point at a position.
fn boxPointNear(position: u32) -> f32 {
  let chunks = chunksOf();
  var sum = 0.0;
  for (var c = 0u; c < chunks; c++) {
    let at = relative[position * chunks + c];
    let outside = max(max(at - ownBox[chunks + c], ownBox[c] - at) - tree.slack, vec4f());
    sum += dot(outside, outside);
  }
  return sum * tree.shrink;
}

// A lower bound of the squared distance between `own` and the point at a position.
fn pointNear(position: u32) -> f32 {
  let chunks = chunksOf();
  var sum = 0.0;
  for (var c = 0u; c < chunks; c++) {
    let gap = max(abs(relative[position * chunks + c] - own[c]) - tree.slack, vec4f());
    sum += dot(gap, gap);
  }
  return sum * tree.shrink;
}

// A bit for each point of a leaf: whether its `pointNear` is at most a limit. All loads are under way at once.
fn pointsNear(leaf: u32, limit: f32) -> u32 {
  let first = leaf * LEAF_POINTS;
  if (first >= tree.n) { return 0u; }
  var bits = 0u;
  for (var k = 0u; k < LEAF_POINTS; k++) { bits |= select(0u, 1u << k, pointNear(first + k) <= limit); }
  return bits & ((1u << min(LEAF_POINTS, tree.n - first)) - 1u);
}

// At least the squared distance, in the unit of `relative`, of a point with this `pointNear`: on an axis the true
// difference exceeds the one less `slack` by at most 2 · slack. 2^−14 is above the errors of roots, squares and sums.
fn farOf(near: f32) -> f32 {
  let reach = sqrt(near) + 2.0 * tree.slack * sqrt(f32(dimOf()));
  return reach * reach * (1.0 + 0x1p-14);
}

fn wideAt(index: u32) -> vec2u {
  if (tree.isWide == 1u) { return vec2u(words[2u * index], words[2u * index + 1u]); }
  return float64From32(words[index]);
}

// d² in float64: the same sum, in the same order, as squaredDistance of @epsball/clustering. Its loop has no constant
// end: compilers would unroll it, and take seconds for that.
fn exactSquared(a: u32, b: u32) -> vec2u {
  let dim = tree.dim;
  var sum = vec2u();
  for (var d = 0u; d < dim; d++) {
    let delta = absoluteDifference64(wideAt(a * dim + d), wideAt(b * dim + d));
    sum = add64(sum, multiply64(delta, delta));
  }
  return sum;
}

// A float32 in the unit of `relative` that is at least the squared distance.
fn limitOf(squared: vec2u) -> f32 {
  return float32Of(squared, 1u);
}

// One that is at most the squared distance.
fn floorOf(squared: vec2u) -> f32 {
  return float32Of(squared, 0u);
}

// `up` 0: rounded down, 1: up.
fn float32Of(squared: vec2u, up: u32) -> f32 {
  let field = squared.y >> 20u;
  if (field >= 2047u) { return FAR; }
  // A subnormal is above 0 and below 2^−1022.
  if (field + up == 0u) { return 0.0; }
  // The bits below the 23 of a float32 round up or down.
  let exponent = i32(max(field, 1u)) - 1023 + tree.unit;
  if (exponent >= 10) { return FAR; }
  if (exponent < -125) { return bitcast<f32>(up * 0x01000000u); }
  let mantissa = ((squared.y & 0xfffffu) << 3u) | (squared.x >> 29u);
  return bitcast<f32>((u32(exponent + 127) << 23u) + select(mantissa, 0x7fffffu, field == 0u) + up);
}
