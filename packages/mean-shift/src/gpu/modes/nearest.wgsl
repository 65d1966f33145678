// The nearest cluster centre of every point. Every point is compared with all centres.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::points::vector::{BLOCKS, Vector};

struct NearestParams {
  begin: u32,
  end: u32,
  centers: u32,
  // Points farther from every centre get −1.
  radius2: f32,
}

@group(0) @binding(0) var<storage, read> points: array<vec4f>;
@group(0) @binding(1) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(2) var<storage, read> centers: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> labels: array<i32>;
@group(0) @binding(4) var<uniform> params: NearestParams;

const ANY_DISTANCE: f32 = 3.4e38;

const TILE: u32 = 128u;

var<workgroup> tile: array<vec4f, TILE * BLOCKS>;

fn pointOf(k: u32) -> Vector {
  var position = Vector(points[k * BLOCKS], vec4f(), vec4f(), vec4f());
  if (BLOCKS > 1u) { position.b = points[k * BLOCKS + 1u]; }
  if (BLOCKS > 2u) { position.c = points[k * BLOCKS + 2u]; }
  if (BLOCKS > 3u) { position.d = points[k * BLOCKS + 3u]; }
  return position;
}

fn squaredDistance(at: Vector, c: u32) -> f32 {
  let a = tile[c * BLOCKS] - at.a;
  var sum = dot(a, a);
  if (BLOCKS > 1u) { let b = tile[c * BLOCKS + 1u] - at.b; sum += dot(b, b); }
  if (BLOCKS > 2u) { let b = tile[c * BLOCKS + 2u] - at.c; sum += dot(b, b); }
  if (BLOCKS > 3u) { let b = tile[c * BLOCKS + 3u] - at.d; sum += dot(b, b); }
  return sum;
}

@compute @workgroup_size(256)
fn labelNearest(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = params.begin + workgroupNumber(at) * 256u + lane;
  let point = pointOf(min(k, params.end - 1u));
  var least = ANY_DISTANCE;
  var nearest = 0u;
  for (var first = 0u; first < params.centers; first += TILE) {
    let count = min(TILE, params.centers - first);
    workgroupBarrier();
    for (var q = lane; q < count * BLOCKS; q += 256u) { tile[q] = centers[first * BLOCKS + q]; }
    workgroupBarrier();
    for (var c = 0u; c < count; c++) {
      let d2 = squaredDistance(point, c);
      // Of several nearest centres the first.
      if (d2 < least) { least = d2; nearest = first + c; }
    }
  }
  if (k < params.end) { labels[pointOrder[k]] = select(-1, i32(nearest), least <= params.radius2); }
}
