// Position of the least or greatest element in two dispatches, as in reduce.wgsl: first one candidate per workgroup,
// then the best of them. A candidate is a key, smaller is better, and its index. Ties go to the lower index, so the
// result does not depend on the order of comparisons.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::operators::{ELEMENT, MIN, OPERATOR, identity, wordOfOperand};
import package::order::{keyOfWord, wordOfKey};

struct ArgReduceParams {
  // Upper bound of the count; the count itself is in `deviceCount`.
  atMost: u32,
  countWord: u32,
  // Workgroups of the first dispatch.
  groups: u32,
  // Words from one element to the next, and the word of an element to compare.
  stride: u32,
  field: u32,
}

struct Candidate {
  key: u32,
  index: u32,
}

@group(0) @binding(0) var<storage, read> input: array<u32>;
// The same buffer four words at a time, for elements of one word.
@group(0) @binding(1) var<storage, read> quads: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> candidates: array<Candidate>;
// Index, then value.
@group(0) @binding(3) var<storage, read_write> output: array<u32>;
@group(0) @binding(4) var<uniform> params: ArgReduceParams;

const WIDTH: u32 = 256u;
const QUADS: u32 = 4u;
const NONE: u32 = 0xffffffffu;
const CHUNK: u32 = 16u;
// One word of padding per chunk avoids bank conflicts between the lanes that scan chunks.
const PLACES: u32 = WIDTH + WIDTH / CHUNK;

var<workgroup> ofLanes: array<Candidate, PLACES>;
var<workgroup> ofChunks: array<Candidate, CHUNK>;

// For max: complements reverse the order of keys.
fn flip() -> u32 {
  return select(0xffffffffu, 0u, OPERATOR == MIN);
}

fn searchKey(word: u32) -> u32 {
  return keyOfWord(word, ELEMENT) ^ flip();
}

fn better(a: Candidate, b: Candidate) -> Candidate {
  let isSecond = b.key < a.key || (b.key == a.key && b.index < a.index);
  return Candidate(select(a.key, b.key, isSecond), select(a.index, b.index, isSecond));
}

// The best of a workgroup's candidates; all invocations receive it. Three barriers, as in workgroupScan.wgsl.
fn bestOfWorkgroup(lane: u32, candidate: Candidate) -> Candidate {
  ofLanes[lane + lane / CHUNK] = candidate;
  workgroupBarrier();
  if (lane < CHUNK) {
    var best = ofLanes[lane * (CHUNK + 1u)];
    for (var k = 1u; k < CHUNK; k++) { best = better(best, ofLanes[lane * (CHUNK + 1u) + k]); }
    ofChunks[lane] = best;
  }
  workgroupBarrier();
  var best = ofChunks[0];
  for (var k = 1u; k < CHUNK; k++) { best = better(best, ofChunks[k]); }
  return best;
}

// The best of this invocation's quads. A component keeps the first quad that is strictly better. It never accepts a
// quad whose keys are all NONE; `searchLast` handles that case.
fn bestOfQuads(first: u32, step: u32, quadCount: u32) -> Candidate {
  var bestKeys = vec4u(NONE);
  var bestQuads = vec4u(NONE);
  var i = first;
  while (i < quadCount && (QUADS - 1u) * step < quadCount - i) {
    // Independent loads: bandwidth needs many bytes in flight.
    var loaded: array<vec4u, QUADS>;
    for (var k = 0u; k < QUADS; k++) { loaded[k] = quads[i + k * step]; }
    for (var k = 0u; k < QUADS; k++) {
      let keys = keysOfQuad(loaded[k]);
      bestQuads = select(bestQuads, vec4u(i + k * step), keys < bestKeys);
      bestKeys = min(bestKeys, keys);
    }
    i += QUADS * step;
  }
  for (; i < quadCount; i += step) {
    let keys = keysOfQuad(quads[i]);
    bestQuads = select(bestQuads, vec4u(i), keys < bestKeys);
    bestKeys = min(bestKeys, keys);
  }
  var best = Candidate(NONE, NONE);
  for (var c = 0u; c < 4u; c++) {
    if (bestQuads[c] != NONE) { best = better(best, Candidate(bestKeys[c], 4u * bestQuads[c] + c)); }
  }
  return best;
}

fn keysOfQuad(quad: vec4u) -> vec4u {
  return vec4u(searchKey(quad.x), searchKey(quad.y), searchKey(quad.z), searchKey(quad.w));
}

@compute @workgroup_size(256)
fn searchGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let count = elementCount(params.atMost, params.countWord);
  let first = group * WIDTH + lane;
  let step = params.groups * WIDTH;
  var best = Candidate(NONE, NONE);
  var rest = 0u;
  if (params.stride == 1u) {
    best = bestOfQuads(first, step, count / 4u);
    rest = count / 4u * 4u;
  }
  for (var i = rest + first; i < count; i += step) {
    best = better(best, Candidate(searchKey(input[i * params.stride + params.field]), i));
  }
  best = bestOfWorkgroup(lane, best);
  if (lane == 0u && group < params.groups) { candidates[group] = best; }
}

@compute @workgroup_size(256)
fn searchLast(@builtin(local_invocation_index) lane: u32) {
  var best = Candidate(NONE, NONE);
  for (var g = lane; g < params.groups; g += WIDTH) { best = better(best, candidates[g]); }
  best = bestOfWorkgroup(lane, best);
  if (lane != 0u) { return; }
  let count = elementCount(params.atMost, params.countWord);
  // No key was better than NONE, so all keys equal NONE and the first one wins.
  if (best.key == NONE && count > 0u) { best.index = 0u; }
  output[0] = best.index;
  output[1] = select(wordOfKey(best.key ^ flip(), ELEMENT), wordOfOperand(identity()), count == 0u);
}
