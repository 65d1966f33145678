// Chooses the team size from the mean number of candidates of a sample of points: larger teams for denser data. The
// same sample tells about how many points are core, for reports of progress.

import spatial_grid::gpu::grid::{cellIds, grid, rowCount, rowRange};
import package::gpu::search::{CORE, search};

@group(0) @binding(0) var<storage, read> labels: array<u32>;

const WIDTH: u32 = 256u;
const SAMPLES_PER_LANE: u32 = 8u;
const MAX_TEAM: u32 = 256u;
// 2048 samples of at most 2^20 candidates fit 32 bits.
const MAX_COUNT: u32 = 0x100000u;

var<workgroup> total: atomic<u32>;
var<workgroup> cores: atomic<u32>;

@compute @workgroup_size(256)
fn chooseTeam(@builtin(local_invocation_index) lane: u32) {
  let stride = max(1u, grid.n / (WIDTH * SAMPLES_PER_LANE));
  for (var k = 0u; k < SAMPLES_PER_LANE; k++) {
    let a = min((k * WIDTH + lane) * stride, grid.n - 1u);
    var candidates = 0u;
    for (var row = 0u; row < rowCount(); row++) {
      let range = rowRange(cellIds[a], row);
      candidates += range.y - range.x;
    }
    atomicAdd(&total, min(candidates, MAX_COUNT));
    if ((labels[a] & CORE) != 0u) { atomicAdd(&cores, 1u); }
  }
  workgroupBarrier();
  if (lane != 0u) { return; }
  let mean = max(atomicLoad(&total) / (WIDTH * SAMPLES_PER_LANE), rowCount());
  var team = 8u;
  while (team < mean && team < MAX_TEAM) { team *= 2u; }
  search.team = team;
  search.cores = stride * atomicLoad(&cores);
}
