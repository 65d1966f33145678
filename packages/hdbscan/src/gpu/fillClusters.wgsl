// The cluster that each point leaves last, from the clusters of basins (`JoinedBasins` in hierarchy/joinBasins.ts), and
// the groups of points that leave one cluster at one level (`LeavingGroups` in hierarchy/condenseBasins.ts).

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::lambda::lambdaOf;

struct FillParams {
  n: u32,
  basins: u32,
  clusters: u32,
}

const NONE: u32 = 0xffffffffu;
// Above every point.
const UNNAMED: u32 = 0x7fffffffu;

// Arrays that share a buffer are all writable here, as WebGPU demands.

@group(0) @binding(0) var<uniform> params: FillParams;
// By basin: its name, a position, and its cluster.
@group(0) @binding(1) var<storage, read> names: array<u32>;
@group(0) @binding(2) var<storage, read> clusterOfBasin: array<u32>;
// By cluster: the parent, the level at which the parent begins, an ancestor, and the level at which it ends.
@group(0) @binding(3) var<storage, read> clusters: array<vec4u>;
// By position: the name of the basin; of a name: the cluster of the basin.
@group(0) @binding(4) var<storage, read_write> basins: array<u32>;
@group(0) @binding(5) var<storage, read_write> clusterOfName: array<u32>;
@group(0) @binding(6) var<storage, read_write> levels: array<u32>;
@group(0) @binding(7) var<storage, read> pointOrder: array<u32>;
// By position: the cluster.
@group(0) @binding(8) var<storage, read_write> clusterAt: array<u32>;
// The complement of the level, and the cluster: in ascending order, levels of a cluster descend.
@group(0) @binding(9) var<storage, read_write> leavings: array<vec2u>;
// By cluster: the smallest point that leaves it last, or UNNAMED; then, by cluster, its first group, or NONE.
@group(0) @binding(10) var<storage, read_write> ofClusters: array<atomic<u32>>;
// 1 where a group begins.
@group(0) @binding(11) var<storage, read_write> isFirst: array<u32>;
@group(0) @binding(12) var<storage, read_write> groupStarts: array<u32>;
@group(0) @binding(13) var<storage, read> groupCount: array<u32>;
// Of the edges, ascending.
@group(0) @binding(14) var<storage, read> squared: array<vec2u>;
@group(0) @binding(15) var<storage, read_write> groupPoints: array<u32>;
@group(0) @binding(16) var<storage, read_write> groupLambda: array<vec2u>;

@compute @workgroup_size(256)
fn placeBasins(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let basin = workgroupNumber(at) * 256u + lane;
  if (basin < params.basins) { clusterOfName[names[basin]] = clusterOfBasin[basin]; }
  // There are fewer clusters than two for each basin.
  for (var k = 4u * basin; k < min(4u * basin + 4u, 2u * params.clusters); k++) {
    atomicStore(&ofClusters[k], select(NONE, UNNAMED, k < params.clusters));
  }
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
  clusterAt[p] = c;
  leavings[p] = vec2u(~level, c);
  atomicMin(&ofClusters[c], pointOrder[p]);
}

@compute @workgroup_size(256)
fn markGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= params.n) { return; }
  isFirst[k] = select(0u, 1u, k == 0u || any(leavings[k] != leavings[max(k, 1u) - 1u]));
}

@compute @workgroup_size(256)
fn describeGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at) * 256u + lane;
  let count = groupCount[0];
  if (group >= count) { return; }
  let start = groupStarts[group];
  var end = params.n;
  if (group + 1u < count) { end = groupStarts[group + 1u]; }
  let level = ~leavings[start].x;
  let c = leavings[start].y;
  groupPoints[group] = (end - start) | select(0u, 0x80000000u, level == clusters[c].w);
  groupLambda[group] = lambdaOf(squared[level]);
  if (start == 0u || leavings[start - 1u].y != c) { atomicStore(&ofClusters[params.clusters + c], group); }
}
