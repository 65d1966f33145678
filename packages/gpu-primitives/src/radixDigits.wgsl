// What the kernels of the radix sort share: parameters, keys, and how a key's digit is read. One pass of the sort moves the
// keys by one digit of DIGIT_BITS bits. Keys of two words lie low word first.

import package::order::keyOfWord;

struct RadixParams {
  // Keys at most; `deviceCount` says how many.
  atMost: u32,
  countWord: u32,
  tilesPerGroup: u32,
  groups: u32,
  // Which word of the key holds the digit, where in it, and 2^bits − 1.
  word: u32,
  shift: u32,
  digitMask: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<uniform> params: RadixParams;
// By digit and workgroup: first how often the digit occurs there, then how often in the workgroups before it.
@group(0) @binding(2) var<storage, read_write> groupCounts: array<u32>;
@group(0) @binding(3) var<storage, read_write> digitTotals: array<u32>;

// How a key's word is read: 0 = u32, 1 = i32, 2 = f32. Not ELEMENT, which would change what the scans of counts add.
override KEY_ELEMENT: u32 = 0u;
// At most 8: a workgroup's invocations own a digit each.
override DIGIT_BITS: u32 = 8u;
override KEY_WORDS: u32 = 1u;

const WIDTH: u32 = 256u;
// Keys of an invocation in a tile. Software adapters compile a kernel for every row of it, so they take few.
override ITEMS: u32 = 12u;
// Words of workgroup memory: a tile, or the teams' counters.
override STAGED: u32 = 3072u;
const MAX_ITEMS: u32 = 32u;
const MAX_DIGITS: u32 = 256u;

fn digitOf(word: u32) -> u32 {
  return (keyOfWord(word, KEY_ELEMENT) >> params.shift) & params.digitMask;
}

fn digitWord(i: u32) -> u32 {
  return keys[i * KEY_WORDS + params.word];
}
