// Open meetings: a core point has met the point at position b, which has another identity and is not known to be core.
// If b becomes core in the same dispatch, b may have met the core point too early as well. So a later dispatch reads
// b's word again. Each chain has a list, which only its own workgroup reads and writes.

import package::gpu::run::run;
import package::gpu::seedLists::{lists, meetingPlace};

// Number of notes of this dispatch; may exceed the capacity of the list.
var<workgroup> noted: atomic<u32>;

fn noteMeeting(chain: u32, identity: u32, b: u32) -> bool {
  let k = atomicAdd(&noted, 1u);
  if (k >= run.meetingLength) { return false; }
  let place = meetingPlace(chain, k);
  lists[place] = identity;
  lists[place + 1u] = b;
  return true;
}

fn meetingAt(chain: u32, k: u32) -> vec2u {
  let place = meetingPlace(chain, k);
  return vec2u(lists[place], lists[place + 1u]);
}
