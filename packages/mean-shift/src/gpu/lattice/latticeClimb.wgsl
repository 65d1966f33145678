// Several steps of every active trajectory, one invocation each, over the sums at the nodes of a lattice. The cost of a
// step does not depend on the number of points in reach. Trajectories lie in the order of their points in the grid, so
// neighbouring invocations read the same nodes.
// Source: Agnolucci 2020, Algorithm 6, with interpolated sums.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::lattice::lattice::{DIM, Stencil, stencilAt};

struct LatticeClimbParams {
  counts: vec4u,
  origin: vec4f,
  perUnit: f32,
  // A trajectory ends with a shorter squared step.
  minStep2: f32,
  steps: u32,
  word: u32,
  // 1: the first steps, of all trajectories. `activeList` is not written yet.
  isFirst: u32,
  // Items [begin, end) of `activeList`.
  begin: u32,
  end: u32,
}

struct Tally {
  // Active trajectories at the start of this dispatch.
  activeCount: atomic<u32>,
  // Steps of all of them in it; steps of the longest.
  steps: atomic<u32>,
  longest: atomic<u32>,
}

@group(0) @binding(0) var<storage, read> field: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> positions: array<vec4f>;
// Sum of weights of each trajectory's last step.
@group(0) @binding(2) var<storage, read_write> weights: array<f32>;
@group(0) @binding(3) var<storage, read> activeList: array<u32>;
@group(0) @binding(4) var<storage, read_write> nextList: array<u32>;
@group(0) @binding(5) var<storage, read_write> tallies: array<Tally>;
@group(0) @binding(6) var<uniform> params: LatticeClimbParams;

fn lineSum(node: u32, x: vec4f) -> vec4f {
  return x.x * field[node] + x.y * field[node + 1u] + x.z * field[node + 2u] + x.w * field[node + 3u];
}

fn planeSum(node: u32, stencil: Stencil) -> vec4f {
  if (DIM == 1u) { return lineSum(node, stencil.x); }
  let row = params.counts.x;
  return stencil.y.x * lineSum(node, stencil.x) +
    stencil.y.y * lineSum(node + row, stencil.x) +
    stencil.y.z * lineSum(node + 2u * row, stencil.x) +
    stencil.y.w * lineSum(node + 3u * row, stencil.x);
}

// Whether a position is outside the nodes, and so out of reach of all points. Only seeds can be.
fn isOutside(at: vec4f) -> bool {
  let t = (at - params.origin) * params.perUnit;
  let last = vec4f(params.counts) - 1.0;
  var isBeyond = t.x < 0.0 || t.x > last.x;
  if (DIM > 1u) { isBeyond = isBeyond || t.y < 0.0 || t.y > last.y; }
  if (DIM > 2u) { isBeyond = isBeyond || t.z < 0.0 || t.z > last.z; }
  return isBeyond;
}

// Interpolated sums: of weighted differences on three axes, and of weights.
fn sumAt(at: vec4f) -> vec4f {
  if (isOutside(at)) { return vec4f(); }
  let stencil = stencilAt(at, params.counts, params.origin, params.perUnit);
  if (DIM < 3u) { return planeSum(stencil.node, stencil); }
  let plane = params.counts.x * params.counts.y;
  return stencil.z.x * planeSum(stencil.node, stencil) +
    stencil.z.y * planeSum(stencil.node + plane, stencil) +
    stencil.z.z * planeSum(stencil.node + 2u * plane, stencil) +
    stencil.z.w * planeSum(stencil.node + 3u * plane, stencil);
}

var<workgroup> keptCount: atomic<u32>;
var<workgroup> stepCount: atomic<u32>;
var<workgroup> mostSteps: atomic<u32>;
var<workgroup> keptAt: u32;

// Moves trajectory k by at most params.steps steps. Returns the number of steps, and whether it stays active.
fn climbSteps(k: u32) -> vec2u {
  var at = positions[k];
  var steps = 0u;
  var weight = 0.0;
  var isActive = true;
  while (isActive && steps < params.steps) {
    let sum = sumAt(at);
    steps++;
    weight = max(sum.w, 0.0);
    if (weight == 0.0) { isActive = false; break; }
    let step = vec4f(sum.xyz / weight, 0.0);
    at += step;
    isActive = dot(step, step) >= params.minStep2;
  }
  positions[k] = at;
  weights[k] = weight;
  return vec2u(steps, u32(isActive));
}

@compute @workgroup_size(256)
fn climbLattice(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let item = params.begin + workgroupNumber(at) * 256u + lane;
  if (lane == 0u) {
    atomicStore(&keptCount, 0u);
    atomicStore(&stepCount, 0u);
    atomicStore(&mostSteps, 0u);
  }
  workgroupBarrier();
  var k = item;
  var own = 0u;
  var isActive = false;
  if (item < min(params.end, atomicLoad(&tallies[params.word].activeCount))) {
    if (params.isFirst == 0u) { k = activeList[item]; }
    let climbed = climbSteps(k);
    isActive = climbed.y == 1u;
    atomicAdd(&stepCount, climbed.x);
    atomicMax(&mostSteps, climbed.x);
    if (isActive) { own = atomicAdd(&keptCount, 1u); }
  }
  workgroupBarrier();
  // One reservation for each workgroup keeps neighbours together in the list.
  if (lane == 0u) {
    keptAt = atomicAdd(&tallies[params.word + 1u].activeCount, atomicLoad(&keptCount));
    atomicAdd(&tallies[params.word].steps, atomicLoad(&stepCount));
    atomicMax(&tallies[params.word].longest, atomicLoad(&mostSteps));
  }
  workgroupBarrier();
  if (isActive) { nextList[keptAt + own] = k; }
}
