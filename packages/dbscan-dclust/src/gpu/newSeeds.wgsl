// The new-seeds kernel: gives seeds to chains without seeds (section 5.4). One workgroup, before every expansion.
// Within a round, a chain without seeds takes unprocessed points itself (expansion.wgsl).
//
// A chain without seeds gets, in this order: points that were set aside, which the refill kernel distributes; up to
// eight adjacent unprocessed points, each with an identity of its own; seeds of a chain with more than one, which keep
// their identity, so that a split needs no collision. The run ends when no chain has seeds and no such points are left.
//
// The paper starts chains from random points. Here positions are divided into one stratum per chain, and the walk takes
// one unit of adjacent positions from each stratum in turn. So starts are far apart and repeatable, and each point is
// tested about once. A unit is adjacent because one pass serves several seeds, and seeds near each other share
// candidates.

import package::gpu::identities::{ROOT, wordOf};
import package::gpu::run::{NONE, SEEDS, WIDTH, run};
import package::gpu::search::search;
import package::gpu::seedLists::{donorPlace, idlePlace, lists, seedPlace};
import package::gpu::states::{UNPROCESSED, states};
import package::gpu::units::{firstOfUnit, unitCount};

// By chain: 1 if it has seeds in this round, or gets seeds from the refill kernel. The expansion binds it as a uniform,
// so the compiler knows that all invocations of a workgroup read the same value, and a chain without work can return
// before the first barrier.
@group(0) @binding(11) var<storage, read_write> workOut: array<u32>;

// Bounds of one call: windows of WIDTH units, and seeds that a split moves (as many as a chain can process in a round).
const MAX_WINDOWS: u32 = 16u;
const MAX_MOVED: u32 = 64u;

var<workgroup> idle: atomic<u32>;
var<workgroup> donors: atomic<u32>;
var<workgroup> unreviewed: atomic<u32>;
// Units with unprocessed points that the walk has found (may exceed the number of idle chains), and the first of them
// that no idle chain was left for.
var<workgroup> served: atomic<u32>;
var<workgroup> unserved: atomic<u32>;
// Values that all lanes read: whether the run is done; idle chains left to the refill kernel; other idle chains;
// units that the walk has passed; chains that it has served.
var<workgroup> wasDone: u32;
var<workgroup> refilled: u32;
var<workgroup> idleNow: u32;
var<workgroup> walked: u32;
var<workgroup> servedNow: u32;

fn listChains(lane: u32) {
  for (var chain = lane; chain < run.chains; chain += WIDTH) {
    let length = atomicLoad(&search.ofChain[chain].length);
    let isIdle = length == 0u && search.ofChain[chain].redoLength == 0u;
    let hasMeetings = search.ofChain[chain].meetings > 0u;
    workOut[chain] = select(1u, 0u, isIdle && !hasMeetings);
    if (hasMeetings) { atomicStore(&unreviewed, 1u); }
    if (isIdle) { lists[idlePlace(atomicAdd(&idle, 1u))] = chain; }
    if (length > 1u) { lists[donorPlace(atomicAdd(&donors, 1u))] = chain; }
  }
}

// Called by one lane: leaves as many of the first idle chains to the refill kernel as it can feed. Returns how many.
fn beginRound() -> u32 {
  search.round++;
  let aside = atomicLoad(&search.asideLength);
  // The seeds of a pass; a shorter list holds fewer.
  let fed = min(SEEDS, run.seedLength);
  let refillChains = min(atomicLoad(&idle), (aside + fed - 1u) / fed);
  search.refillChains = refillChains;
  atomicStore(&search.refillTaken, 0u);
  search.refills += select(0u, 1u, refillChains > 0u);
  return refillChains;
}

// Gives the chain a new identity for each unprocessed point of a unit. Frees the chain's row of the collision matrix. A
// row that holds a collision keeps its owner to the end of the run, and the new identities have no row.
fn startChain(chain: u32, first: u32) {
  var length = 0u;
  for (var i = first; i < min(first + run.freshLength, run.n); i++) {
    if (atomicLoad(&states[i]) != UNPROCESSED) { continue; }
    atomicStore(&states[i], i);
    lists[seedPlace(chain, length)] = i;
    length++;
  }
  atomicStore(&search.ofChain[chain].length, length);
  workOut[chain] = 1u;
  let owner = atomicLoad(&search.ofChain[chain].owner);
  if (owner != NONE && atomicLoad(&search.ofChain[chain].hasCollided) == 0u) {
    atomicStore(&states[wordOf(owner)], ROOT);
    atomicStore(&search.ofChain[chain].owner, NONE);
  }
}

fn hasUnprocessed(first: u32) -> bool {
  for (var i = first; i < min(first + run.freshLength, run.n); i++) {
    if (atomicLoad(&states[i]) == UNPROCESSED) { return true; }
  }
  return false;
}

// Serves `count` idle chains from number `skipped` on, as far as this call finds unprocessed points.
fn walk(skipped: u32, count: u32, lane: u32) {
  let units = unitCount();
  if (lane == 0u) { walked = atomicLoad(&search.cursor); }
  var start = workgroupUniformLoad(&walked);
  var servedSoFar = 0u;
  for (var w = 0u; w < MAX_WINDOWS && start < units && servedSoFar < count; w++) {
    if (lane == 0u) { atomicStore(&unserved, NONE); }
    workgroupBarrier();
    let unit = start + lane;
    let first = firstOfUnit(unit);
    if (unit < units && first < run.n && hasUnprocessed(first)) {
      let k = atomicAdd(&served, 1u);
      if (k < count) { startChain(lists[idlePlace(skipped + k)], first); } else { atomicMin(&unserved, unit); }
    }
    workgroupBarrier();
    if (lane == 0u) {
      walked = min(min(start + WIDTH, units), atomicLoad(&unserved));
      servedNow = min(atomicLoad(&served), count);
    }
    start = workgroupUniformLoad(&walked);
    servedSoFar = workgroupUniformLoad(&servedNow);
  }
  if (lane == 0u) { atomicStore(&search.cursor, start); }
}

// Donor d serves the idle chains k ≡ d (mod donors) among those that the walk has not served: `claims` chains, with
// `share` seeds each. It keeps at least one seed.
struct Split {
  share: u32,
  claims: u32,
}

fn splitOf(length: u32, d: u32, donorCount: u32, idleCount: u32) -> Split {
  if (d >= idleCount) { return Split(0u, 0u); }
  let claims = (idleCount - 1u - d) / donorCount + 1u;
  let share = clamp(length / (claims + 1u), 1u, MAX_MOVED);
  return Split(share, min(claims, (length - 1u) / share));
}

// Splits chains (section 5.4): moves the last seeds of donors' lists to idle chains.
fn split(first: u32, count: u32, lane: u32) {
  let donorCount = atomicLoad(&donors);
  if (donorCount > 0u) {
    for (var k = lane; k < count; k += WIDTH) {
      let donor = lists[donorPlace(k % donorCount)];
      let length = atomicLoad(&search.ofChain[donor].length);
      let parts = splitOf(length, k % donorCount, donorCount, count);
      let turn = k / donorCount;
      if (turn >= parts.claims) { continue; }
      let chain = lists[idlePlace(first + k)];
      let from_ = length - parts.share * (turn + 1u);
      for (var j = 0u; j < parts.share; j++) { lists[seedPlace(chain, j)] = lists[seedPlace(donor, from_ + j)]; }
      atomicStore(&search.ofChain[chain].length, parts.share);
      workOut[chain] = 1u;
      atomicAdd(&search.splits, 1u);
    }
  }
  storageBarrier();
  workgroupBarrier();
  // After the barrier, because several idle chains read the length of one donor.
  for (var d = lane; d < donorCount; d += WIDTH) {
    let donor = lists[donorPlace(d)];
    let length = atomicLoad(&search.ofChain[donor].length);
    let parts = splitOf(length, d, donorCount, count);
    atomicStore(&search.ofChain[donor].length, length - parts.share * parts.claims);
  }
}

@compute @workgroup_size(WIDTH)
fn startChains(@builtin(local_invocation_index) lane: u32) {
  // The host may record rounds after the end of the search.
  if (lane == 0u) { wasDone = search.isDone; }
  if (workgroupUniformLoad(&wasDone) != 0u) { return; }
  listChains(lane);
  storageBarrier();
  workgroupBarrier();
  if (lane == 0u) {
    refilled = beginRound();
    idleNow = atomicLoad(&idle) - refilled;
  }
  let skipped = workgroupUniformLoad(&refilled);
  let count = workgroupUniformLoad(&idleNow);
  for (var k = lane; k < skipped; k += WIDTH) { workOut[lists[idlePlace(k)]] = 1u; }
  if (count == 0u) { return; }
  walk(skipped, count, lane);
  let isWalkOver = workgroupUniformLoad(&walked) >= unitCount();
  let servedInAll = workgroupUniformLoad(&servedNow);
  if (!isWalkOver) {
    // The others take unprocessed points in the expansion.
    for (var k = servedInAll + lane; k < count; k += WIDTH) { workOut[lists[idlePlace(skipped + k)]] = 1u; }
    return;
  }
  split(skipped + servedInAll, count - servedInAll, lane);
  // All chains are idle, the refill kernel has none to feed, and the walk has served none.
  if (lane == 0u && count == run.chains && servedInAll == 0u && atomicLoad(&unreviewed) == 0u) { search.isDone = 1u; }
}
