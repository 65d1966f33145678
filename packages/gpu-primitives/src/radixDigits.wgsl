// Common parts of the radix sort's kernels: parameters, keys, and digits of keys. A pass sorts by one digit of
// DIGIT_BITS bits. A workgroup takes one tile. Keys of two words have the low word first.

import package::order::keyOfWord;

struct RadixParams {
  atMost: u32,
  countWord: u32,
  tiles: u32,
  // Tiles per chunk, and number of chunks. One workgroup counts one chunk.
  chunkTiles: u32,
  chunks: u32,
  // Words from one digit's row of chunk counts to the next, a multiple of four.
  pitch: u32,
  // Keys per tile. Kernels of workgroups know it at compile time.
  tileLength: u32,
  // The word of the key that holds the digit, the digit's shift in it, and 2^bits − 1.
  word: u32,
  shift: u32,
  digitMask: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<uniform> params: RadixParams;
// By tile and digit: the digit's count in earlier tiles of the same chunk. radixAlone.wgsl uses it differently.
@group(0) @binding(2) var<storage, read_write> tileCounts: array<u32>;
@group(0) @binding(3) var<storage, read_write> digitTotals: array<u32>;
// By chunk and digit: the digit's count in earlier chunks.
@group(0) @binding(9) var<storage, read_write> chunkStarts: array<u32>;

// Type of a key's word: 0 = u32, 1 = i32, 2 = f32. Not ELEMENT, which sets the type that scans of counts add.
override KEY_ELEMENT: u32 = 0u;
override KEY_WORDS: u32 = 1u;
// At most 8: each invocation of a workgroup owns one digit.
override DIGIT_BITS: u32 = 8u;
override QUADS: u32 = 2u;
override WIDTH: u32 = 256u;

const MAX_DIGITS: u32 = 256u;

// One column (keys, places or values) of an invocation. No array: the compiler keeps an array in registers only if
// every loop over it is unrolled.
struct Items {
  a: vec4u,
  b: vec4u,
  c: vec4u,
}

fn tileLength() -> u32 {
  return 4u * QUADS * WIDTH;
}

fn digitCount() -> u32 {
  return 1u << DIGIT_BITS;
}

fn digitOf(word: u32) -> u32 {
  return (keyOfWord(word, KEY_ELEMENT) >> params.shift) & params.digitMask;
}

// Word `word` of keys i, i + step …; 0 past the end.
fn loadKeys(i: u32, step: u32, end: u32, word: u32) -> Items {
  var items: Items;
  items.a = loadQuad(i, step, end, word);
  if (QUADS > 1u) { items.b = loadQuad(i + 4u * step, step, end, word); }
  if (QUADS > 2u) { items.c = loadQuad(i + 8u * step, step, end, word); }
  return items;
}

fn loadQuad(i: u32, step: u32, end: u32, word: u32) -> vec4u {
  var quad = vec4u(0u);
  if (i < end) { quad.x = keys[i * KEY_WORDS + word]; }
  if (i + step < end) { quad.y = keys[(i + step) * KEY_WORDS + word]; }
  if (i + 2u * step < end) { quad.z = keys[(i + 2u * step) * KEY_WORDS + word]; }
  if (i + 3u * step < end) { quad.w = keys[(i + 3u * step) * KEY_WORDS + word]; }
  return quad;
}
