// The largest errors of a lattice's sums in each cell of a coarse raster. Points are counted by cell, and the counts
// are spread, axis by axis, with the largest errors for positions that many cells apart. latticeErrors.ts derives the
// sums.

import gpu::dispatch::linearWorkgroup;

struct ErrorParams {
  // Cells on each axis, 1 on an unused one; cell 0 begins at `origin`.
  counts: vec4u,
  origin: vec4f,
  perUnit: f32,
  // Points or cells [begin, end) of this dispatch.
  begin: u32,
  end: u32,
  // Cells to either side.
  reach: u32,
  // Stride from one cell to the next on this axis, and cells on it.
  stride: u32,
  along: u32,
}

@group(0) @binding(0) var<storage, read> points: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> pointCounts: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> params: ErrorParams;
@group(0) @binding(3) var<storage, read> counted: array<u32>;
// By cells apart: weight, its error, weighted difference, its error.
@group(0) @binding(4) var<storage, read> maxima: array<vec4f>;
// For each cell: sums of weights, of their errors, of differences, of their errors.
@group(0) @binding(5) var<storage, read> errorsIn: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> errorsOut: array<vec4f>;

// Cell of a position. A position outside the box is moved to its border.
fn errorCell(at: vec4f, counts: vec4u, origin: vec4f, perUnit: f32) -> u32 {
  let cell = min(vec4u(max((at - origin) * perUnit, vec4f())), counts - 1u);
  return cell.x + counts.x * (cell.y + counts.y * cell.z);
}

@compute @workgroup_size(256)
fn countByCell(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let k = params.begin + linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (k >= params.end) { return; }
  atomicAdd(&pointCounts[errorCell(points[k], params.counts, params.origin, params.perUnit)], 1u);
}

// Index of a cell on this axis; first and last cell in its reach.
fn span(cell: u32) -> vec3u {
  let index = cell / params.stride % params.along;
  return vec3u(index, index - min(index, params.reach), min(index + params.reach, params.along - 1u));
}

fn apart(a: u32, b: u32) -> u32 { return max(a, b) - min(a, b); }

@compute @workgroup_size(256)
fn spreadCounts(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let cell = params.begin + linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (cell >= params.end) { return; }
  let s = span(cell);
  var sum = vec4f();
  for (var i = s.y; i <= s.z; i++) { sum += f32(counted[cell - (s.x - i) * params.stride]) * maxima[apart(i, s.x)]; }
  errorsOut[cell] = sum;
}

@compute @workgroup_size(256)
fn spreadErrors(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let cell = params.begin + linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (cell >= params.end) { return; }
  let s = span(cell);
  var sum = vec4f();
  for (var i = s.y; i <= s.z; i++) {
    let here = errorsIn[cell - (s.x - i) * params.stride];
    let top = maxima[apart(i, s.x)];
    sum += here * top.x + vec4f(0.0, here.x * top.y, here.x * top.z, here.x * top.w + here.y * top.z + here.z * top.y);
  }
  errorsOut[cell] = sum;
}
