// From searches to labels: clusters are numbered by their smallest core index.
// - findFirsts: the smallest core index of every set of searches.
// - markFirsts: 1 at these indices. A scan in the caller's order gives the cluster numbers.
// - labelPoints: by position, the cluster number of every core point, and noise for all other points.
// - labelBorders: the lowest label among the core neighbours of a border point.
// - writeResults: labels and core flags in the caller's order.

import gpu::dispatch::{Workgroup, workgroupNumber};
import neighbor_graph::rows::{edges, rowRange, rows};
import union_find::gpu::disjointSets::findRoot;
import package::gpu::search::{NOT_CORE, UNVISITED, searchParams, visits};

const NOISE: u32 = 0xffffffffu;

@group(0) @binding(0) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(1) var<storage, read> positions: array<u32>;
// By search: the smallest index of its core points.
@group(0) @binding(2) var<storage, read_write> firstCore: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> isFirst: array<u32>;
@group(0) @binding(4) var<storage, read> numbers: array<u32>;
@group(0) @binding(5) var<storage, read_write> labels: array<u32>;
// int32 labels; −1 is noise.
@group(0) @binding(6) var<storage, read_write> labelsOut: array<u32>;
// One byte per point, four to a word.
@group(0) @binding(7) var<storage, read_write> coreMaskOut: array<u32>;

// Labels may be computed before the search has ended, and computed again then. Points that no search has visited are
// skipped.
fn isVisited(visit: u32) -> bool {
  return visit != NOT_CORE && visit != UNVISITED;
}

@compute @workgroup_size(256)
fn findFirsts(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= searchParams.n || !isVisited(atomicLoad(&visits[i]))) { return; }
  let root = findRoot(atomicLoad(&visits[i]));
  atomicStore(&visits[i], root);
  let index = pointOrder[i];
  // A load first: most points of a large cluster come after its smallest one.
  if (atomicLoad(&firstCore[root]) > index) { atomicMin(&firstCore[root], index); }
}

@compute @workgroup_size(256)
fn markFirsts(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= searchParams.n) { return; }
  let root = atomicLoad(&visits[i]);
  let index = pointOrder[i];
  var mark = 0u;
  if (isVisited(root) && atomicLoad(&firstCore[root]) == index) { mark = 1u; }
  isFirst[index] = mark;
}

@compute @workgroup_size(256)
fn labelPoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= searchParams.n) { return; }
  let root = atomicLoad(&visits[i]);
  var label = NOISE;
  if (isVisited(root)) { label = numbers[atomicLoad(&firstCore[root])]; }
  labels[i] = label;
}

@compute @workgroup_size(256)
fn labelBorders(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = rows.firstRow + workgroupNumber(at) * 256u + lane;
  if (i >= rows.endRow || atomicLoad(&visits[i]) != NOT_CORE) { return; }
  let range = rowRange(i);
  // The point is not core, so the row has fewer than minPts − 1 edges. NOISE is larger than all labels.
  var lowest = NOISE;
  for (var k = range.x; k < range.y; k++) {
    let j = edges[k];
    if (atomicLoad(&visits[j]) != NOT_CORE) { lowest = min(lowest, labels[j]); }
  }
  labels[i] = lowest;
}

@compute @workgroup_size(256)
fn writeResults(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let word = workgroupNumber(at) * 256u + lane;
  if (word * 4u >= searchParams.n) { return; }
  var flags = 0u;
  for (var k = 0u; k < 4u && word * 4u + k < searchParams.n; k++) {
    let i = word * 4u + k;
    let position = positions[i];
    labelsOut[i] = labels[position];
    flags |= select(1u, 0u, atomicLoad(&visits[position]) == NOT_CORE) << (8u * k);
  }
  coreMaskOut[word] = flags;
}
