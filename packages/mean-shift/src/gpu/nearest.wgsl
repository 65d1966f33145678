// The nearest cluster centre of every point: all are compared, one after another, however many and wherever they are.

import gpu::dispatch::linearWorkgroup;
import package::gpu::place::BLOCKS;

struct NearestParams {
  // Points [begin, end) of this dispatch.
  begin: u32,
  end: u32,
  centers: u32,
  // Points farther from every centre get no label.
  radius2: f32,
}

@group(0) @binding(0) var<storage, read> points: array<vec4f>;
// Original index of each point.
@group(0) @binding(1) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(2) var<storage, read> centers: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> labels: array<i32>;
@group(0) @binding(4) var<uniform> params: NearestParams;

fn squaredDistance(point: u32, center: u32) -> f32 {
  var sum = 0.0;
  for (var q = 0u; q < BLOCKS; q++) {
    let delta = points[point * BLOCKS + q] - centers[center * BLOCKS + q];
    sum += dot(delta, delta);
  }
  return sum;
}

@compute @workgroup_size(256)
fn labelNearest(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let k = params.begin + linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (k >= params.end) { return; }
  var least = squaredDistance(k, 0u);
  var nearest = 0;
  for (var c = 1u; c < params.centers; c++) {
    let d2 = squaredDistance(k, c);
    // Of equally near centres the first.
    if (d2 < least) { least = d2; nearest = i32(c); }
  }
  labels[pointOrder[k]] = select(-1, nearest, least <= params.radius2);
}
