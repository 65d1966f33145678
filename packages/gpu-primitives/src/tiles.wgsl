// Shares of an input: it is cut into tiles, of which every workgroup, or every invocation that works alone, takes as many
// neighbouring ones.

// Positions [begin, end).
struct Span {
  begin: u32,
  end: u32,
}

// Share number `share` of shares of `length` elements each.
fn spanOf(share: u32, length: u32, count: u32) -> Span {
  let begin = min(share * length, count);
  return Span(begin, min(begin + length, count));
}

// Elements that an invocation which works alone adds up in a row before it adds them to the rest: the error of a float sum grows
// with the longest row. Shares are multiples of it.
const BLOCK: u32 = 64u;
