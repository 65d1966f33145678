// The cluster of each point, from the clusters of basins (`JoinedBasins` in hierarchy/joinBasins.ts), and what the host
// needs of points, in the caller's order.

import gpu::dispatch::{Workgroup, workgroupNumber};

struct FillParams {
  n: u32,
  basins: u32,
}

@group(0) @binding(0) var<uniform> params: FillParams;
// By basin: its name, a position, and its cluster.
@group(0) @binding(1) var<storage, read> names: array<u32>;
@group(0) @binding(2) var<storage, read> clusterOfBasin: array<u32>;
// By cluster: the parent, the level at which the parent begins, an ancestor, and 0.
@group(0) @binding(3) var<storage, read> clusters: array<vec4u>;
// By position: the name of the basin; of a name: the cluster of the basin.
@group(0) @binding(4) var<storage, read> basins: array<u32>;
@group(0) @binding(5) var<storage, read_write> clusterOfName: array<u32>;
@group(0) @binding(6) var<storage, read> levels: array<u32>;
@group(0) @binding(7) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(8) var<storage, read_write> clusterOut: array<u32>;
// The complement of the level, and the cluster: in ascending order, levels of a cluster descend.
@group(0) @binding(9) var<storage, read_write> leavings: array<vec2u>;
@group(0) @binding(10) var<storage, read> edges: array<vec4u>;
@group(0) @binding(11) var<storage, read> core: array<vec2u>;
@group(0) @binding(12) var<storage, read_write> leavesOut: array<vec2u>;
@group(0) @binding(13) var<storage, read_write> coreOut: array<vec2u>;

@compute @workgroup_size(256)
fn placeBasins(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let basin = workgroupNumber(at) * 256u + lane;
  if (basin < params.basins) { clusterOfName[names[basin]] = clusterOfBasin[basin]; }
}

// The cluster above the basin that exists at the level of the point. Bounded by the depth of the clusters.
@compute @workgroup_size(256)
fn findClusters(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= params.n) { return; }
  let level = levels[p];
  var c = clusterOfName[basins[p]];
  // The root's parent begins never, above every level.
  while (clusters[c].y <= level) {
    let far = clusters[c].z;
    c = select(clusters[c].x, far, clusters[far].y <= level);
  }
  clusterOut[pointOrder[p]] = c;
  leavings[p] = vec2u(~level, c);
}

@compute @workgroup_size(256)
fn orderPoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= params.n) { return; }
  leavesOut[pointOrder[p]] = edges[levels[p]].zw;
  coreOut[pointOrder[p]] = core[p];
}
