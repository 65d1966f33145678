// Sets of points that are neighbours of each other. In a grid of cells with a diagonal below eps these are the cells:
// any two points of a cell are neighbours, so its core points are one cluster, and a cell of minPts points has core
// points only. If no such cells exist, every point is its own set, in a grid of cells of side eps.
// Takes binding 10 of group 0.

import spatial_grid::gpu::grid::{cellIds, cellStart};

override HAS_WHOLE_CELLS: bool = true;

// By position: CORE, and a label in the low 31 bits. A device holds fewer than 2^31 points.
@group(0) @binding(10) var<storage, read_write> labels: array<atomic<u32>>;

const CORE: u32 = 0x80000000u;
const NO_LABEL: u32 = 0x7fffffffu;
// −1, as results carry it.
const NOISE: u32 = 0xffffffffu;

fn isCore(position: u32) -> bool {
  return (atomicLoad(&labels[position]) & CORE) != 0u;
}

fn setOf(position: u32) -> u32 {
  if (HAS_WHOLE_CELLS) { return cellIds[position]; }
  return position;
}

// First position behind the set of `position`; the members of a set are contiguous.
fn endOfSet(position: u32) -> u32 {
  if (HAS_WHOLE_CELLS) { return cellStart[cellIds[position] + 1u]; }
  return position + 1u;
}
