// Points in tiles of 128, for kernels that meet all pairs, and what float32 says of a pair.
//
// A kernel sees r = (x − centre) · 2^−q, cut to float32, where |r|² ≤ 1. With S the sum of the squared norms of two
// points and u = 2^−24, the squared distance is |r|² + |s|² − 2 r·s within band · S + 2^−100, where band is
// (2 · dim + 32) · u:
// - a sum of dim products in any order, fused or not, has an error of at most dim · u / (1 − dim · u) of the sum of
//   their magnitudes, which for r·s is at most S / 2. So both norms and 2 r·s have 2 · dim · u · S together, and less
//   than 1 · u · S above that for dim ≤ 1536;
// - coordinates are cut by 2 · u of them, so points move by at most 2 · u · |r|, a distance by 2√2 · u · √S, and its
//   square, which is at most 2 · S, by 8 · u · S;
// - the products and sums of `nearVector` have 5 · u · S, float64's own roundings less than u · S;
// - 2^−100 is above what flushed subnormals lose.
// `lows` are the squared norms · (1 − band) − 2^−101, so the sum less 2 r·s is at most the squared distance, and the
// upper bound is above it by 2 · band · S.
//
// Uses bindings 81, 83 and 88 of group 0.

const SIDE: u32 = 128u;
// Vectors of four points on one axis of a tile.
const GROUPS: u32 = 32u;
const SLAB: u32 = 8u;
const STEP: u32 = 16u;
// `near` of places behind the last point, and above that of points.
const NOWHERE: f32 = 0x1p100;

struct TileParams {
  // Axes of a tile: dim, and zeros to a multiple of SLAB.
  axes: u32,
  band: f32,
  // What an upper bound has beyond the band: 2^−98; or 1024 where coordinates leave the range of float32 squares, are
  // all 0 therefore, and float64 decides every pair.
  least: f32,
  // 8, the rows of an invocation. A loop over them has no constant end: compilers would unroll it, for seconds.
  rows: u32,
}

// By tile, then by axis: four points a vector.
@group(0) @binding(81) var<storage, read> tiles: array<vec4f>;
@group(0) @binding(83) var<storage, read> lows: array<vec4f>;
@group(0) @binding(88) var<uniform> shape: TileParams;

var<workgroup> rowSlab: array<vec4f, 256>;
var<workgroup> columnSlab: array<vec4f, 256>;

// The products of the 8 × 8 pairs of an invocation: of each row, its products with columns 4 · x … and 64 + 4 · x ….
// Rows are 4 · y … and 64 + 4 · y …, where the lane is 16 · y + x.
var<private> products: array<vec4f, 16>;

// All invocations of 256 must call it. Sums are not in `products`, because a compiler keeps no array in registers that
// loops read.
fn multiplyTiles(rowTile: u32, columnTile: u32, lane: u32) {
  let x = lane % STEP;
  let y = lane / STEP;
  let rowStart = rowTile * shape.axes * GROUPS + lane;
  let columnStart = columnTile * shape.axes * GROUPS + lane;
  var row = tiles[rowStart];
  var column = tiles[columnStart];
  var a0 = vec4f(); var a1 = vec4f(); var a2 = vec4f(); var a3 = vec4f();
  var a4 = vec4f(); var a5 = vec4f(); var a6 = vec4f(); var a7 = vec4f();
  var b0 = vec4f(); var b1 = vec4f(); var b2 = vec4f(); var b3 = vec4f();
  var b4 = vec4f(); var b5 = vec4f(); var b6 = vec4f(); var b7 = vec4f();
  for (var first = 0u; first < shape.axes; first += SLAB) {
    workgroupBarrier();
    rowSlab[lane] = row;
    columnSlab[lane] = column;
    workgroupBarrier();
    // The next slab is on its way during the products of this one.
    let next = min(first + SLAB, shape.axes - SLAB) * GROUPS;
    row = tiles[rowStart + next];
    column = tiles[columnStart + next];
    for (var d = 0u; d < SLAB; d++) {
      let at = d * GROUPS;
      let r = rowSlab[at + y];
      let s = rowSlab[at + y + STEP];
      let a = columnSlab[at + x];
      let b = columnSlab[at + x + STEP];
      a0 += r.x * a; b0 += r.x * b;
      a1 += r.y * a; b1 += r.y * b;
      a2 += r.z * a; b2 += r.z * b;
      a3 += r.w * a; b3 += r.w * b;
      a4 += s.x * a; b4 += s.x * b;
      a5 += s.y * a; b5 += s.y * b;
      a6 += s.z * a; b6 += s.z * b;
      a7 += s.w * a; b7 += s.w * b;
    }
  }
  products = array(a0, b0, a1, b1, a2, b2, a3, b3, a4, b4, a5, b5, a6, b6, a7, b7);
}

// The row of a tile that has the k-th pair of an invocation's products.
fn rowOf(k: u32, lane: u32) -> u32 {
  return 4u * (lane / STEP) + (k & 3u) + 64u * (k >> 2u);
}

fn lowOf(position: u32) -> f32 {
  return lows[position >> 2u][position & 3u];
}

fn axisOf(position: u32, axis: u32) -> f32 {
  return tiles[((position / SIDE) * shape.axes + axis) * GROUPS + (position % SIDE) / 4u][position & 3u];
}

// Lower bounds of squared distances, by products.
fn nearVector(low: f32, others: vec4f, products: vec4f) -> vec4f {
  return max(low + others - 2.0 * products, vec4f());
}

// At least the squared distance of points with this lower bound and this sum of `lows`.
fn farOf(near: f32, sum: f32) -> f32 {
  return near + 2.5 * shape.band * max(sum, 0.0) + shape.least;
}

// A lower bound by differences: their squares have a relative error below (dim + 4) · u, half of this; and distances
// have moved by less than half of 2^−21 · √S. For points that are near to each other, compared with their norms.
fn nearByDifferences(a: u32, b: u32) -> f32 {
  var sum = 0.0;
  for (var d = 0u; d < shape.axes; d++) {
    let delta = axisOf(a, d) - axisOf(b, d);
    sum += delta * delta;
  }
  let moved = 0x1p-21 * sqrt(max(lowOf(a) + lowOf(b), 0.0)) + 0x1p-100;
  let distance = max(sqrt(sum * (1.0 - shape.band)) - moved, 0.0);
  return distance * distance * (1.0 - 0x1p-20);
}
