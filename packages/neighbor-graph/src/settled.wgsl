// The neighbourhood test for rows that are not listed as undecided. The degree pass found every pair of such a row
// certain. Another kernel may round d² differently, but by less than half of the slack on either side
// (distanceBounds.ts). So a comparison with the middle of the band gives the same result as the degree pass.
//
// For listed rows this test is only approximate: exact kernels write them again as a whole, and the writes here stay
// within the row.

import spatial_grid::gpu::neighborhood::neighborhood;

fn bandMiddle() -> f32 {
  return 0.5 * (neighborhood.sureBelow + neighborhood.sureAbove);
}
