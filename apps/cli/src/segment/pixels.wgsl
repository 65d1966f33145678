// Makes points of pixels and paints pixels by their labels, as `pointsOfPicture` and `paintSegments` do on the host. A
// pixel is a vector of two quads: x, y, L*, a* and b*, 0, 0, 0.

import gpu::dispatch::{Workgroup, workgroupNumber};

struct PixelParams {
  count: u32,
  width: u32,
  // Bandwidths per pixel and per unit of L*a*b*.
  perPixel: f32,
  perUnit: f32,
  // Device units per bandwidth.
  factor: f32,
  // In bandwidths.
  center: vec4f,
  lastCenter: f32,
  // Intervals of the table.
  steps: f32,
}

// Three bytes per pixel.
@group(0) @binding(0) var<storage, read> rgb: array<u32>;
// Linear light of the 256 bytes; then the compressed light at each step of a table.
@group(0) @binding(1) var<storage, read> tables: array<f32>;
// The matrix from linear sRGB to XYZ relative to white, row by row.
@group(0) @binding(2) var<storage, read> toXyz: array<f32>;
@group(0) @binding(3) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(4) var<uniform> params: PixelParams;

// Labels by pixel; three bytes per segment; three bytes per pixel.
@group(0) @binding(5) var<storage, read> labels: array<u32>;
@group(0) @binding(6) var<storage, read> palette: array<u32>;
@group(0) @binding(7) var<storage, read_write> painted: array<u32>;

fn linear(at: u32) -> f32 { return tables[(rgb[at / 4u] >> (8u * (at % 4u))) & 0xffu]; }

fn compressed(row: u32, color: vec3f) -> f32 {
  let xyz = toXyz[3u * row] * color.x + toXyz[3u * row + 1u] * color.y + toXyz[3u * row + 2u] * color.z;
  let step = xyz * params.steps;
  let k = min(u32(step), u32(params.steps));
  let low = tables[256u + k];
  return low + (step - f32(k)) * (tables[257u + k] - low);
}

@compute @workgroup_size(256)
fn writeVectors(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= params.count) { return; }
  let color = vec3f(linear(3u * i), linear(3u * i + 1u), linear(3u * i + 2u));
  let f = vec3f(compressed(0u, color), compressed(1u, color), compressed(2u, color));
  let lab = vec3f(116.0 * f.y - 16.0, 500.0 * (f.x - f.y), 200.0 * (f.y - f.z)) * params.perUnit;
  let xy = vec2f(f32(i % params.width), f32(i / params.width)) * params.perPixel;
  vectors[2u * i] = (vec4f(xy, lab.xy) - params.center) * params.factor;
  vectors[2u * i + 1u] = vec4f((lab.z - params.lastCenter) * params.factor, 0.0, 0.0, 0.0);
}

// Four pixels are three words.
@compute @workgroup_size(256)
fn paintPixels(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (4u * i >= params.count) { return; }
  let last = params.count - 1u;
  let a = palette[labels[4u * i]];
  let b = palette[labels[min(4u * i + 1u, last)]];
  let c = palette[labels[min(4u * i + 2u, last)]];
  let d = palette[labels[min(4u * i + 3u, last)]];
  painted[3u * i] = a | (b << 24u);
  painted[3u * i + 1u] = (b >> 8u) | (c << 16u);
  painted[3u * i + 2u] = (c >> 16u) | (d << 8u);
}
