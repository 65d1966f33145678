// How a team of invocations shares the candidates around one point: rows first, so that all rows are under way at
// once, then places within a row.

import spatial_grid::gpu::grid::rowCount;

struct TeamShare {
  // Rows firstRow, firstRow + rowStep, …; in each, candidates firstPlace, firstPlace + placeStep, ….
  firstRow: u32,
  rowStep: u32,
  firstPlace: u32,
  placeStep: u32,
}

fn teamShare(lane: u32, team: u32) -> TeamShare {
  let rows = rowCount();
  if (team < rows) { return TeamShare(lane, team, 0u, 1u); }
  let placeStep = team / rows;
  let firstPlace = lane / rows;
  // The last lanes of a team that the rows do not divide have nothing to do.
  return TeamShare(select(rows, lane % rows, firstPlace < placeStep), rows, firstPlace, placeStep);
}
