// The graph, for kernels that read it: rows firstRow … endRow − 1, whose edges begin at edges[0].
// Uses bindings 66 to 69 of group 0.

struct RowsParams {
  firstRow: u32,
  endRow: u32,
}

@group(0) @binding(66) var<uniform> rows: RowsParams;
@group(0) @binding(67) var<storage, read> rowStart: array<u32>;
@group(0) @binding(68) var<storage, read> edges: array<u32>;
// Neighbours of each point, without itself, for all rows.
@group(0) @binding(69) var<storage, read> degrees: array<u32>;

// Places [x, y) of row i among the edges.
fn rowRange(i: u32) -> vec2u {
  let base = rowStart[rows.firstRow];
  return vec2u(rowStart[i] - base, rowStart[i + 1u] - base);
}
