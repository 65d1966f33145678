// What the host must know of a graph before it can allocate edges: how many there are in blocks of rows, and the longest rows.

import gpu::dispatch::linearWorkgroup;

struct SurveyParams {
  n: u32,
  // At most 256, and so few that the edges of a block cannot exceed 2^32.
  blockRows: u32,
  blocks: u32,
  // Where this survey begins: one pass may make several.
  firstPlace: u32,
}

@group(0) @binding(0) var<uniform> params: SurveyParams;
@group(0) @binding(1) var<storage, read> rowLength: array<u32>;
@group(0) @binding(2) var<storage, read> undecidedRows: array<u32>;
// A pair a block: its edges, and its longest row. Behind them how many rows are undecided.
@group(0) @binding(3) var<storage, read_write> survey: array<vec2u>;

var<workgroup> total: atomic<u32>;
var<workgroup> longest: atomic<u32>;

@compute @workgroup_size(256)
fn surveyRows(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let place = linearWorkgroup(groupId, groupCount);
  let i = place * params.blockRows + lane;
  if (lane < params.blockRows && i < params.n) {
    atomicAdd(&total, rowLength[i]);
    atomicMax(&longest, rowLength[i]);
  }
  workgroupBarrier();
  if (lane != 0u || place >= params.blocks) { return; }
  survey[params.firstPlace + place] = vec2u(atomicLoad(&total), atomicLoad(&longest));
  if (place == 0u) { survey[params.firstPlace + params.blocks] = vec2u(undecidedRows[0], 0u); }
}
