// Bounding box of float32 points, one box per workgroup; the host combines them. Source: Milanesi, GPU-DBSCAN, §3.1.

import package::gpu::grid::DIM;

struct BoundsParams {
  n: u32,
  groups: u32,
}

@group(0) @binding(0) var<storage, read> coords: array<u32>;
// Per workgroup and axis: smallest and largest coordinate as ordered words.
@group(0) @binding(1) var<storage, read_write> boxes: array<vec2u>;
@group(0) @binding(2) var<uniform> params: BoundsParams;

const WIDTH: u32 = 256u;

var<workgroup> partial: array<vec2u, WIDTH>;

// Words in the order of the floats that they encode. Integer minima keep subnormals; float minima may flush them.
fn ordered(word: u32) -> u32 {
  return select(word | 0x80000000u, ~word, (word >> 31u) == 1u);
}

@compute @workgroup_size(256)
fn computeBounds(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  for (var d = 0u; d < DIM; d++) {
    var box = vec2u(0xffffffffu, 0u);
    for (var i = groupId.x * WIDTH + lane; i < params.n; i += params.groups * WIDTH) {
      let word = ordered(coords[i * DIM + d]);
      box = vec2u(min(box.x, word), max(box.y, word));
    }
    partial[lane] = box;
    workgroupBarrier();
    for (var half = WIDTH / 2u; half > 0u; half /= 2u) {
      if (lane < half) {
        let other = partial[lane + half];
        partial[lane] = vec2u(min(partial[lane].x, other.x), max(partial[lane].y, other.y));
      }
      workgroupBarrier();
    }
    if (lane == 0u) { boxes[groupId.x * DIM + d] = partial[0]; }
    workgroupBarrier();
  }
}
