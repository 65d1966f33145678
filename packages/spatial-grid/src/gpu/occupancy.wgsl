// Ranked cells: the rank of an occupied cell is the number of occupied cells before it, from one bit per cell of the
// box. So cells need no sort, and arrays by cell have a word per occupied cell, not one per cell of the box.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::grid::grid;

// `cellAxes` of grid.wgsl for a ranked grid. Bits and ranks are there; the ids of the cells are written.
@group(0) @binding(0) var<storage, read_write> cellAxesOut: array<u32>;
// By point: id of its cell in the box; replaced by the cell's rank.
@group(0) @binding(1) var<storage, read_write> cells: array<u32>;
// By rank: number of points in the cell, initially 0.
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
// By point: its number in its cell, in any order.
@group(0) @binding(3) var<storage, read_write> ranks: array<u32>;

@compute @workgroup_size(256)
fn rankCells(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= grid.n) { return; }
  let id = cells[i];
  let pair = grid.rowsAt + 2u * (id >> 5u);
  let rank = cellAxesOut[pair + 1u] + countOneBits(cellAxesOut[pair] & ((1u << (id & 31u)) - 1u));
  cells[i] = rank;
  let number = atomicAdd(&counts[rank], 1u);
  ranks[i] = number;
  if (number == 0u) { cellAxesOut[rank] = id; }
}
