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
