// Sums that the host needs before it can allocate edges: edges per block of rows, and the longest rows.

import gpu::dispatch::{Workgroup, workgroupNumber};

struct SurveyParams {
  n: u32,
  // At most 256, and so few that the edges of a block do not exceed 2^32.
  blockRows: u32,
  blocks: u32,
  // 1 or 2: number of lists of row lengths; 2 includes `otherRowLength`.
  lists: u32,
}

@group(0) @binding(0) var<uniform> params: SurveyParams;
@group(0) @binding(1) var<storage, read> rowLength: array<u32>;
@group(0) @binding(2) var<storage, read> undecidedRows: array<u32>;
// One pair per block: its edges, and its longest row. Then the number of undecided rows. Then the same for the other
// list.
@group(0) @binding(3) var<storage, read_write> survey: array<vec2u>;
@group(0) @binding(4) var<storage, read> otherRowLength: array<u32>;

var<workgroup> total: array<atomic<u32>, 2>;
var<workgroup> longest: array<atomic<u32>, 2>;

@compute @workgroup_size(256)
fn surveyRows(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let place = workgroupNumber(at);
  let i = place * params.blockRows + lane;
  if (lane < params.blockRows && i < params.n) {
    look(0u, rowLength[i]);
    if (params.lists > 1u) { look(1u, otherRowLength[i]); }
  }
  workgroupBarrier();
  if (lane >= params.lists || place >= params.blocks) { return; }
  let firstPlace = lane * (params.blocks + 1u);
  survey[firstPlace + place] = vec2u(atomicLoad(&total[lane]), atomicLoad(&longest[lane]));
  if (place == 0u) { survey[firstPlace + params.blocks] = vec2u(undecidedRows[0], 0u); }
}

fn look(list: u32, length: u32) {
  atomicAdd(&total[list], length);
  atomicMax(&longest[list], length);
}
