// Packs rows for the host: a word for each, with the index of its point, and whether it is core. Of all points, or of
// core and border points alone: noise has no edges, and often most points are noise. Then the columns of edges are
// renamed, and each core point gets a parent: the device follows lowest columns. Rows keep their order.

import gpu::dispatch::{Workgroup, workgroupNumber};
import neighbor_graph::rows::degrees;

const CORE: u32 = 0x80000000u;

// Maximum steps towards a root. Most paths are shorter; threads continue the others.
const STEPS_MAX: u32 = 64u;

struct ClusteredParams {
  n: u32,
  minPts: u32,
  room: u32,
}

@group(0) @binding(0) var<uniform> params: ClusteredParams;
@group(0) @binding(1) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(2) var<storage, read> rowStart: array<u32>;
// 1 where a row is wanted; n + 1 words.
@group(0) @binding(3) var<storage, read_write> marks: array<u32>;
// Marks before each.
@group(0) @binding(4) var<storage, read> ranks: array<u32>;
// Of wanted rows: the index of the point, and whether it is core; where the row begins.
@group(0) @binding(5) var<storage, read_write> packed: array<u32>;
@group(0) @binding(6) var<storage, read_write> packedStart: array<u32>;
// Columns, from positions to wanted rows.
@group(0) @binding(7) var<storage, read_write> edges: array<u32>;
// By position: the lowest column of a core row, which is below it; else the row itself.
@group(0) @binding(8) var<storage, read_write> lowest: array<u32>;
// Of wanted rows, among them: one of the same cluster that is no higher.
@group(0) @binding(9) var<storage, read_write> parents: array<u32>;

// The degree leaves out the point itself.
fn isCore(i: u32) -> bool {
  return degrees[i] + 1u >= params.minPts;
}

fn packedWord(i: u32) -> u32 {
  return pointOrder[i] | select(0u, CORE, isCore(i));
}

@compute @workgroup_size(256)
fn packPoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i < params.n) { packed[i] = packedWord(i); }
}

@compute @workgroup_size(256)
fn markRows(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i > params.n) { return; }
  marks[i] = 0u;
  if (i == params.n) { return; }
  let first = rowStart[i];
  let end = rowStart[i + 1u];
  let isCoreRow = isCore(i);
  marks[i] = select(0u, 1u, isCoreRow || end != first);
  var low = i;
  for (var k = first; isCoreRow && k < min(end, params.room); k++) { low = min(low, edges[k]); }
  lowest[i] = low;
}

// Source: Jaiganesh and Burtscher 2018, ECL-CC, §3: a lower neighbour as first parent. Here: the lowest of the row, and
// the path from there on.
fn ancestor(i: u32) -> u32 {
  var row = i;
  for (var step = 0u; step < STEPS_MAX && lowest[row] != row; step++) { row = lowest[row]; }
  return row;
}

@compute @workgroup_size(256)
fn packRows(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i > params.n) { return; }
  let rank = ranks[i];
  let isLast = i == params.n;
  if (!isLast && ranks[i + 1u] == rank) { return; }
  packedStart[rank] = rowStart[i];
  if (isLast) { return; }
  packed[rank] = packedWord(i);
  parents[rank] = ranks[ancestor(i)];
}

@compute @workgroup_size(256)
fn renameColumns(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= min(params.room, rowStart[params.n])) { return; }
  edges[k] = ranks[edges[k]];
}
