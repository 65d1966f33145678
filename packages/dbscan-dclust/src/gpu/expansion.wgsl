// Expansion of all chains at the same time, one workgroup a chain (CUDA-DClust, section 5.2, Figure 4).
//
// A pass takes up to four seeds from the chain's list, finds their neighbours, and where a seed is core, marks these: an
// unprocessed one is claimed for the seed's identity and becomes a seed; a core point of another identity is a collision.
// A dispatch is made of several passes. Seeds with pairs that float32 cannot decide wait for the same kernel with IS_EXACT.
//
// Invariant: when no seeds are left, every two neighbouring core points have the same identity, or `areJoined` has joined
// theirs. It joins no others, so clusters are those of the contract whatever the order of chains.
// Proof. Every claimed point stays on a seed list, waits for the exact kernel, or is set aside, until it has been processed, and
// is then CORE or NOT_CORE for good. Let a and b be neighbours, both core, with identities A ≠ B, and D(x) the dispatch that
// sets x's flag CORE. Whoever processes a meets b in D(a), or later where that takes the exact kernel, for a seed that is core
// meets all of its neighbours; and whoever processes b meets a in D(b) or later.
// - D(a) before D(b): b meets a, whose flag is visible, and joins the two. Likewise the other way round.
// - D(a) = D(b), and one meets the other in a later dispatch: it sees the flag.
// - D(a) = D(b), where both meet. All accesses to b's word are atomic, so they have one order, and the meeting by a leaves a mark
//   in the word, or finds it there. If b's flag comes first, a sees it and joins the two. If the mark comes first, b finds it when it
//   sets its flag, and is set aside for a second pass, in a later dispatch. No mark is left where A and B are joined already.
// No order between two words is relied on, which relaxed atomics would not give. A mark of two rounds ago looks like one of this
// round: a second pass for nothing. Border points never collide: collisions need two CORE flags. Points that are NOT_CORE and
// met by a core point of another identity than their own keep the mark; borders.wgsl looks at them when clusters are final.

import package::gpu::candidates::{
  append, collectCandidates, groupCount, loadSeedKeys, rangeCount, rangeTotal, ranges, teamsFor
};
import package::gpu::exactPairs::areNeighbors;
import package::gpu::identities::{areJoined, takeRow};
import package::gpu::points::{
  FAR, MAX_MAGNITUDE, UNDECIDED, loadSeeds, ofSeed, seeds, squaredDistances, verdictOf
};
import package::gpu::quarantine::{quarantine, quarantineLength, quarantined};
import package::gpu::run::{SEEDS, WIDTH, run};
import package::gpu::search::{chains, search};
import package::gpu::seedLists::{lists, redoPlace, seedPlace};
import package::gpu::states::{
  CORE, NOT_CORE, SET_ASIDE, UNPROCESSED, identityOf, metIn, states
};

// By chain: 0 where it has no seeds in this round (newSeeds.wgsl).
@group(0) @binding(13) var<storage, read> work: array<u32>;

// Whether undecided pairs are decided by software float64.
override IS_EXACT: bool = false;

// Stages of a pass.
const COMPARE: u32 = 0u;
const RELEASE: u32 = 1u;

// Of this pass: seeds, their identities, and which were known to be core before it.
var<workgroup> seedCount: u32;
var<workgroup> seedIdentities: array<u32, SEEDS>;
var<workgroup> isKnownCore: array<u32, SEEDS>;
// Neighbours found (neighborCount), undecided pairs.
var<workgroup> found: array<atomic<u32>, SEEDS>;
var<workgroup> undecided: array<atomic<u32>, SEEDS>;
// Seeds left on the list when the pass began, and pushed since.
var<workgroup> leftOnList: u32;
var<workgroup> pushed: atomic<u32>;
// Whether the last pass of the exact kernel had undecided pairs.
var<workgroup> wasExact: u32;
// Candidates of the last pass.
var<workgroup> candidateCount: u32;

// By one lane: takes the seeds of a pass. The exact kernel first takes those that wait for it, and goes on with the list as
// long as it is needed.
fn takeSeeds(chain: u32, pass_: u32) {
  let redo = chains[chain].redoLength;
  let length = atomicLoad(&chains[chain].length);
  var count = min(length, SEEDS);
  var isRedo = false;
  if (IS_EXACT) {
    isRedo = pass_ == 0u;
    if (isRedo) { count = redo; } else if (wasExact == 0u) { count = 0u; }
    chains[chain].redoLength = 0u;
    wasExact = 0u;
  } else if (redo > 0u) {
    count = 0u;
  }
  leftOnList = select(length - min(count, length), length, isRedo);
  for (var s = 0u; s < SEEDS; s++) {
    let k = min(s, max(count, 1u) - 1u);
    if (count > 0u) { seeds[s] = lists[select(seedPlace(chain, length - 1u - k), redoPlace(chain, k), isRedo)]; }
    let state = select(0u, atomicLoad(&states[seeds[s]]), count > 0u);
    seedIdentities[s] = identityOf(state);
    isKnownCore[s] = select(0u, 1u, (state & CORE) != 0u);
    atomicStore(&found[s], 0u);
    atomicStore(&undecided[s], 0u);
  }
  atomicStore(&pushed, 0u);
  atomicStore(&chains[chain].length, leftOnList);
  seedCount = count;
}

// Puts a point on the list, or aside where the list is full (section 5.3).
fn push(chain: u32, b: u32) {
  let place = leftOnList + atomicAdd(&pushed, 1u);
  if (place < run.seedLength) {
    lists[seedPlace(chain, place)] = b;
  } else {
    atomicAdd(&search.overflows, 1u);
    setAside(b);
  }
}

fn setAside(b: u32) {
  atomicOr(&states[b], SET_ASIDE);
  atomicAdd(&search.asideLength, 1u);
}

// markAsCandidate of the paper: the point at position b is a neighbour of a core point of this identity.
fn mark(chain: u32, b: u32, identity: u32) {
  var state = atomicLoad(&states[b]);
  while (state == UNPROCESSED) {
    let claim = atomicCompareExchangeWeak(&states[b], UNPROCESSED, identity);
    if (claim.exchanged) {
      push(chain, b);
      return;
    }
    state = claim.old_value;
  }
  let other = identityOf(state);
  let met = metIn(search.round);
  if (other == identity) { return; }
  // Not known to be core, and met already.
  if ((state & (CORE | met)) == met) { return; }
  // Twice, because the point may become core in between. Identities that are joined already need no mark.
  for (var attempt = 0u; attempt < 2u; attempt++) {
    if (areJoined(identity, other, (state & CORE) != 0u)) { return; }
    state = atomicOr(&states[b], met);
  }
}

// processObject of the paper, for a pair that is not certainly far apart. Returns whether b is to be marked now.
fn meet(chain: u32, s: u32, b: u32, verdict: u32) -> bool {
  if (verdict == UNDECIDED) {
    atomicAdd(&undecided[s], 1u);
    if (!IS_EXACT) { return false; }
    if (!areNeighbors(seeds[s], b)) { return false; }
  }
  let h = atomicAdd(&found[s], 1u);
  if (isKnownCore[s] != 0u || h >= run.minPts) { return true; }
  quarantine(chain, s, h, b);
  return false;
}

// Whether the quarantine of seed s is over: it has turned out to be core in this pass.
fn isReleased(s: u32) -> bool {
  return isKnownCore[s] == 0u && atomicLoad(&found[s]) >= run.minPts;
}

// Item k of a stage. COMPARE: the candidate at position k, with all seeds. RELEASE: a neighbour in quarantine.
// One function, so that `mark` is compiled once.
fn visit(chain: u32, k: u32, count: u32, stage: u32, isExactOnly: bool) {
  var b = k;
  var first = 0u;
  var end = count;
  var d2 = vec4f();
  if (stage == RELEASE) {
    first = k / releaseLength();
    end = first + 1u;
    b = quarantined(chain, first, k % releaseLength());
  } else {
    d2 = squaredDistances(b);
    if (!isExactOnly && !any(d2 <= vec4f(run.sureAbove))) { return; }
  }
  for (var s = first; s < end; s++) {
    var isMarked = false;
    if (stage == RELEASE) {
      isMarked = isReleased(s);
    } else {
      let verdict = verdictOf(ofSeed(d2, s), isExactOnly);
      if (verdict != FAR) { isMarked = meet(chain, s, b, verdict); }
    }
    if (isMarked) { mark(chain, b, seedIdentities[s]); }
  }
}

// Neighbours in quarantine of a seed that turned out to be core.
fn releaseLength() -> u32 {
  return min(run.minPts, quarantineLength());
}

// By all lanes: one stage of a pass.
fn visitAll(chain: u32, count: u32, stage: u32, lane: u32) {
  let isExactOnly = run.isExactOnly != 0u || atomicLoad(&search.magnitude) > MAX_MAGNITUDE;
  let groups = select(1u, groupCount(), stage == COMPARE);
  for (var first = 0u; first < groups; first += WIDTH) {
    if (lane == 0u) { atomicStore(&rangeCount, 0u); }
    workgroupBarrier();
    if (stage == COMPARE) {
      collectCandidates(first, lane);
    } else if (lane == 0u) {
      append(vec2u(0u, count * releaseLength()));
    }
    workgroupBarrier();
    let rangesNow = atomicLoad(&rangeCount);
    let teams = teamsFor(rangesNow);
    let step = WIDTH / teams;
    for (var r = lane / step; r < rangesNow; r += teams) {
      for (var k = ranges[r].x + lane % step; k < ranges[r].y; k += step) { visit(chain, k, count, stage, isExactOnly); }
    }
    storageBarrier();
    workgroupBarrier();
  }
}

// By one lane: what a pass has found out about seed s. Returns whether it waits for the exact kernel.
fn finishSeed(chain: u32, s: u32) -> bool {
  let a = seeds[s];
  let near = atomicLoad(&found[s]);
  let open = select(atomicLoad(&undecided[s]), 0u, IS_EXACT);
  let wasCore = isKnownCore[s] != 0u;
  let isCore = wasCore || near >= run.minPts;
  let isOpen = open > 0u && (isCore || near + open >= run.minPts);
  if (isCore && !wasCore) {
    if (seedIdentities[s] == a) {
      takeRow(a, chain);
      atomicAdd(&search.chains, 1u);
    }
    let state = atomicOr(&states[a], CORE);
    let isIncomplete = run.minPts > quarantineLength();
    // The exact kernel looks at all of its neighbours again, in a later dispatch.
    if (!isOpen && (isIncomplete || (state & metIn(search.round)) != 0u)) {
      setAside(a);
      atomicAdd(&search.rescans, 1u);
    }
    atomicAdd(&search.processed, 1u);
  } else if (!isCore && !isOpen) {
    atomicOr(&states[a], NOT_CORE);
    atomicAdd(&search.processed, 1u);
  }
  return isOpen;
}

// By one lane, at the end of a pass.
fn finishPass(chain: u32, count: u32) {
  var redo = 0u;
  for (var s = 0u; s < count; s++) {
    if (atomicLoad(&undecided[s]) > 0u) { wasExact = 1u; }
    if (finishSeed(chain, s)) {
      lists[redoPlace(chain, redo)] = seeds[s];
      redo++;
    }
  }
  if (redo > 0u) { atomicAdd(&search.exactSeeds, redo); }
  chains[chain].redoLength = redo;
  candidateCount = atomicExchange(&rangeTotal, 0u);
  atomicStore(&chains[chain].length, min(leftOnList + atomicLoad(&pushed), run.seedLength));
}

@compute @workgroup_size(WIDTH)
fn expandChains(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let chain = groupId.x;
  if (work[chain] == 0u) { return; }
  var candidates = 0u;
  for (var pass_ = 0u; pass_ < run.maxPasses && candidates < run.maxCandidates; pass_++) {
    if (lane == 0u) { takeSeeds(chain, pass_); }
    let count = workgroupUniformLoad(&seedCount);
    if (count == 0u) { return; }
    loadSeeds(lane);
    loadSeedKeys(lane);
    workgroupBarrier();
    for (var stage = COMPARE; stage <= RELEASE; stage++) { visitAll(chain, count, stage, lane); }
    if (lane == 0u) { finishPass(chain, count); }
    candidates += workgroupUniformLoad(&candidateCount);
  }
}
