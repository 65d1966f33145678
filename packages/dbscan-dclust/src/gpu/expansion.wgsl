// Expands all chains at the same time, one workgroup per chain (CUDA-DClust, section 5.2, Figure 4).
//
// A pass takes up to eight seeds from the chain's list and finds their neighbours. It marks the neighbours of a core
// seed: an unprocessed neighbour is claimed for the seed's identity and becomes a seed; a core neighbour of another
// identity is a collision. A dispatch makes several passes. A chain with an empty list starts again with unprocessed
// points (units.wgsl), so no chain waits for another. Seeds with pairs that float32 cannot decide wait for the same
// kernel with IS_EXACT.
//
// A pass compares first and marks later (sweeps COMPARE and RELEASE). Few lanes find a neighbour at a time, and all
// other lanes would wait while they mark it.
//
// Invariant: when no seeds are left, every two neighbouring core points have the same identity, or `areJoined` has
// united their identities. It unites no others, so the clusters are those of the contract, for every order of chains.
// Proof. Every claimed point stays on a seed list, waits for the exact kernel, or is set aside, until it has been
// processed. It is then known to be core or not core. Let a and b be neighbours, both core, with identities A ≠ B. Let
// D(x) be the dispatch that sets x's flag CORE. The workgroup that processes a meets b in D(a), or later if that takes
// the exact kernel, because a core seed meets all of its neighbours. The workgroup that processes b meets a in D(b) or
// later.
// - D(a) before D(b): b meets a, whose flag is visible, and unites A and B. The case D(b) before D(a) is symmetric.
// - D(a) = D(b), and one of the meetings happens in a later dispatch: it sees the flag.
// - D(a) = D(b), and both meetings happen in it. If a sees b's flag, it unites A and B. If not, a notes the meeting,
//   and a later dispatch, to which the flag is visible, unites A and B (sweep REVIEW, meetings.wgsl). If there is no
//   room for the note, a sets a mark in b's word, or finds it set. All accesses to the word are atomic, so they have
//   one order. Either the flag comes first and a sees it, or b finds the mark when it sets its flag, and is set aside
//   for a second pass in a later dispatch. If A and B are already united, a neither notes nor marks.
//
// The proof relies on no order between two words, which relaxed atomics would not give. A mark from two rounds ago is
// taken for one from this round; the only cost is an unnecessary second pass. Border points never collide, because a
// collision needs two CORE flags. A point that is not core, and that a core point of another identity has met, keeps
// the mark; borders.wgsl processes such points when clusters are final.

import package::gpu::candidates::{
  append, collectCandidates, groupCount, lineUpRanges, loadSeedKeys, rangeCount, rangeTotal, ranges
};
import package::gpu::exactPairs::areNeighbors;
import package::gpu::identities::{areJoined, takeRow};
import package::gpu::meetings::{meetingAt, noteMeeting, noted};
import package::gpu::passSeeds::{chooseSeeds, fetchSeed, isKnownCore, leftOnList, seedCount, seedIdentities};
import package::gpu::points::{
  MAX_MAGNITUDE, TwoDistances, farBits, isAnyWithin, loadSeeds, nearBits, seeds, squaredDistancesOfTwo
};
import package::gpu::quarantine::{keptCount, quarantine, quarantineLength, quarantined};
import package::gpu::run::{MAX_CHAINS, NONE, PerSeed, SEEDS, WIDTH, run};
import package::gpu::search::search;
import package::gpu::seedLists::{lists, redoPlace, seedPlace};
import package::gpu::states::{CORE, MET, SET_ASIDE, UNPROCESSED, identityOf, metIn, states};

// By chain, four an element: 0 if it has no seeds in this round (newSeeds.wgsl).
@group(0) @binding(13) var<uniform> work: array<vec4u, MAX_CHAINS / 4u>;

override IS_EXACT: bool = false;

// Sweeps over the points of a pass. REVIEW belongs to the first pass only.
const REVIEW: u32 = 0u;
const COMPARE: u32 = 1u;
const RELEASE: u32 = 2u;

// In this pass, by seed: neighbours found (neighborCount), undecided pairs, and whether a neighbour was neither kept
// nor marked.
var<workgroup> found: array<atomic<u32>, SEEDS>;
var<workgroup> undecided: array<atomic<u32>, SEEDS>;
var<workgroup> isIncomplete: array<atomic<u32>, SEEDS>;
// Seeds pushed in this pass, and seeds that wait for the exact kernel after it.
var<workgroup> pushed: atomic<u32>;
var<workgroup> redone: atomic<u32>;
// Seeds found to be core that begin an identity, one bit each.
var<workgroup> newRoots: atomic<u32>;
var<workgroup> waiting: u32;
// Whether the last pass of the exact kernel had undecided pairs.
var<workgroup> wasExact: u32;
var<workgroup> itemCount: u32;
var<workgroup> candidateCount: u32;

// Puts a point on the list, or sets it aside if the list is full (section 5.3).
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
  // Not known to be core, and already marked for a second pass.
  if ((state & (CORE | met)) == met) { return; }
  // Twice, because the point may become core between the two. Identities that are united already need no mark.
  for (var attempt = 0u; attempt < 2u; attempt++) {
    if (areJoined(identity, other, (state & CORE) != 0u)) { return; }
    let isNoted = attempt == 0u && noteMeeting(chain, identity, b);
    if (!isNoted || (state & MET) == 0u) { state = atomicOr(&states[b], select(met | MET, MET, isNoted)); }
    if (isNoted) { return; }
  }
}

fn isCoreByNow(s: u32) -> bool {
  return isKnownCore[s] != 0u || atomicLoad(&found[s]) >= run.minPts;
}

// processObject of the paper, for a candidate that may be a neighbour of some seed: counts it. Returns one bit for each
// seed that it is a neighbour of.
fn meet(b: u32, d2: PerSeed, count: u32, isExactOnly: bool) -> u32 {
  let near = select(nearBits(d2), 0u, isExactOnly);
  var bits = 0u;
  for (var left = select(~farBits(d2), NONE, isExactOnly) & ((1u << count) - 1u); left != 0u; left &= left - 1u) {
    let s = firstTrailingBit(left);
    if ((near & (1u << s)) == 0u) {
      atomicAdd(&undecided[s], 1u);
      if (!IS_EXACT) { continue; }
      if (!areNeighbors(seeds[s], b)) { continue; }
    }
    atomicAdd(&found[s], 1u);
    bits |= 1u << s;
  }
  return bits;
}

// Visits one or two items of a sweep (one if both are the same).
// - REVIEW: an item is a meeting.
// - COMPARE: an item is a candidate position, compared with all seeds; it goes into quarantine while there is room.
// - RELEASE: an item is a point in quarantine.
//
// One function for all sweeps, so that `mark` is compiled once.
fn visit(chain: u32, items: vec2u, count: u32, sweep: u32, isExactOnly: bool) {
  var d2 = TwoDistances();
  if (sweep == COMPARE) {
    d2 = squaredDistancesOfTwo(items.x, items.y);
    if (!isExactOnly && !isAnyWithin(d2.first, run.sureAbove) && !isAnyWithin(d2.second, run.sureAbove)) { return; }
  }
  let itemsHere = select(2u, 1u, items.x == items.y);
  for (var which = 0u; which < itemsHere; which++) {
    let k = select(items.x, items.y, which == 1u);
    // A position, and one bit for each seed that has it as a neighbour. For a meeting: any one bit, and its identity.
    var hit = vec2u(k, 1u);
    var identity = NONE;
    if (sweep == REVIEW) {
      hit.x = meetingAt(chain, k).y;
      identity = meetingAt(chain, k).x;
      if ((atomicLoad(&states[hit.x]) & CORE) == 0u) { continue; }
    } else if (sweep == RELEASE) {
      hit = quarantined(chain, k);
    } else {
      if (which == 1u) { d2.first = d2.second; }
      hit.y = meet(k, d2.first, count, isExactOnly);
      if (hit.y == 0u || quarantine(chain, k, hit.y)) { continue; }
    }
    for (var left = hit.y; left != 0u; left &= left - 1u) {
      if (sweep != REVIEW) {
        let s = firstTrailingBit(left);
        if (!isCoreByNow(s)) {
          if (sweep == COMPARE) { atomicStore(&isIncomplete[s], 1u); }
          continue;
        }
        // Most seeds of a pass have the same identity.
        if (identity == seedIdentities[s]) { continue; }
        identity = seedIdentities[s];
      }
      mark(chain, hit.x, identity);
    }
  }
}

// Called by all lanes: one sweep of a pass.
fn visitAll(chain: u32, count: u32, sweep: u32, lane: u32) {
  let isExactOnly = run.isExactOnly != 0u || atomicLoad(&search.magnitude) > MAX_MAGNITUDE;
  let groups = select(1u, groupCount(), sweep == COMPARE);
  for (var first = 0u; first < groups; first += WIDTH) {
    if (lane == 0u) { atomicStore(&rangeCount, 0u); }
    workgroupBarrier();
    if (sweep == COMPARE) {
      collectCandidates(first, lane);
    } else if (lane == 0u) {
      append(vec2u(0u, select(quarantineLength(), waiting, sweep == REVIEW)));
    }
    workgroupBarrier();
    if (lane == 0u) { itemCount = lineUpRanges(); }
    let total = workgroupUniformLoad(&itemCount);
    var r = 0u;
    for (var t = lane; t < total; t += 2u * WIDTH) {
      while (t >= ranges[r].y) { r++; }
      var items = vec2u(ranges[r].x + t);
      if (t + WIDTH < total) {
        while (t + WIDTH >= ranges[r].y) { r++; }
        items.y = ranges[r].x + t + WIDTH;
      }
      visit(chain, items, count, sweep, isExactOnly);
    }
    storageBarrier();
    workgroupBarrier();
  }
}

// Called by lane s of a pass with more than s seeds: evaluates what the pass has found about seed s.
fn finishSeed(chain: u32, s: u32) {
  let a = seeds[s];
  let near = atomicLoad(&found[s]);
  let open = select(atomicLoad(&undecided[s]), 0u, IS_EXACT);
  let wasCore = isKnownCore[s] != 0u;
  let isCore = wasCore || near >= run.minPts;
  let isOpen = open > 0u && (isCore || near + open >= run.minPts);
  if (isCore && !wasCore) {
    if (seedIdentities[s] == a) { atomicOr(&newRoots, 1u << s); }
    let state = atomicOr(&states[a], CORE);
    // The exact kernel compares all of its neighbours again, in a later dispatch.
    if (!isOpen && (atomicLoad(&isIncomplete[s]) != 0u || (state & metIn(search.round)) != 0u)) {
      setAside(a);
      atomicAdd(&search.rescans, 1u);
    }
    atomicAdd(&search.processed, 1u);
  } else if (!isCore && !isOpen) {
    atomicAdd(&search.processed, 1u);
  }
  if (isOpen) { lists[redoPlace(chain, atomicAdd(&redone, 1u))] = a; }
}

// Called by one lane, after all seeds.
fn finishPass(chain: u32, count: u32) {
  for (var s = 0u; s < count; s++) {
    if (atomicLoad(&undecided[s]) > 0u) { wasExact = 1u; }
  }
  // One at a time, because a chain has one row.
  for (var left = atomicLoad(&newRoots); left != 0u; left &= left - 1u) {
    takeRow(seeds[firstTrailingBit(left)], chain);
    atomicAdd(&search.chains, 1u);
  }
  let redo = atomicLoad(&redone);
  if (redo > 0u) { atomicAdd(&search.exactSeeds, redo); }
  search.ofChain[chain].redoLength = redo;
  candidateCount = atomicExchange(&rangeTotal, 0u);
  atomicStore(&search.ofChain[chain].length, min(leftOnList + atomicLoad(&pushed), run.seedLength));
}

// Called by lane s < SEEDS before a pass: resets its counts.
fn resetSeed(s: u32) {
  atomicStore(&found[s], 0u);
  atomicStore(&undecided[s], 0u);
  atomicStore(&isIncomplete[s], 0u);
  if (s > 0u) { return; }
  atomicStore(&pushed, 0u);
  atomicStore(&redone, 0u);
  atomicStore(&newRoots, 0u);
  atomicStore(&keptCount, 0u);
  wasExact = 0u;
}

@compute @workgroup_size(WIDTH)
fn expandChains(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let chain = groupId.x;
  if (work[chain / 4u][chain % 4u] == 0u) { return; }
  var candidates = 0u;
  if (lane == 0u) { waiting = search.ofChain[chain].meetings; }
  let isReview = workgroupUniformLoad(&waiting) > 0u;
  for (var pass_ = 0u; pass_ < run.maxPasses && candidates < run.maxCandidates; pass_++) {
    if (lane == 0u) { chooseSeeds(chain, IS_EXACT, pass_ == 0u, wasExact != 0u); }
    let count = workgroupUniformLoad(&seedCount);
    let first = select(COMPARE, REVIEW, isReview && pass_ == 0u);
    let last = select(RELEASE, REVIEW, count == 0u);
    if (first > last) { break; }
    if (lane < SEEDS) {
      resetSeed(lane);
      if (count > 0u) { fetchSeed(chain, lane); }
    }
    workgroupBarrier();
    loadSeeds(lane);
    loadSeedKeys(lane);
    workgroupBarrier();
    for (var sweep = first; sweep <= last; sweep++) { visitAll(chain, count, sweep, lane); }
    if (lane < count) { finishSeed(chain, lane); }
    workgroupBarrier();
    if (lane == 0u && count > 0u) { finishPass(chain, count); }
    candidates += workgroupUniformLoad(&candidateCount);
  }
  if (lane == 0u) { search.ofChain[chain].meetings = min(atomicLoad(&noted), run.meetingLength); }
}
