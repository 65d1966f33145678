// The seed-refill kernel (section 5.3): distributes points that were set aside, because a list was full or for a second
// pass, to chains without seeds. Any chain can take a point, because the point keeps its identity.

import gpu::dispatch::Workgroup;
import package::gpu::run::{WIDTH, run};
import package::gpu::search::search;
import package::gpu::seedLists::{idlePlace, lists, seedPlace};
import package::gpu::states::{SET_ASIDE, UNPROCESSED, states};

@compute @workgroup_size(WIDTH)
fn refillSeeds(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let idle = search.refillChains;
  if (idle == 0u) { return; }
  for (var b = at.id.x * WIDTH + lane; b < run.n; b += at.count.x * WIDTH) {
    if ((atomicLoad(&states[b]) & SET_ASIDE) == 0u) { continue; }
    // One to each chain in turn; points beyond the capacity of the lists stay aside.
    let turn = atomicAdd(&search.refillTaken, 1u);
    let place = turn / idle;
    if (place >= run.seedLength) { continue; }
    let chain = lists[idlePlace(turn % idle)];
    atomicAnd(&states[b], ~SET_ASIDE);
    lists[seedPlace(chain, place)] = b;
    atomicAdd(&search.ofChain[chain].length, 1u);
    atomicSub(&search.asideLength, 1u);
  }
}
