// The rows of cells that the ball around a point reaches. A row is cut to the cells that the ball can touch: in 2-D
// these are 13 cells on average, of the 25 that are at most REACH apart, and in 3-D 62 of 125.

import package::gpu::grid::{DIM, REACH, grid, positionsOf, ranksOf, rowCount, rowDelta, rowRange};

// Whether float32 finds a point's place in the box well enough (places.ts); requires a ranked grid.
override IS_NARROWED: bool = false;

struct Place {
  // The cell, up to `placeMargin`; margin cells of the grid are not counted.
  cell: vec4i,
  // The place in that cell, 0 … 1.
  offset: vec4f,
  // The point's own cell in the grid, for grids without narrow rows.
  own: u32,
}

fn placeOf(point: vec4f, own: u32) -> Place {
  if (!IS_NARROWED) { return Place(vec4i(), vec4f(), own); }
  let t = (point - grid.corner) * grid.inverse;
  let cell = floor(t);
  return Place(vec4i(cell), t - cell, own);
}

// Number of the row that is k-th nearest to a point's own: for searches that stop early. With cells by diagonal in 2-D
// and 3-D the numbers are packed by five bits, six to a word; elsewhere rows keep their order.
fn nearestRow(k: u32) -> u32 {
  if (REACH != 2u || DIM == 1u || DIM == 4u) { return k; }
  // 0 4 1 3 2
  if (DIM == 2u) { return (0x00218480u >> (5u * k)) & 31u; }
  // 0 20 24 1 5 19, 21 4 6 15 23 2, 10 14 16 18 22 3, 7 9 11 13 17 8, 12
  var word = 0x2650e280u;
  if (k >= 6u) { word = 0x05779895u; }
  if (k >= 12u) { word = 0x076941cau; }
  if (k >= 18u) { word = 0x1116ad27u; }
  if (k >= 24u) { word = 12u; }
  return (word >> (5u * (k % 6u))) & 31u;
}

// Positions [x, y) of the points in row `row` around a point: all that are within eps of it, and some others.
fn rowAround(place: Place, row: u32) -> vec2u {
  if (!IS_NARROWED) { return rowRange(place.own, row); }
  let delta = vec3i(rowDelta(row));
  // Distance to the row in cells, on axes 1 to 3, at least.
  let below = vec3f(delta) - place.offset.yzw;
  var gap = max(max(below, -below - 1.0) - grid.placeMargin, vec3f());
  if (DIM < 2u) { gap.x = 0.0; }
  if (DIM < 3u) { gap.y = 0.0; }
  if (DIM < 4u) { gap.z = 0.0; }
  let rest = grid.radius2 - dot(gap, gap);
  if (rest < 0.0) { return vec2u(); }
  let halfWidth = sqrt(rest) + grid.placeMargin;
  let first = i32(floor(place.offset.x - halfWidth));
  let last = i32(floor(place.offset.x + halfWidth));
  // Wrapping words: a row above or below has a negative difference.
  let cells = vec4u(place.cell + vec4i(first, delta)) + REACH;
  var id = cells.x;
  if (DIM > 1u) { id += cells.y * grid.strides.y; }
  if (DIM > 2u) { id += cells.z * grid.strides.z; }
  if (DIM > 3u) { id += cells.w * grid.strides.w; }
  return positionsOf(ranksOf(id, u32(last - first + 1)));
}
