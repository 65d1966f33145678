// Stores points in blocks of four axes (points.wgsl), resets their states and identities, and finds the largest
// coordinate.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::identities::{ROOT, wordOf};
import package::gpu::run::run;
import package::gpu::search::search;
import package::gpu::states::{UNPROCESSED, states};

@group(0) @binding(0) var<storage, read> coords: array<u32>;
@group(0) @binding(1) var<storage, read_write> blocksOut: array<vec4u>;

var<workgroup> largest: atomic<u32>;

fn wordAt(i: u32, d: u32) -> u32 {
  if (d >= run.dim) { return 0u; }
  return coords[i * run.dim + d];
}

@compute @workgroup_size(256)
fn layOut(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i < run.n) {
    var magnitude = 0u;
    for (var k = 0u; k < run.blocks; k++) {
      let axes = vec4u(wordAt(i, 4u * k), wordAt(i, 4u * k + 1u), wordAt(i, 4u * k + 2u), wordAt(i, 4u * k + 3u));
      blocksOut[k * run.n + i] = axes;
      // Without the sign bit, words are ordered by magnitude.
      let words = axes & vec4u(0x7fffffffu);
      magnitude = max(magnitude, max(max(words.x, words.y), max(words.z, words.w)));
    }
    atomicStore(&states[i], UNPROCESSED);
    atomicStore(&states[wordOf(i)], ROOT);
    atomicMax(&largest, magnitude);
  }
  workgroupBarrier();
  if (lane == 0u) { atomicMax(&search.magnitude, atomicLoad(&largest)); }
}
