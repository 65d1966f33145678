// Meetings whose outcome is open: a core point has met the point at position b, which has another identity and is not known to
// be core. Should b turn out to be core in the same dispatch, it may have looked at the other one too early as well, so a later
// dispatch looks again at b's word, and no other. Each chain has a list; only its own workgroup reads and writes it.

import package::gpu::run::run;
import package::gpu::seedLists::{lists, meetingPlace};

// Noted in this dispatch, more where the list is full.
var<workgroup> noted: atomic<u32>;

// Whether there was room.
fn noteMeeting(chain: u32, identity: u32, b: u32) -> bool {
  let k = atomicAdd(&noted, 1u);
  if (k >= run.meetingLength) { return false; }
  let place = meetingPlace(chain, k);
  lists[place] = identity;
  lists[place + 1u] = b;
  return true;
}

// Identity and position of note k, of an earlier dispatch.
fn meetingAt(chain: u32, k: u32) -> vec2u {
  let place = meetingPlace(chain, k);
  return vec2u(lists[place], lists[place + 1u]);
}
