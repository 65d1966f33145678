// Kernels for the tests of this package: they report parameters as a kernel reads them, and which workgroups ran.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::dispatch::foldDispatch;

struct ProbeParams {
  length: u32,
  shift: i32,
  scale: f32,
  corner: vec3f,
  strides: vec4u,
  table: array<vec4i, 2>,
}

override BIAS: u32 = 0u;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<uniform> params: ProbeParams;
@group(0) @binding(3) var<storage, read_write> visits: array<atomic<u32>>;

// Writes every field of the parameters in order, one word per component.
@compute @workgroup_size(1)
fn copyParams() {
  output[0] = params.length;
  output[1] = bitcast<u32>(params.shift);
  output[2] = bitcast<u32>(params.scale);
  for (var k = 0u; k < 3u; k++) { output[3u + k] = bitcast<u32>(params.corner[k]); }
  for (var k = 0u; k < 4u; k++) { output[6u + k] = params.strides[k]; }
  for (var k = 0u; k < 8u; k++) { output[10u + k] = bitcast<u32>(params.table[k / 4u][k % 4u]); }
}

@compute @workgroup_size(256)
fn addBias(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i < arrayLength(&input)) { output[i] = input[i] + BIAS; }
}

// Counts how often each workgroup of a folded dispatch ran.
@compute @workgroup_size(1)
fn countVisits(at: Workgroup) {
  let group = workgroupNumber(at);
  if (group < arrayLength(&visits)) { atomicAdd(&visits[group], 1u); }
}

// Folds each input word on the device.
@compute @workgroup_size(64)
fn foldOnDevice(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&input)) { return; }
  let counts = foldDispatch(input[id.x]);
  for (var k = 0u; k < 3u; k++) { output[3u * id.x + k] = counts[k]; }
}
