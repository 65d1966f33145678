// Reduction to one word in two dispatches: to one operand per workgroup, then to one word.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::operators::{combine, identity, neutral, operandOf, wordOfOperand};
import package::workgroupScan::scanWorkgroup;

struct ReduceParams {
  atMost: u32,
  countWord: u32,
  groups: u32,
  // Words from one element to the next, and the word of an element to reduce.
  stride: u32,
  field: u32,
}

@group(0) @binding(0) var<storage, read> input: array<u32>;
// The same buffer four words at a time, for elements of one word.
@group(0) @binding(1) var<storage, read> quads: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> partials: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;
@group(0) @binding(4) var<uniform> params: ReduceParams;

const WIDTH: u32 = 256u;
const QUADS: u32 = 8u;

fn combineQuad(total: vec4u, quad: vec4u) -> vec4u {
  return vec4u(
    combine(total.x, operandOf(quad.x)),
    combine(total.y, operandOf(quad.y)),
    combine(total.z, operandOf(quad.z)),
    combine(total.w, operandOf(quad.w))
  );
}

// The combination of this invocation's quads; the invocations of the dispatch stride over all `quadCount` quads.
fn reduceQuads(first: u32, step: u32, quadCount: u32) -> u32 {
  var totals = vec4u(neutral());
  var i = first;
  // Independent loads: bandwidth needs many bytes in flight.
  while (i < quadCount && (QUADS - 1u) * step < quadCount - i) {
    var loaded: array<vec4u, QUADS>;
    for (var k = 0u; k < QUADS; k++) { loaded[k] = quads[i + k * step]; }
    for (var k = 0u; k < QUADS; k++) { totals = combineQuad(totals, loaded[k]); }
    i += QUADS * step;
  }
  for (; i < quadCount; i += step) { totals = combineQuad(totals, quads[i]); }
  return combine(combine(totals.x, totals.y), combine(totals.z, totals.w));
}

@compute @workgroup_size(256)
fn reduceToGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let count = elementCount(params.atMost, params.countWord);
  let first = group * WIDTH + lane;
  let step = params.groups * WIDTH;
  var total = neutral();
  var rest = 0u;
  if (params.stride == 1u) {
    total = reduceQuads(first, step, count / 4u);
    rest = count / 4u * 4u;
  }
  for (var i = rest + first; i < count; i += step) {
    total = combine(total, operandOf(input[i * params.stride + params.field]));
  }
  let scanned = scanWorkgroup(lane, total);
  if (lane == 0u && group < params.groups) { partials[group] = scanned.total; }
}

@compute @workgroup_size(256)
fn reduceToWord(@builtin(local_invocation_index) lane: u32) {
  var total = neutral();
  for (var g = lane; g < params.groups; g += WIDTH) { total = combine(total, partials[g]); }
  let scanned = scanWorkgroup(lane, total);
  let count = elementCount(params.atMost, params.countWord);
  if (lane == 0u) { output[0] = wordOfOperand(select(scanned.total, identity(), count == 0u)); }
}
