// Several steps of every climb that goes on, an invocation each, over the sums at the nodes of a lattice: a step costs the same however many points
// weigh. Climbs follow each other as their points do in the grid, so neighbouring invocations read the same nodes.
// Source: Agnolucci 2020, Algorithm 6, with interpolated sums.

import gpu::dispatch::linearWorkgroup;
import package::gpu::lattice::lattice::{DIM, Spot, spotOf};

struct LatticeClimbParams {
  // Of the lattice.
  counts: vec4u,
  origin: vec4f,
  perUnit: f32,
  // A climb has ended when a squared step is shorter.
  minStep2: f32,
  // Steps of this dispatch.
  steps: u32,
  // This dispatch's place in `tallies`.
  word: u32,
  // 1: the first steps, of all climbs; `climbing` is not there yet.
  isFirst: u32,
  // Places of `climbing` that this dispatch takes: first, and behind the last.
  begin: u32,
  end: u32,
}

struct Tally {
  // Climbs that go on with this dispatch.
  climbs: atomic<u32>,
  // Steps of all of them in it, and of the longest.
  steps: atomic<u32>,
  longest: atomic<u32>,
}

@group(0) @binding(0) var<storage, read> field: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> places: array<vec4f>;
// Of each climb's last step.
@group(0) @binding(2) var<storage, read_write> weights: array<f32>;
@group(0) @binding(3) var<storage, read> climbing: array<u32>;
@group(0) @binding(4) var<storage, read_write> goingOn: array<u32>;
@group(0) @binding(5) var<storage, read_write> tallies: array<Tally>;
@group(0) @binding(6) var<uniform> params: LatticeClimbParams;

fn onLine(node: u32, x: vec4f) -> vec4f {
  return x.x * field[node] + x.y * field[node + 1u] + x.z * field[node + 2u] + x.w * field[node + 3u];
}

fn onPlane(node: u32, spot: Spot) -> vec4f {
  if (DIM == 1u) { return onLine(node, spot.x); }
  let row = params.counts.x;
  return spot.y.x * onLine(node, spot.x) +
    spot.y.y * onLine(node + row, spot.x) +
    spot.y.z * onLine(node + 2u * row, spot.x) +
    spot.y.w * onLine(node + 3u * row, spot.x);
}

// Whether a place is beyond the nodes, and so beyond the reach of all points: only seeds are.
fn isOff(at: vec4f) -> bool {
  let t = (at - params.origin) * params.perUnit;
  let last = vec4f(params.counts) - 1.0;
  var isBeyond = t.x < 0.0 || t.x > last.x;
  if (DIM > 1u) { isBeyond = isBeyond || t.y < 0.0 || t.y > last.y; }
  if (DIM > 2u) { isBeyond = isBeyond || t.z < 0.0 || t.z > last.z; }
  return isBeyond;
}

// Sums of weighted differences on three axes, and of weights.
fn pullAt(at: vec4f) -> vec4f {
  if (isOff(at)) { return vec4f(); }
  let spot = spotOf(at, params.counts, params.origin, params.perUnit);
  if (DIM < 3u) { return onPlane(spot.node, spot); }
  let plane = params.counts.x * params.counts.y;
  return spot.z.x * onPlane(spot.node, spot) +
    spot.z.y * onPlane(spot.node + plane, spot) +
    spot.z.z * onPlane(spot.node + 2u * plane, spot) +
    spot.z.w * onPlane(spot.node + 3u * plane, spot);
}

var<workgroup> keptCount: atomic<u32>;
var<workgroup> stepCount: atomic<u32>;
var<workgroup> mostSteps: atomic<u32>;
var<workgroup> keptAt: u32;

// Climbs up to params.steps steps; how many, and whether the climb goes on.
fn climbOn(k: u32) -> vec2u {
  var at = places[k];
  var steps = 0u;
  var weight = 0.0;
  var goesOn = true;
  while (goesOn && steps < params.steps) {
    let pull = pullAt(at);
    steps++;
    weight = max(pull.w, 0.0);
    if (weight == 0.0) { goesOn = false; break; }
    let step = vec4f(pull.xyz / weight, 0.0);
    at += step;
    goesOn = dot(step, step) >= params.minStep2;
  }
  places[k] = at;
  weights[k] = weight;
  return vec2u(steps, u32(goesOn));
}

@compute @workgroup_size(256)
fn climbLattice(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let item = params.begin + linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (lane == 0u) {
    atomicStore(&keptCount, 0u);
    atomicStore(&stepCount, 0u);
    atomicStore(&mostSteps, 0u);
  }
  workgroupBarrier();
  var k = item;
  var own = 0u;
  var goesOn = false;
  if (item < min(params.end, atomicLoad(&tallies[params.word].climbs))) {
    if (params.isFirst == 0u) { k = climbing[item]; }
    let climbed = climbOn(k);
    goesOn = climbed.y == 1u;
    atomicAdd(&stepCount, climbed.x);
    atomicMax(&mostSteps, climbed.x);
    if (goesOn) { own = atomicAdd(&keptCount, 1u); }
  }
  workgroupBarrier();
  // One reservation a workgroup; neighbours stay together in the list.
  if (lane == 0u) {
    keptAt = atomicAdd(&tallies[params.word + 1u].climbs, atomicLoad(&keptCount));
    atomicAdd(&tallies[params.word].steps, atomicLoad(&stepCount));
    atomicMax(&tallies[params.word].longest, atomicLoad(&mostSteps));
  }
  workgroupBarrier();
  if (goesOn) { goingOn[keptAt + own] = k; }
}
