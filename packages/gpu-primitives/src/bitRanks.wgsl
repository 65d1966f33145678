// Ranks of set bits: for each word of a bit array the number of bits in the words before it, beside the word. The rank
// of a bit is then two reads of one cache line: pairs[w].y + countOneBits(pairs[w].x & (bit − 1)).
//   countBits   bits of every word; an exclusive scan follows
//   pairWords   the pairs, and one more that holds 0 and the number of all bits
// Source: Jacobson 1989, Space-efficient static trees and graphs.

import gpu::dispatch::{Workgroup, workgroupNumber};

struct BitParams {
  words: u32,
}

@group(0) @binding(0) var<storage, read> bits: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
@group(0) @binding(2) var<storage, read> ranks: array<u32>;
@group(0) @binding(3) var<storage, read_write> pairs: array<vec2u>;
@group(0) @binding(4) var<uniform> params: BitParams;

@compute @workgroup_size(256)
fn countBits(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let word = workgroupNumber(at) * 256u + lane;
  if (word < params.words) { counts[word] = countOneBits(bits[word]); }
  if (word == params.words) { counts[word] = 0u; }
}

@compute @workgroup_size(256)
fn pairWords(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let word = workgroupNumber(at) * 256u + lane;
  if (word < params.words) { pairs[word] = vec2u(bits[word], ranks[word]); }
  if (word == params.words) { pairs[word] = vec2u(0u, ranks[word]); }
}
