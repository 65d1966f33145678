// The sums of a step at the nodes of a lattice. Each point is shared out among nodes, and the shares are convolved with
// the kernel, axis by axis. The taps of the convolution compensate for the splines here and in the interpolation: see
// latticeTaps.ts.
// Source: Hockney and Eastwood 1988, Computer Simulation Using Particles (particle-mesh forces with an optimal
// influence function).

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::lattice::lattice::{DIM, Stencil, stencilAt};

struct FieldParams {
  counts: vec4u,
  origin: vec4f,
  perUnit: f32,
  nodes: u32,
  // Taps to either side.
  reach: u32,
  begin: u32,
  end: u32,
}

@group(0) @binding(0) var<storage, read> points: array<vec4f>;
// Shares of all points in each node, as an integer number of parts. Integers have the same sum in any order.
@group(0) @binding(1) var<storage, read_write> density: array<atomic<u32>>;
// Carries beyond 32 bits, if many points share their nodes.
@group(0) @binding(10) var<storage, read_write> carries: array<atomic<u32>>;
// Most points that share the same nodes.
@group(0) @binding(2) var<storage, read_write> densest: atomic<u32>;
@group(0) @binding(3) var<uniform> params: FieldParams;

// `density`, when it is complete; then floats. Read-write because it shares a buffer with what is written.
@group(0) @binding(4) var<storage, read_write> parts: array<u32>;
@group(0) @binding(11) var<storage, read_write> carried: array<u32>;
@group(0) @binding(5) var<storage, read> mostPoints: u32;
// At distance k − reach − PADDING: for the sum of weights, and for the weighted differences on this axis. Padded with
// zeros on both sides.
@group(0) @binding(6) var<storage, read> taps: array<vec2f>;
@group(0) @binding(7) var<storage, read_write> alongX: array<vec2f>;
// Along the second and third axis: two words a node as in `alongX`, then four.
@group(0) @binding(8) var<storage, read> acrossIn: array<vec2f>;
// In the end: sums of weighted differences on three axes, and of weights.
@group(0) @binding(9) var<storage, read_write> acrossOut: array<vec4f>;

const PADDING: u32 = 3u;

var<workgroup> mostHere: atomic<u32>;

@compute @workgroup_size(256)
fn countPoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = params.begin + workgroupNumber(at) * 256u + lane;
  if (lane == 0u) { atomicStore(&mostHere, 0u); }
  workgroupBarrier();
  if (k < params.end) {
    let here = atomicAdd(&density[stencilAt(points[k], params.counts, params.origin, params.perUnit).node], 1u) + 1u;
    atomicMax(&mostHere, here);
  }
  workgroupBarrier();
  if (lane == 0u) { atomicMax(&densest, atomicLoad(&mostHere)); }
}

// With 2^20 parts a point the error of a share is at most 2^−21.
const LEAST_BITS: u32 = 20u;

// Of c points with the same first node, a node has at most c times the largest share. Over the four first nodes on an
// axis the largest shares sum to 1/6 + 2/3 + 2/3 + 1/6 = 5/3, so a node has at most (5/3)³ · c < 4.63 · c, with c <
// 2^(b + 1), where b is the first bit of c. 32 bits hold 2^(28 − b) parts a point. If these are too few, carries are
// counted.
fn isWide(most: u32) -> bool { return firstLeadingBit(max(most, 1u)) > 28u - LEAST_BITS; }

// Parts of a point. A share has 24 bits anyway.
fn partsOfPoint(most: u32) -> f32 {
  if (isWide(most)) { return 0x1p24; }
  return exp2(28.0 - f32(firstLeadingBit(max(most, 1u))));
}

fn addShare(node: u32, share: f32, wide: bool) {
  let own = u32(share + 0.5);
  if (!wide) {
    atomicAdd(&density[node], own);
    return;
  }
  // The sum wraps as often as it carries, in any order.
  let before = atomicAdd(&density[node], own);
  if (before + own < before) { atomicAdd(&carries[node], 1u); }
}

fn addLine(node: u32, stencil: Stencil, share: f32, wide: bool) {
  addShare(node, share * stencil.x.x, wide);
  addShare(node + 1u, share * stencil.x.y, wide);
  addShare(node + 2u, share * stencil.x.z, wide);
  addShare(node + 3u, share * stencil.x.w, wide);
}

fn addPlane(node: u32, stencil: Stencil, share: f32, wide: bool) {
  if (DIM == 1u) { addLine(node, stencil, share, wide); return; }
  let row = params.counts.x;
  addLine(node, stencil, share * stencil.y.x, wide);
  addLine(node + row, stencil, share * stencil.y.y, wide);
  addLine(node + 2u * row, stencil, share * stencil.y.z, wide);
  addLine(node + 3u * row, stencil, share * stencil.y.w, wide);
}

// `wide` is constant at each call, so loops over shares do not test it.
fn addPoint(stencil: Stencil, one: f32, wide: bool) {
  if (DIM < 3u) { addPlane(stencil.node, stencil, one, wide); return; }
  let plane = params.counts.x * params.counts.y;
  addPlane(stencil.node, stencil, one * stencil.z.x, wide);
  addPlane(stencil.node + plane, stencil, one * stencil.z.y, wide);
  addPlane(stencil.node + 2u * plane, stencil, one * stencil.z.z, wide);
  addPlane(stencil.node + 3u * plane, stencil, one * stencil.z.w, wide);
}

@compute @workgroup_size(256)
fn sharePoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = params.begin + workgroupNumber(at) * 256u + lane;
  if (k >= params.end) { return; }
  let stencil = stencilAt(points[k], params.counts, params.origin, params.perUnit);
  let one = partsOfPoint(mostPoints);
  if (isWide(mostPoints)) { addPoint(stencil, one, true); } else { addPoint(stencil, one, false); }
}

// Converts parts to points, as the bits of floats: every value is read a few dozen times.
@compute @workgroup_size(256)
fn joinParts(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let node = params.begin + workgroupNumber(at) * 256u + lane;
  if (node >= params.end) { return; }
  var sum = f32(parts[node]);
  if (isWide(mostPoints)) { sum = fma(f32(carried[node]), 0x1p32, sum); }
  parts[node] = bitcast<u32>(sum / partsOfPoint(mostPoints));
}

@compute @workgroup_size(256)
fn blurX(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let node = params.begin + workgroupNumber(at) * 256u + lane;
  if (node >= params.end) { return; }
  let count = params.counts.x;
  let x = node % count;
  let first = x - min(x, params.reach);
  let last = min(x + params.reach, count - 1u);
  var sum = vec2f();
  for (var i = first; i <= last; i++) {
    sum += bitcast<f32>(parts[node + i - x]) * taps[PADDING + i + params.reach - x];
  }
  alongX[node] = sum;
}

// Four neighbouring nodes on an axis, which share most of what they read: the first of them, and the stride between
// two.
struct Quartet {
  node: u32,
  stride: u32,
  index: u32,
  count: u32,
}

// Quartet `item` on an axis of `count` nodes, `stride` apart.
fn quartetOf(item: u32, stride: u32, count: u32) -> Quartet {
  let quartets = (count + 3u) / 4u;
  let index = item / stride % quartets * 4u;
  return Quartet(item / (stride * quartets) * stride * count + index * stride + item % stride, stride, index, count);
}

struct FourTaps { a: vec2f, b: vec2f, c: vec2f, d: vec2f }

fn tapsAt(four: Quartet, i: u32) -> FourTaps {
  let k = PADDING + i + params.reach - four.index;
  return FourTaps(taps[k], taps[k - 1u], taps[k - 2u], taps[k - 3u]);
}

// First and last node in the reach of any of the four.
fn reachOf(four: Quartet) -> vec2u {
  return vec2u(four.index - min(four.index, params.reach), min(four.index + 3u + params.reach, four.count - 1u));
}

// Whether this is the third axis; else the second.
override IS_THIRD: bool = false;

// Weighted differences on the axes so far, and weights.
fn sumsAt(node: u32) -> vec4f {
  if (IS_THIRD) { return vec4f(acrossIn[2u * node], acrossIn[2u * node + 1u]); }
  return acrossIn[node].yxxx;
}

// The former convolved, the differences along this axis, and weights.
fn blurred(here: vec4f, tap: vec2f) -> vec4f {
  if (IS_THIRD) { return vec4f(here.xy * tap.x, here.w * tap.y, here.w * tap.x); }
  return vec4f(here.x * tap.x, here.w * tap.y, 0.0, here.w * tap.x);
}

@compute @workgroup_size(256)
fn blurAcross(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let item = params.begin + workgroupNumber(at) * 256u + lane;
  if (item >= params.end) { return; }
  var four: Quartet;
  if (IS_THIRD) {
    four = quartetOf(item, params.counts.x * params.counts.y, params.counts.z);
  } else {
    four = quartetOf(item, params.counts.x, params.counts.y);
  }
  let reach = reachOf(four);
  var a = vec4f();
  var b = vec4f();
  var c = vec4f();
  var d = vec4f();
  for (var i = reach.x; i <= reach.y; i++) {
    let here = sumsAt(four.node + i * four.stride - four.index * four.stride);
    let tap = tapsAt(four, i);
    a += blurred(here, tap.a);
    b += blurred(here, tap.b);
    c += blurred(here, tap.c);
    d += blurred(here, tap.d);
  }
  acrossOut[four.node] = a;
  if (four.index + 1u < four.count) { acrossOut[four.node + four.stride] = b; }
  if (four.index + 2u < four.count) { acrossOut[four.node + 2u * four.stride] = c; }
  if (four.index + 3u < four.count) { acrossOut[four.node + 3u * four.stride] = d; }
}
