// Position of the least or greatest element in two dispatches, as in reduce.wgsl: first one candidate per workgroup,
// then the best of them. A candidate is a key, smaller is better, and its index. Ties go to the lower index, so the
// result does not depend on the order of comparisons.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::operators::{ELEMENT, MIN, OPERATOR, identity, wordOfOperand};
import package::order::{keyOfWord, wordOfKey};

struct ArgReduceParams {
  atMost: u32,
  countWord: u32,
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
@group(0) @binding(1) var<storage, read_write> candidates: array<Candidate>;
// Index, then value.
@group(0) @binding(2) var<storage, read_write> output: array<u32>;
@group(0) @binding(3) var<uniform> params: ArgReduceParams;

const WIDTH: u32 = 256u;
// Independent loads: bandwidth needs many bytes in flight.
const LOADS: u32 = 8u;
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

@compute @workgroup_size(256)
fn searchGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let count = elementCount(params.atMost, params.countWord);
  let step = params.groups * WIDTH;
  var best = Candidate(NONE, NONE);
  for (var first = group * WIDTH + lane; first < count; first += LOADS * step) {
    var words: array<u32, LOADS>;
    for (var k = 0u; k < LOADS; k++) {
      let i = first + k * step;
      if (i < count) { words[k] = input[i * params.stride + params.field]; }
    }
    for (var k = 0u; k < LOADS; k++) {
      let i = first + k * step;
      if (i < count) { best = better(best, Candidate(searchKey(words[k]), i)); }
    }
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
  output[0] = best.index;
  output[1] = select(wordOfKey(best.key ^ flip(), ELEMENT), wordOfOperand(identity()), count == 0u);
}
