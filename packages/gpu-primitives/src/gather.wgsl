// Copies records by an index list, from the listed places or to them.
//   gatherRecords   output[i] = input[indices[i]]; an index out of range gives zeros
//   scatterRecords  output[indices[i]] = input[i]; an index out of range writes nothing

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;

struct GatherParams {
  atMost: u32,
  countWord: u32,
  stride: u32,
  // Number of records that an index may refer to.
  range: u32,
}

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read> indices: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;
@group(0) @binding(3) var<uniform> params: GatherParams;

const WIDTH: u32 = 256u;
// Words per invocation, at most the length of the arrays: independent reads hide the latency of distant addresses.
override ITEMS: u32 = 4u;
const MAX_ITEMS: u32 = 4u;

struct Place {
  record: u32,
  offset: u32,
}

fn placeOf(word: u32) -> Place {
  // Most records are single words, and a division costs more than the branch.
  if (params.stride == 1u) { return Place(word, 0u); }
  return Place(word / params.stride, word % params.stride);
}

@compute @workgroup_size(256)
fn gatherRecords(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let words = elementCount(params.atMost, params.countWord) * params.stride;
  let first = workgroupNumber(at) * (WIDTH * ITEMS) + lane;
  var sources: array<u32, MAX_ITEMS>;
  var loaded: array<u32, MAX_ITEMS>;
  for (var k = 0u; k < ITEMS; k++) {
    let place = placeOf(first + k * WIDTH);
    sources[k] = params.range;
    if (first + k * WIDTH < words) { sources[k] = indices[place.record]; }
  }
  for (var k = 0u; k < ITEMS; k++) {
    let place = placeOf(first + k * WIDTH);
    if (sources[k] < params.range) { loaded[k] = input[sources[k] * params.stride + place.offset]; }
  }
  for (var k = 0u; k < ITEMS; k++) {
    if (first + k * WIDTH < words) { output[first + k * WIDTH] = loaded[k]; }
  }
}

@compute @workgroup_size(256)
fn scatterRecords(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let words = elementCount(params.atMost, params.countWord) * params.stride;
  let first = workgroupNumber(at) * (WIDTH * ITEMS) + lane;
  var targets: array<u32, MAX_ITEMS>;
  var loaded: array<u32, MAX_ITEMS>;
  for (var k = 0u; k < ITEMS; k++) {
    let place = placeOf(first + k * WIDTH);
    targets[k] = params.range;
    if (first + k * WIDTH < words) {
      targets[k] = indices[place.record];
      loaded[k] = input[first + k * WIDTH];
    }
  }
  for (var k = 0u; k < ITEMS; k++) {
    let place = placeOf(first + k * WIDTH);
    if (targets[k] < params.range) { output[targets[k] * params.stride + place.offset] = loaded[k]; }
  }
}
