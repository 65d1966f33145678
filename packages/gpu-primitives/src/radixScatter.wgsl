// The last dispatch of a radix sort's pass, but for the ranking: a workgroup takes its tiles one by one. Each tile is put in
// order of the digit in workgroup memory first, so that the writes to the output come in runs.
// Teams of lanes rank their items among themselves, row by row; a team's rows follow one another in memory, and so do the teams. So
// ranks in this order keep the sort stable.
// Source: Ashkiani et al. 2016, GPU Multisplit, §5 (reordering within the workgroup).

import package::radixDigits::{DIGIT_BITS, ITEMS, KEY_WORDS, MAX_DIGITS, MAX_ITEMS, STAGED, WIDTH, digitOf, digitTotals, digitWord, groupCounts, keys, params};
import package::workgroupScan::scanWorkgroup;

@group(0) @binding(4) var<storage, read> values: array<u32>;
@group(0) @binding(5) var<storage, read_write> sortedKeys: array<u32>;
@group(0) @binding(6) var<storage, read_write> sortedValues: array<u32>;

// 0 = keys only, 1 = a word a key from `values`, 2 = the key's own index.
override VALUES: u32 = 1u;

// First the teams' counters, then the tile itself.
var<workgroup> staged: array<atomic<u32>, STAGED>;
// Where a digit begins in the tile in order, and how far from there to its place in the output.
var<workgroup> digitStart: array<u32, MAX_DIGITS>;
var<workgroup> digitShift: array<u32, MAX_DIGITS>;

// Two digits' counters a word: a tile holds fewer than 2^16 keys.
fn counterOf(team: u32, digit: u32) -> u32 {
  return (team << (DIGIT_BITS - 1u)) + digit / 2u;
}

fn halfOf(digit: u32) -> u32 {
  return 16u * (digit & 1u);
}

// Keys past the end count as the largest digit, and come last among those.
fn digitOrLast(word: u32, isInside: bool) -> u32 {
  return select((1u << DIGIT_BITS) - 1u, digitOf(word), isInside);
}

// Where the keys of digit `lane` from this workgroup begin in the output.
fn firstPlace(lane: u32, group: u32) -> u32 {
  var total = 0u;
  var before = 0u;
  if (lane < 1u << DIGIT_BITS) {
    total = digitTotals[lane];
    before = groupCounts[lane * params.groups + group];
  }
  return scanWorkgroup(lane, total).before + before;
}

// Turns the teams' counters into places inside the tile. `place` is where digit `lane` goes on in the output; returns where it
// does after this tile. Begins and ends with a barrier.
fn placeTeams(lane: u32, teams: u32, firstCounter: u32, place: u32) -> u32 {
  workgroupBarrier();
  if (lane < (1u << DIGIT_BITS) / 2u) {
    var running = 0u;
    for (var team = 0u; team < teams; team++) {
      let slot = firstCounter + counterOf(team, 2u * lane);
      let counts = atomicLoad(&staged[slot]);
      atomicStore(&staged[slot], running);
      running += counts;
    }
    digitStart[2u * lane] = running & 0xffffu;
    digitStart[2u * lane + 1u] = running >> 16u;
  }
  workgroupBarrier();
  var total = 0u;
  if (lane < 1u << DIGIT_BITS) { total = digitStart[lane]; }
  let start = scanWorkgroup(lane, total).before;
  if (lane < 1u << DIGIT_BITS) {
    digitStart[lane] = start;
    digitShift[lane] = place - start;
  }
  workgroupBarrier();
  return place + total;
}

fn placeInTile(team: u32, firstCounter: u32, digit: u32, rank: u32) -> u32 {
  let counts = atomicLoad(&staged[firstCounter + counterOf(team, digit)]);
  return digitStart[digit] + ((counts >> halfOf(digit)) & 0xffffu) + rank;
}

// Moves a tile's keys and values to their places. `words` are the digit words of this invocation's items, `places` their
// places in the tile; item k is number first + k · step. Begins and ends with a barrier.
fn moveTile(
  lane: u32,
  tile: u32,
  end: u32,
  first: u32,
  step: u32,
  words: ptr<function, array<u32, MAX_ITEMS>>,
  places: ptr<function, array<u32, MAX_ITEMS>>
) {
  var targets: array<u32, MAX_ITEMS>;
  workgroupBarrier();
  for (var k = 0u; k < ITEMS; k++) { atomicStore(&staged[(*places)[k]], (*words)[k]); }
  workgroupBarrier();
  for (var k = 0u; k < ITEMS; k++) {
    let place = k * WIDTH + lane;
    let word = atomicLoad(&staged[place]);
    targets[k] = digitShift[digitOf(word)] + place;
    if (tile + place < end) { sortedKeys[targets[k] * KEY_WORDS + params.word] = word; }
  }
  workgroupBarrier();
  if (KEY_WORDS == 2u) {
    let other = 1u - params.word;
    for (var k = 0u; k < ITEMS; k++) {
      let i = first + k * step;
      if (i < end) { atomicStore(&staged[(*places)[k]], keys[i * KEY_WORDS + other]); }
    }
    workgroupBarrier();
    for (var k = 0u; k < ITEMS; k++) {
      let place = k * WIDTH + lane;
      if (tile + place < end) { sortedKeys[targets[k] * KEY_WORDS + other] = atomicLoad(&staged[place]); }
    }
    workgroupBarrier();
  }
  if (VALUES == 0u) { return; }
  for (var k = 0u; k < ITEMS; k++) {
    let i = first + k * step;
    var value = i;
    if (VALUES == 1u && i < end) { value = values[i]; }
    atomicStore(&staged[(*places)[k]], value);
  }
  workgroupBarrier();
  for (var k = 0u; k < ITEMS; k++) {
    let place = k * WIDTH + lane;
    if (tile + place < end) { sortedValues[targets[k]] = atomicLoad(&staged[place]); }
  }
  workgroupBarrier();
}
