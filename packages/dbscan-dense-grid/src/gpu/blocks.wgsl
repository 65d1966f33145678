// Blocks of consecutive positions and the boxes of their points, for crowded cells: a block that is out of reach is
// skipped as a whole. The points of a cell are in Z order then, so that blocks are small (crowdedOrder.ts).

import spatial_grid::gpu::grid::{DIM, grid};
import spatial_grid::gpu::neighborhood::{FAR, pointAt, sortedCoords, squaredDistance, verdictOn};

// Whether there are blocks. Otherwise an invocation that looks at many points gives up, and the run is repeated.
override IS_BLOCKED: bool = false;

const BLOCK: u32 = 32u;
const LARGE_BLOCK: u32 = 1024u;

// Word of `sortedCoords` at which the boxes of blocks begin, then those of large blocks: lowest and highest corner.
fn boxesAt() -> u32 { return grid.n * DIM; }

fn largeBoxesAt() -> u32 { return boxesAt() + 2u * DIM * ((grid.n + BLOCK - 1u) / BLOCK); }

fn isOutOfReach(point: vec4f, box: u32) -> bool {
  var nearest = vec4f();
  for (var d = 0u; d < DIM; d++) {
    nearest[d] = clamp(point[d], bitcast<f32>(sortedCoords[box + d]), bitcast<f32>(sortedCoords[box + DIM + d]));
  }
  // The nearest place of the box is at most as far as its points, and float32 errs by no more than for a point.
  return verdictOn(squaredDistance(point, nearest)) == FAR;
}

// The first position from b on, below `end`, whose block is within reach of `point`; `end` or more if there is none.
fn skipFar(point: vec4f, start: u32, end: u32) -> u32 {
  var b = start;
  if (!IS_BLOCKED || (b & (BLOCK - 1u)) != 0u) { return b; }
  while (b < end) {
    if ((b & (LARGE_BLOCK - 1u)) == 0u && isOutOfReach(point, largeBoxesAt() + 2u * DIM * (b / LARGE_BLOCK))) {
      b += LARGE_BLOCK;
    } else if (isOutOfReach(point, boxesAt() + 2u * DIM * (b / BLOCK))) {
      b += BLOCK;
    } else {
      break;
    }
  }
  return b;
}
