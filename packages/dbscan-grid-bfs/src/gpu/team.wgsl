// Divides the candidates of a point among a team of invocations: first by rows, so that all rows are read at the same
// time, then by places within a row.

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
  // If the number of rows does not divide the team size, the last lanes have no candidates.
  return TeamShare(select(rows, lane % rows, firstPlace < placeStep), rows, firstPlace, placeStep);
}
