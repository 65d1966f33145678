// A picture of labelled points, by sums at each pixel: a point adds its coverage of a pixel, and its colour times the
// coverage, with atomic additions of integers. So the picture does not depend on the order of the points, and a
// million points need no triangles.
//
// Invariant: a pixel's sums never overflow, because n · LEVELS < 2^32 (levelsFor in picture.ts).

import gpu::dispatch::{Workgroup, workgroupNumber};

struct View {
  // pixel = coords · scale + shift
  scale: vec2f,
  shift: vec2f,
  // In pixels.
  radius: f32,
  // Integer value of full coverage.
  levels: f32,
  // Share of the background that one point of full coverage hides.
  opacity: f32,
  background: u32,
  width: u32,
  height: u32,
  // Words of a row of the image, a multiple of 64.
  rowWords: u32,
  n: u32,
  // Every step-th point is drawn, step times as strong.
  step: u32,
  // The cluster that is drawn in colour; −2: all are.
  selected: i32,
  colours: u32,
  // 1: the image is BGRA, else RGBA.
  isBgra: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> coords: array<vec2f>;
@group(0) @binding(2) var<storage, read> labels: array<i32>;
// Red, green, blue, weight: of points without a label, of noise, of points aside, then of clusters.
@group(0) @binding(3) var<storage, read> palette: array<vec4f>;
// Of each pixel: coverage, then coverage · red, green and blue.
@group(0) @binding(4) var<storage, read_write> sums: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> pixelSums: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> image: array<u32>;

const NO_LABEL = -2;
const ASIDE = 2u;
const SETS_FROM = 3u;

fn colourOf(label: i32) -> vec4f {
  if (view.selected != NO_LABEL && label != view.selected) { return palette[ASIDE]; }
  if (label < 0) { return palette[u32(label + 2)]; }
  return palette[SETS_FROM + u32(label) % view.colours];
}

@compute @workgroup_size(256)
fn addPoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = (workgroupNumber(at) * 256u + lane) * view.step;
  if (i >= view.n) { return; }
  let center = coords[i] * view.scale + view.shift;
  let reach = view.radius + 0.5;
  let size = vec2f(f32(view.width), f32(view.height));
  // Written so that NaN fails.
  if (!(all(center > vec2f(-reach)) && all(center < size + reach))) { return; }
  let colour = colourOf(labels[i]);
  let begin = vec2u(max(floor(center - reach + 0.5), vec2f(0.0)));
  let end = vec2u(min(floor(center + reach + 0.5), size));
  for (var y = begin.y; y < end.y; y++) {
    for (var x = begin.x; x < end.x; x++) {
      let away = distance(center, vec2f(f32(x) + 0.5, f32(y) + 0.5));
      let covered = clamp(reach - away, 0.0, 1.0) * colour.w * view.levels;
      if (covered < 0.5) { continue; }
      let sum = 4u * (y * view.width + x);
      atomicAdd(&sums[sum], u32(covered + 0.5));
      atomicAdd(&sums[sum + 1u], u32(covered * colour.x + 0.5));
      atomicAdd(&sums[sum + 2u], u32(covered * colour.y + 0.5));
      atomicAdd(&sums[sum + 3u], u32(covered * colour.z + 0.5));
    }
  }
}

// Turns sums into colours, and clears them for the next picture.
@compute @workgroup_size(256)
fn mixPixels(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let pixel = workgroupNumber(at) * 256u + lane;
  if (pixel >= view.width * view.height) { return; }
  let sum = pixelSums[pixel];
  var colour = unpack4x8unorm(view.background).xyz;
  if (sum.x > 0u) {
    pixelSums[pixel] = vec4u(0u);
    let points = f32(sum.x) / view.levels * f32(view.step);
    let hidden = 1.0 - exp2(points * log2(1.0 - view.opacity));
    colour = mix(colour, vec3f(sum.yzw) / f32(sum.x), hidden);
  }
  let shown = select(colour, colour.zyx, view.isBgra == 1u);
  image[pixel / view.width * view.rowWords + pixel % view.width] = pack4x8unorm(vec4f(shown, 1.0));
}
