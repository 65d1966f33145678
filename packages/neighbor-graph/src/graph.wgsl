// The neighbour graph in CSR form, for kernels that build it. A row holds the stored edges of one point. Rows and
// columns are positions. A row does not contain its own point.
// Source: Andrade et al. 2013, G-DBSCAN, the arrays Va (degree, start) and Ea.
// Uses bindings 60 to 64 of group 0: with those of a grid, eight storage buffers a kernel, as many as every device
// binds.

import spatial_grid::gpu::neighborhood::neighborhood;

// Which edges are stored (GraphParams.storedEdges), i → j:
const ALL: u32 = 0u;             // every edge
const CORE: u32 = 1u;            // j core, and i not core or j < i: each pair of core points once, and borders
const CORE_TO_CORE: u32 = 2u;    // both core, j < i
const BORDER_TO_CORE: u32 = 3u;  // j core, i not

// Parameters, not overrides: some adapters compile software float64 for seconds, so one pipeline serves all values.
struct GraphParams {
  n: u32,
  dim: u32,
  minPts: u32,
  storedEdges: u32,
  firstRow: u32,
  endRow: u32,
  // The row whose edges begin at edges[0].
  baseRow: u32,
  // 1: write edges; 0: count them.
  isWriting: u32,
  // 1: the count keeps its first columns, and the write reads them. Only for dispatches over all rows.
  isKeeping: u32,
  // Part of the list of undecided rows for this dispatch.
  firstListed: u32,
  endListed: u32,
  // Word of `rowStart` at which the list of undecided rows begins.
  listAt: u32,
}

@group(0) @binding(60) var<uniform> graph: GraphParams;
// Neighbours of each point, without itself (Va degree). Unspecified if storedEdges is ALL.
@group(0) @binding(61) var<storage, read> degrees: array<u32>;
// The output. If edges are counted: stored edges of each row. If edges are written: columns of the rows of one chunk
// (Ea).
@group(0) @binding(62) var<storage, read_write> rowsOut: array<u32>;
// Exclusive sums of the row lengths modulo 2^32 (Va start), n + 1 words; differences within a chunk are exact. From
// word `listAt` on the words of `undecidedRows`.
@group(0) @binding(63) var<storage, read> rowStart: array<u32>;
// A part of the buffer of `rowStart`, for kernels that append. Word 0: number of undecided rows (rows with a pair that
// float32 cannot decide). Then these rows, each once.
@group(0) @binding(64) var<storage, read_write> undecidedRows: array<atomic<u32>>;

fn isCore(i: u32) -> bool {
  return degrees[i] + 1u >= graph.minPts;
}

// Whether any edge of row i is stored; `isCoreRow` is isCore(i), false where storedEdges is ALL.
fn storesRow(isCoreRow: bool) -> bool {
  if (graph.storedEdges == CORE_TO_CORE) { return isCoreRow; }
  if (graph.storedEdges == BORDER_TO_CORE) { return !isCoreRow; }
  return true;
}

// Whether the edge from i to its neighbour j is stored.
fn storesEdge(i: u32, j: u32, isCoreRow: bool) -> bool {
  if (graph.storedEdges == ALL) { return true; }
  if (isCoreRow && j > i) { return false; }
  return isCore(j);
}

fn isCoreRow(i: u32) -> bool {
  if (graph.storedEdges == ALL) { return false; }
  return isCore(i);
}

fn listUndecided(i: u32) {
  atomicStore(&undecidedRows[1u + atomicAdd(&undecidedRows[0], 1u)], i);
}

// Number of undecided rows in the part of the list for this dispatch, counted from the start of the list.
fn endOfListed() -> u32 {
  return min(rowStart[graph.listAt], graph.endListed);
}

fn listedRow(k: u32) -> u32 {
  return rowStart[graph.listAt + 1u + k];
}

fn isInRows(i: u32) -> bool {
  return i >= graph.firstRow && i < graph.endRow;
}

// Places [x, y) of row i among the edges of its chunk, limited to the size of the output; empty if edges are counted.
fn rowPlaces(i: u32) -> vec2u {
  if (graph.isWriting == 0u) { return vec2u(); }
  let base = rowStart[graph.baseRow];
  return vec2u(rowStart[i] - base, min(rowStart[i + 1u] - base, arrayLength(&rowsOut)));
}

// The middle of the band of squared distances that float32 leaves undecided, for rows that are not listed. The degree
// pass found every pair of such a row certain. Another kernel may round d² differently, but by less than half of the
// slack on either side (distanceBounds.ts). So a comparison with the middle gives the same result as the degree pass.
//
// For listed rows the comparison is only approximate: exact kernels write them again as a whole, and the writes here
// stay within the row.
fn bandMiddle() -> f32 {
  return 0.5 * (neighborhood.sureBelow + neighborhood.sureAbove);
}
