// Neighbours of the seeds of a pass (neighborBuffer of the paper). Those of a seed that is not yet known to be core must not be
// marked before it is; those of others wait as well, until all candidates are compared. The first ones stay in workgroup memory;
// where minPts is large, more of them spill to device memory. Should even that be too small, nothing is lost: neighbours of a seed
// that is core by then are marked at once, and any other seed is set aside when it turns out to be core, for a second pass.

import package::gpu::run::run;
import package::gpu::seedLists::{lists, spillPlace};

// Places in workgroup memory.
const KEPT: u32 = 1024u;

// Position of a point, and one bit for each seed of which it is a neighbour.
var<workgroup> kept: array<vec2u, KEPT>;
// Points in quarantine, more where there was no room.
var<workgroup> keptCount: atomic<u32>;

// Whether there was room.
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
