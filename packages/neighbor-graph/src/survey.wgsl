// What the host must know of a graph before it can allocate edges: where blocks of rows begin, and the longest rows.

import gpu::dispatch::linearWorkgroup;

struct SurveyParams {
  n: u32,
  // At most 256, and so few that the edges of a block cannot exceed 2^32.
  blockRows: u32,
  blocks: u32,
}

@group(0) @binding(0) var<uniform> params: SurveyParams;
@group(0) @binding(1) var<storage, read> rowLength: array<u32>;
@group(0) @binding(2) var<storage, read> rowStart: array<u32>;
@group(0) @binding(3) var<storage, read> undecidedRows: array<u32>;
// A pair a block: where it begins, and its longest row. Behind them where the last block ends, and the undecided rows.
@group(0) @binding(4) var<storage, read_write> survey: array<vec2u>;

var<workgroup> longest: atomic<u32>;

@compute @workgroup_size(256)
fn surveyRows(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let place = linearWorkgroup(groupId, groupCount);
  let first = place * params.blockRows;
  if (lane < params.blockRows && first + lane < params.n) { atomicMax(&longest, rowLength[first + lane]); }
  workgroupBarrier();
  if (lane != 0u || place >= params.blocks) { return; }
  survey[place] = vec2u(rowStart[first], atomicLoad(&longest));
  if (place == 0u) { survey[params.blocks] = vec2u(rowStart[params.n], undecidedRows[0]); }
}
