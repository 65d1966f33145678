// Basins of a spanning tree: the leaves of the condensed tree, and the points around each (`Basins` in
// hierarchy/joinBasins.ts). The level of an edge is the index of the first edge of its weight, ascending.
//
// 1. A point's level: Prim's algorithm from the point, along the tree, until `leastSize` points are found; the highest
//    edge on the way. So at this level, and at none below, its component has `leastSize` points.
// 2. Points of one level in one component are a group.
// 3. A group that has an edge of its level to a point of a lower level joins that point's basin: it drains. Any such
//    edge will do, because all edges of a level are one step. A group without is the bottom of a basin.
//
// An edge (u, v) of level l with level(u) > level(v) has l ≥ level(u): below, u would have been in v's component.

import gpu::dispatch::{Workgroup, workgroupNumber};
import union_find::gpu::disjointSets::{findRoot, parent, unite};

const NONE: u32 = 0xffffffffu;
// Most points of the search.
const SIZE_MAX: u32 = 32u;

struct BasinParams {
  // Positions; edges are one fewer.
  n: u32,
  // At most SIZE_MAX, and at most n.
  leastSize: u32,
  basins: u32,
}

@group(0) @binding(0) var<uniform> params: BasinParams;
// Of the edges, ascending: the first ends of all, then the second ends; and the weights.
@group(0) @binding(1) var<storage, read> positions: array<u32>;
@group(0) @binding(16) var<storage, read> squared: array<vec2u>;
// The ends of all edges, sorted by position: twice the edge, 1 more for its second end.
@group(0) @binding(2) var<storage, read> ends: array<u32>;
@group(0) @binding(3) var<storage, read_write> endPositions: array<u32>;
// First entry of each position in `ends` and `links`, and the number of entries.
@group(0) @binding(4) var<storage, read_write> starts: array<u32>;
// For each end the other position and the level of the edge. Those of a position ascend.
@group(0) @binding(5) var<storage, read_write> links: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> levels: array<u32>;
// By position: the group, named by its smallest position; later the basin.
@group(0) @binding(7) var<storage, read_write> groups: array<u32>;
// By group: the edge along which it drains.
@group(0) @binding(8) var<storage, read_write> drains: array<atomic<u32>>;
// By edge: its level; whether it lies between basins.
@group(0) @binding(9) var<storage, read_write> edgeLevels: array<u32>;
@group(0) @binding(10) var<storage, read_write> crossingFlags: array<u32>;
// By position: whether it names a basin. By basin: its name, and the level at which it begins.
@group(0) @binding(11) var<storage, read_write> nameFlags: array<u32>;
@group(0) @binding(12) var<storage, read> names: array<u32>;
@group(0) @binding(13) var<storage, read_write> basinLevels: array<u32>;
// The edges between basins, ascending; two names, the level, and 0.
@group(0) @binding(14) var<storage, read> crossings: array<u32>;
@group(0) @binding(15) var<storage, read_write> crossingsOut: array<vec4u>;

fn edgeAt(k: u32) -> vec2u {
  return vec2u(positions[k], positions[params.n - 1u + k]);
}

@compute @workgroup_size(256)
fn layEnds(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k + 1u >= params.n) { return; }
  let edge = edgeAt(k);
  endPositions[2u * k] = edge.x;
  endPositions[2u * k + 1u] = edge.y;
  // The first edge of the same weight: a binary search, of at most 32 steps.
  var low = 0u;
  var high = k;
  while (low < high) {
    let middle = (low + high) >> 1u;
    if (all(squared[middle] == squared[k])) { high = middle; } else { low = middle + 1u; }
  }
  edgeLevels[k] = low;
}

@compute @workgroup_size(256)
fn layLinks(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  let count = 2u * (params.n - 1u);
  if (i >= count) { return; }
  let p = endOf(i);
  let k = ends[i] >> 1u;
  let isSecond = (ends[i] & 1u) == 1u;
  let edge = edgeAt(k);
  links[i] = vec2u(select(edge.y, edge.x, isSecond), edgeLevels[k]);
  // Every position has an edge.
  if (i == 0u || endOf(i - 1u) != p) { starts[p] = i; }
  if (i == count - 1u) { starts[params.n] = count; }
}

fn endOf(i: u32) -> u32 {
  let isSecond = (ends[i] & 1u) == 1u;
  return positions[(ends[i] >> 1u) + select(0u, params.n - 1u, isSecond)];
}

// The points that the search has found, the position that each was found from, and its next link.
var<private> found: array<u32, SIZE_MAX>;
var<private> foundFrom: array<u32, SIZE_MAX>;
var<private> cursor: array<u32, SIZE_MAX>;
var<private> nextLevel: array<u32, SIZE_MAX>;

fn open(slot: u32, p: u32, origin: u32) {
  found[slot] = p;
  foundFrom[slot] = origin;
  cursor[slot] = starts[p];
  settleCursor(slot);
}

// Steps over the link that leads back, and notes the level of the next one.
fn settleCursor(slot: u32) {
  let end = starts[found[slot] + 1u];
  if (cursor[slot] < end && links[cursor[slot]].x == foundFrom[slot]) { cursor[slot]++; }
  nextLevel[slot] = NONE;
  if (cursor[slot] < end) { nextLevel[slot] = links[cursor[slot]].y; }
}

@compute @workgroup_size(256)
fn findLevels(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= params.n) { return; }
  atomicStore(&parent[p], p);
  open(0u, p, NONE);
  var level = 0u;
  for (var count = 1u; count < params.leastSize; count++) {
    var nearest = 0u;
    for (var slot = 1u; slot < count; slot++) {
      if (nextLevel[slot] < nextLevel[nearest]) { nearest = slot; }
    }
    level = max(level, nextLevel[nearest]);
    let q = links[cursor[nearest]].x;
    cursor[nearest]++;
    settleCursor(nearest);
    open(count, q, found[nearest]);
  }
  levels[p] = level;
}

@compute @workgroup_size(256)
fn uniteGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k + 1u >= params.n) { return; }
  let edge = edgeAt(k);
  let level = levels[edge.x];
  if (levels[edge.y] == level && edgeLevels[k] <= level) { unite(edge.x, edge.y); }
}

@compute @workgroup_size(256)
fn nameGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= params.n) { return; }
  groups[p] = findRoot(p);
  atomicStore(&drains[p], NONE);
}

// The end of an edge that drains along it, or NONE.
fn drainingEnd(k: u32) -> u32 {
  let edge = edgeAt(k);
  let first = levels[edge.x];
  let second = levels[edge.y];
  if (first == second || max(first, second) != edgeLevels[k]) { return NONE; }
  return select(edge.y, edge.x, first > second);
}

@compute @workgroup_size(256)
fn findDrains(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k + 1u >= params.n) { return; }
  let high = drainingEnd(k);
  if (high != NONE) { atomicMin(&drains[groups[high]], k); }
}

@compute @workgroup_size(256)
fn uniteBasins(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k + 1u >= params.n) { return; }
  let high = drainingEnd(k);
  if (high == NONE || atomicLoad(&drains[groups[high]]) != k) { return; }
  let edge = edgeAt(k);
  unite(edge.x, edge.y);
}

@compute @workgroup_size(256)
fn nameBasins(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= params.n) { return; }
  let name = findRoot(p);
  groups[p] = name;
  nameFlags[p] = select(0u, 1u, name == p);
  atomicStore(&drains[p], NONE);
}

// `drains` has the level of each basin from here on.
@compute @workgroup_size(256)
fn markCrossings(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let p = workgroupNumber(at) * 256u + lane;
  if (p >= params.n) { return; }
  atomicMin(&drains[groups[p]], levels[p]);
  if (p + 1u >= params.n) { return; }
  let edge = edgeAt(p);
  crossingFlags[p] = select(0u, 1u, groups[edge.x] != groups[edge.y]);
}

@compute @workgroup_size(256)
fn describeBasins(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let basin = workgroupNumber(at) * 256u + lane;
  if (basin >= params.basins) { return; }
  basinLevels[basin] = atomicLoad(&drains[names[basin]]);
  if (basin + 1u == params.basins) { return; }
  let k = crossings[basin];
  let edge = edgeAt(k);
  crossingsOut[basin] = vec4u(groups[edge.x], groups[edge.y], edgeLevels[k], 0u);
}
