// The neighbourhood test of rows that are not listed as undecided. The degree pass found every pair of such a row certain. Another
// kernel may round d² otherwise, but by less than half of the slack on either side (distanceBounds.ts), so the middle
// of the band tells the pairs apart as the degree pass did.
//
// Rows that are listed are written again, as a whole, by exact kernels; what is written here of them is only kept inside the row.

import spatial_grid::gpu::neighborhood::neighborhood;

fn bandMiddle() -> f32 {
  return 0.5 * (neighborhood.sureBelow + neighborhood.sureAbove);
}
