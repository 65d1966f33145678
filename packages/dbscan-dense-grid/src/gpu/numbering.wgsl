// Numbers the clusters by their smallest core index.
//   findFirsts    the smallest core index of every set
//   markFirsts    1 at these indices; an exclusive scan gives the numbers
//   labelCores    the number of each core point's cluster

import gpu::dispatch::linearWorkgroup;
import spatial_grid::gpu::grid::grid;
import union_find::gpu::disjointSets::findRoot;
import package::gpu::cells::{CORE, isCore, labels, setOf};

@group(0) @binding(0) var<storage, read> pointOrder: array<u32>;
// By root: the complement of the smallest index; 0 at the start.
@group(0) @binding(1) var<storage, read_write> firstCores: array<atomic<u32>>;
// By point, and one word more.
@group(0) @binding(2) var<storage, read_write> isFirst: array<u32>;
@group(0) @binding(3) var<storage, read> numbers: array<u32>;

@compute @workgroup_size(256)
fn findFirsts(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let a = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (a >= grid.n || !isCore(a)) { return; }
  let root = findRoot(setOf(a));
  let first = ~pointOrder[a];
  // A look first: nearly all points of a large cluster come after its smallest by then.
  if (atomicLoad(&firstCores[root]) < first) { atomicMax(&firstCores[root], first); }
}

@compute @workgroup_size(256)
fn markFirsts(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let a = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (a >= grid.n) { return; }
  let index = pointOrder[a];
  var mark = 0u;
  if (isCore(a) && atomicLoad(&firstCores[findRoot(setOf(a))]) == ~index) { mark = 1u; }
  isFirst[index] = mark;
  // What comes behind the last number is how many there are.
  if (a == 0u) { isFirst[grid.n] = 0u; }
}

@compute @workgroup_size(256)
fn labelCores(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let a = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (a >= grid.n || !isCore(a)) { return; }
  let first = ~atomicLoad(&firstCores[findRoot(setOf(a))]);
  atomicStore(&labels[a], CORE | numbers[first]);
}
