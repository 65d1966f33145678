// The seeds of a pass: from the chain's list, from the seeds that wait for the exact kernel, or, without any,
// unprocessed points.

import package::gpu::points::seeds;
import package::gpu::run::{SEEDS, run};
import package::gpu::search::search;
import package::gpu::seedLists::{lists, redoPlace, seedPlace};
import package::gpu::states::{CORE, UNPROCESSED, identityOf, states};
import package::gpu::units::{firstOfUnit, unitCount};

const MAX_UNITS: u32 = 8u;

// In this pass: the number of seeds, their identities, and which were known to be core before it.
var<workgroup> seedCount: u32;
var<workgroup> seedIdentities: array<u32, SEEDS>;
var<workgroup> isKnownCore: array<u32, SEEDS>;
// Source of the seeds: unprocessed points, which `seeds` already holds; the seeds that wait for the exact kernel; else
// the end of the list.
var<workgroup> isFresh: u32;
var<workgroup> isRedo: u32;
var<workgroup> listEnd: u32;
var<workgroup> leftOnList: u32;

// Called by one lane: chooses the seeds. The exact kernel first takes the seeds that wait for it, and continues with
// the list while it is needed.
fn chooseSeeds(chain: u32, isExact: bool, isFirstPass: bool, isNeeded: bool) {
  let redo = search.ofChain[chain].redoLength;
  let length = atomicLoad(&search.ofChain[chain].length);
  var count = min(length, SEEDS);
  isFresh = 0u;
  isRedo = select(0u, 1u, isExact && isFirstPass);
  if (isExact) {
    if (isFirstPass) { count = redo; } else if (!isNeeded) { count = 0u; }
    search.ofChain[chain].redoLength = 0u;
  } else if (redo > 0u) {
    count = 0u;
  }
  listEnd = length;
  leftOnList = select(length - min(count, length), length, isRedo != 0u);
  atomicStore(&search.ofChain[chain].length, leftOnList);
  if (!isExact && count == 0u && redo == 0u) {
    count = takeFresh();
    isFresh = 1u;
  }
  seedCount = count;
}

// Called by one lane: claims the unprocessed points of the next unit that has some, as seeds. Returns how many.
fn takeFresh() -> u32 {
  var count = 0u;
  for (var attempt = 0u; attempt < MAX_UNITS && count == 0u; attempt++) {
    if (atomicLoad(&search.cursor) >= unitCount()) { break; }
    let first = firstOfUnit(atomicAdd(&search.cursor, 1u));
    for (var i = first; i < min(first + run.freshLength, run.n); i++) {
      var state = atomicLoad(&states[i]);
      while (state == UNPROCESSED) {
        let claim = atomicCompareExchangeWeak(&states[i], UNPROCESSED, i);
        state = claim.old_value;
        if (claim.exchanged) {
          seeds[count] = i;
          count++;
          break;
        }
      }
    }
  }
  return count;
}

// Called by lane s < SEEDS of a pass with seeds: loads seed s. Lanes beyond the last seed load the last one again.
fn fetchSeed(chain: u32, s: u32) {
  let k = min(s, seedCount - 1u);
  if (isFresh == 0u) {
    seeds[s] = lists[select(seedPlace(chain, listEnd - 1u - k), redoPlace(chain, k), isRedo != 0u)];
  } else if (k != s) {
    seeds[s] = seeds[k];
  }
  let state = atomicLoad(&states[seeds[s]]);
  seedIdentities[s] = identityOf(state);
  isKnownCore[s] = select(0u, 1u, (state & CORE) != 0u);
}
