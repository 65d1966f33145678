// Neighbours of a seed that is not yet known to be core (neighborBuffer of the paper): they must not be marked before. The first
// ones stay in workgroup memory, more of them spill to device memory. Should even that be too small, nothing is lost: the
// seed is set aside when it turns out to be core, and its second pass marks all of its neighbours at once.

import package::gpu::run::{SEEDS, run};
import package::gpu::seedLists::{lists, spillPlace};

// Places a seed in workgroup memory.
const KEPT: u32 = 256u;

var<workgroup> kept: array<u32, SEEDS * KEPT>;

fn quarantineLength() -> u32 {
  return KEPT + run.spillLength;
}

// Puts b away as the h-th neighbour of seed s.
fn quarantine(chain: u32, s: u32, h: u32, b: u32) {
  if (h < KEPT) {
    kept[s * KEPT + h] = b;
  } else if (h < quarantineLength()) {
    lists[spillPlace(chain, s, h - KEPT)] = b;
  }
}

fn quarantined(chain: u32, s: u32, h: u32) -> u32 {
  if (h < KEPT) { return kept[s * KEPT + h]; }
  return lists[spillPlace(chain, s, h - KEPT)];
}
