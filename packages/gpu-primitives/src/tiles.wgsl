// Shares of an input: it is divided into tiles, and every workgroup, or every invocation that works alone, takes the
// same number of neighbouring tiles.

// Positions [begin, end).
struct Span {
  begin: u32,
  end: u32,
}

fn spanOf(share: u32, length: u32, count: u32) -> Span {
  let begin = min(share * length, count);
  return Span(begin, min(begin + length, count));
}

// Elements that a lone invocation sums before it adds the sum to the rest: the error of a float sum grows with the
// longest chain of additions. Shares are multiples of it.
const BLOCK: u32 = 64u;

const WIDTH: u32 = 256u;
// Elements per invocation and tile. Odd, to avoid bank conflicts between lanes that read their own items in workgroup
// memory. Software adapters unroll the rows, so they take few.
override ITEMS: u32 = 7u;
const MAX_ITEMS: u32 = 7u;
override TILE: u32 = WIDTH * ITEMS;

var<workgroup> staged: array<u32, TILE>;
