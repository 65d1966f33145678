// What the kernels of the radix sort share: parameters, keys, and how a key's digit is read. One pass of the sort moves the
// keys by one digit of DIGIT_BITS bits; a workgroup takes one tile. Keys of two words lie low word first.

import package::order::keyOfWord;

struct RadixParams {
  // Keys at most; `deviceCount` says how many.
  atMost: u32,
  countWord: u32,
  tiles: u32,
  // Neighbouring tiles that one workgroup counts, and how many such chunks there are.
  chunkTiles: u32,
  chunks: u32,
  // Words from one digit's counts of chunks to the next one's, a multiple of four.
  pitch: u32,
  // Keys of a tile. Kernels of workgroups know it themselves, at compile time.
  tileLength: u32,
  // Which word of the key holds the digit, where in it, and 2^bits − 1.
  word: u32,
  shift: u32,
  digitMask: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<uniform> params: RadixParams;
// By tile and digit: how often the digit occurs in earlier tiles of the same chunk. Where invocations work alone, radixAlone.wgsl
// says what.
@group(0) @binding(2) var<storage, read_write> tileCounts: array<u32>;
@group(0) @binding(3) var<storage, read_write> digitTotals: array<u32>;
// By chunk and digit: how often the digit occurs in earlier chunks.
@group(0) @binding(9) var<storage, read_write> chunkStarts: array<u32>;

// How a key's word is read: 0 = u32, 1 = i32, 2 = f32. Not ELEMENT, which would change what the scans of counts add.
override KEY_ELEMENT: u32 = 0u;
override KEY_WORDS: u32 = 1u;
// At most 8: a workgroup's invocations own a digit each.
override DIGIT_BITS: u32 = 8u;
// Quads of keys that an invocation takes, 1 to 3.
override QUADS: u32 = 2u;
// Invocations of a workgroup.
override WIDTH: u32 = 256u;

const MAX_DIGITS: u32 = 256u;

// What an invocation holds of a column. No array: loops over it would have to be unrolled to keep it in registers.
struct Items {
  a: vec4u,
  b: vec4u,
  c: vec4u,
}

fn tileLength() -> u32 {
  return 4u * QUADS * WIDTH;
}

// Digits of a pass with all of its bits: words of a tile's or a chunk's row.
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
