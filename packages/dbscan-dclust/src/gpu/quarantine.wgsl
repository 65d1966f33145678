// Quarantine: neighbours of the seeds of a pass (neighborBuffer of the paper). A neighbour may be marked only when its
// seed is known to be core; all neighbours wait until all candidates are compared. The first ones stay in workgroup
// memory. With a large minPts more of them spill to device memory. If that is full too, no neighbour is lost: a
// neighbour of a seed that is known to be core is marked at once, and any other seed is set aside for a second pass if
// it turns out to be core.

import package::gpu::run::run;
import package::gpu::seedLists::{lists, spillPlace};

const KEPT: u32 = 1024u;

// Position of a point, and one bit for each seed that it is a neighbour of.
var<workgroup> kept: array<vec2u, KEPT>;
// Points in quarantine; may exceed the capacity.
var<workgroup> keptCount: atomic<u32>;

fn quarantine(chain: u32, b: u32, bits: u32) -> bool {
  let h = atomicAdd(&keptCount, 1u);
  if (h < KEPT) {
    kept[h] = vec2u(b, bits);
    return true;
  }
  if (h - KEPT >= run.spillLength) { return false; }
  let place = spillPlace(chain, h - KEPT);
  lists[place] = b;
  lists[place + 1u] = bits;
  return true;
}

fn quarantined(chain: u32, h: u32) -> vec2u {
  if (h < KEPT) { return kept[h]; }
  let place = spillPlace(chain, h - KEPT);
  return vec2u(lists[place], lists[place + 1u]);
}

fn quarantineLength() -> u32 {
  return min(atomicLoad(&keptCount), KEPT + run.spillLength);
}
