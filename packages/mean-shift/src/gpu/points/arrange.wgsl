// Moves vectors, as words, between the order of the points and the order of their cells: see vector.wgsl.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::points::vector::BLOCKS;

struct ArrangeParams {
  count: u32,
  axes: u32,
  // Of vectors of two parts: quads from the upper part to the lower one, else 0; and the value of one unit of the upper
  // part.
  low: u32,
  quantum: f32,
}

@group(0) @binding(0) var<storage, read> vectorsIn: array<vec4i>;
@group(0) @binding(1) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(2) var<storage, read_write> vectorsOut: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> coordsOut: array<f32>;
@group(0) @binding(4) var<storage, read> weightsIn: array<f32>;
@group(0) @binding(5) var<storage, read_write> weightsOut: array<f32>;
@group(0) @binding(6) var<uniform> params: ArrangeParams;

struct Scaling {
  center: vec4f,
  factor: f32,
  count: u32,
  // Coordinates of a point, at most 4.
  axes: u32,
}

@group(0) @binding(7) var<storage, read> coordsIn: array<f32>;
@group(0) @binding(8) var<uniform> scaling: Scaling;

// Scales the caller's points to vectors of one quad: (x − center) · factor, rounded twice, as vectorScale.ts computes
// it for the box.
@compute @workgroup_size(256)
fn scalePoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= scaling.count) { return; }
  let word = i * scaling.axes;
  var offset = vec4f(coordsIn[word] - scaling.center.x, 0.0, 0.0, 0.0);
  if (scaling.axes > 1u) { offset.y = coordsIn[word + 1u] - scaling.center.y; }
  if (scaling.axes > 2u) { offset.z = coordsIn[word + 2u] - scaling.center.z; }
  if (scaling.axes > 3u) { offset.w = coordsIn[word + 3u] - scaling.center.w; }
  vectorsOut[i] = bitcast<vec4i>(offset * scaling.factor);
}

// Copies the first axes, for the grid.
@compute @workgroup_size(256)
fn project(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= params.count) { return; }
  let words = vectorsIn[i * BLOCKS];
  var vector: vec4f;
  if (params.low > 0u) {
    vector = fma(vec4f(words), vec4f(params.quantum), bitcast<vec4f>(vectorsIn[i * BLOCKS + params.low]));
  } else {
    vector = bitcast<vec4f>(words);
  }
  coordsOut[i * params.axes] = vector.x;
  if (params.axes > 1u) { coordsOut[i * params.axes + 1u] = vector.y; }
  if (params.axes > 2u) { coordsOut[i * params.axes + 2u] = vector.z; }
  if (params.axes > 3u) { coordsOut[i * params.axes + 3u] = vector.w; }
}

// vectorsOut[k] = vectorsIn[pointOrder[k]]
@compute @workgroup_size(256)
fn gatherVectors(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= params.count) { return; }
  let i = pointOrder[k];
  for (var b = 0u; b < BLOCKS; b++) { vectorsOut[k * BLOCKS + b] = vectorsIn[i * BLOCKS + b]; }
}

// vectorsOut[pointOrder[k]] = vectorsIn[k]; the same for weights.
@compute @workgroup_size(256)
fn scatterVectors(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= params.count) { return; }
  let i = pointOrder[k];
  for (var b = 0u; b < BLOCKS; b++) { vectorsOut[i * BLOCKS + b] = vectorsIn[k * BLOCKS + b]; }
  weightsOut[i] = weightsIn[k];
}
