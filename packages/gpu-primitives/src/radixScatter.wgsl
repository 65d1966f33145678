// The last dispatch of a radix sort's pass, but for the ranking. A tile is put in order of the digit in workgroup memory first,
// so that the writes to the output come in runs.
// Teams of lanes rank their keys among themselves, row by row; a team's rows follow one another in memory, and so do the teams.
// So ranks in this order keep the sort stable.
// Source: Ashkiani et al. 2016, GPU Multisplit, §5 (reordering within the workgroup).

import package::radixDigits::{DIGIT_BITS, Items, KEY_WORDS, MAX_DIGITS, QUADS, WIDTH, digitOf, digitTotals, loadKeys, params, tileCounts, tileLength};

@group(0) @binding(4) var<storage, read> values: array<u32>;
@group(0) @binding(5) var<storage, read_write> sortedKeys: array<u32>;
@group(0) @binding(6) var<storage, read_write> sortedValues: array<u32>;

// 0 = keys only, 1 = a word a key from `values`, 2 = the key's own index.
override VALUES: u32 = 1u;
// Words of workgroup memory: a tile, or what the ranking of it needs.
override STAGED: u32 = 4096u;

const NOWHERE: u32 = 0xffffffffu;

// First the teams' counters, zero as all workgroup memory is at first; then the tile itself. One array, because the less
// memory a workgroup takes, the more of them are at work.
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

// Digit `lane` in all of the input, and in the tiles before this one.
fn digitCounts(lane: u32, tile: u32) -> vec2u {
  if (lane >= 1u << DIGIT_BITS) { return vec2u(0u); }
  return vec2u(digitTotals[lane], tileCounts[lane * params.pitch + tile]);
}

// Turns the teams' counters into what comes before each team. Returns how often digit `lane` occurs in the tile. Begins with
// a barrier and has one. The teams of a pair of digits are shared out to as many invocations as there are: one alone would wait for
// workgroup memory team after team, while the others wait for it.
fn addTeams(lane: u32, teams: u32, firstCounter: u32) -> u32 {
  let pairs = 1u << (DIGIT_BITS - 1u);
  let part = lane / pairs;
  let pair = lane % pairs;
  let parts = WIDTH / pairs;
  let share = (teams + parts - 1u) / parts;
  workgroupBarrier();
  var sum = 0u;
  for (var t = 0u; t < share; t++) {
    let team = part * share + t;
    if (team < teams) { sum += atomicLoad(&staged[firstCounter + team * pairs + pair]); }
  }
  // Until digits are placed, `digitStart` and `digitShift` are free: together as long as a workgroup is wide.
  if (lane < MAX_DIGITS) { digitStart[lane] = sum; } else { digitShift[lane - MAX_DIGITS] = sum; }
  workgroupBarrier();
  var running = 0u;
  for (var p = 0u; p < part; p++) { running += partSum(p * pairs + pair); }
  for (var t = 0u; t < share; t++) {
    let team = part * share + t;
    if (team >= teams) { break; }
    let slot = firstCounter + team * pairs + pair;
    let counts = atomicLoad(&staged[slot]);
    atomicStore(&staged[slot], running);
    running += counts;
  }
  if (lane >= 2u * pairs) { return 0u; }
  var total = 0u;
  for (var p = 0u; p < parts; p++) { total += partSum(p * pairs + lane / 2u); }
  return (total >> halfOf(lane)) & 0xffffu;
}

fn partSum(k: u32) -> u32 {
  if (k < MAX_DIGITS) { return digitStart[k]; }
  return digitShift[k - MAX_DIGITS];
}

// Digit `lane` begins at `start` in the tile, at `place` in the output. Ends with a barrier.
fn placeDigit(lane: u32, start: u32, place: u32) {
  if (lane < 1u << DIGIT_BITS) {
    digitStart[lane] = start;
    digitShift[lane] = place - start;
  }
  workgroupBarrier();
}

// Place in the tile of a key that has `rank` of its digit before it in its team.
fn placeInTile(team: u32, firstCounter: u32, digit: u32, rank: u32) -> u32 {
  let counts = atomicLoad(&staged[firstCounter + counterOf(team, digit)]);
  return digitStart[digit] + ((counts >> halfOf(digit)) & 0xffffu) + rank;
}

// Places in the tile of a quad of keys from their ranks; key k of the quad is number i + k · step.
fn placeQuad(team: u32, firstCounter: u32, words: vec4u, ranks: vec4u, i: u32, step: u32, end: u32) -> vec4u {
  return vec4u(
    placeInTile(team, firstCounter, digitOrLast(words.x, i < end), ranks.x),
    placeInTile(team, firstCounter, digitOrLast(words.y, i + step < end), ranks.y),
    placeInTile(team, firstCounter, digitOrLast(words.z, i + 2u * step < end), ranks.z),
    placeInTile(team, firstCounter, digitOrLast(words.w, i + 3u * step < end), ranks.w)
  );
}

// Values of keys i, i + step …
fn loadValues(i: u32, step: u32, end: u32) -> Items {
  var items: Items;
  items.a = loadValueQuad(i, step, end);
  if (QUADS == 2u) { items.b = loadValueQuad(i + 4u * step, step, end); }
  return items;
}

fn loadValueQuad(i: u32, step: u32, end: u32) -> vec4u {
  var quad = vec4u(i, i + step, i + 2u * step, i + 3u * step);
  if (VALUES != 1u) { return quad; }
  if (i < end) { quad.x = values[i]; }
  if (i + step < end) { quad.y = values[i + step]; }
  if (i + 2u * step < end) { quad.z = values[i + 2u * step]; }
  if (i + 3u * step < end) { quad.w = values[i + 3u * step]; }
  return quad;
}

// Puts one column of the tile in order: takes this invocation's items, wherever they belong, and returns those at its places.
// Has two barriers, the first of them before it writes.
fn exchange(lane: u32, places: Items, items: Items) -> Items {
  workgroupBarrier();
  stageQuad(places.a, items.a);
  if (QUADS == 2u) { stageQuad(places.b, items.b); }
  workgroupBarrier();
  var ordered: Items;
  ordered.a = stagedQuad(lane);
  if (QUADS == 2u) { ordered.b = stagedQuad(lane + 4u * WIDTH); }
  return ordered;
}

fn stageQuad(places: vec4u, items: vec4u) {
  atomicStore(&staged[places.x], items.x);
  atomicStore(&staged[places.y], items.y);
  atomicStore(&staged[places.z], items.z);
  atomicStore(&staged[places.w], items.w);
}

fn stagedQuad(place: u32) -> vec4u {
  return vec4u(
    atomicLoad(&staged[place]),
    atomicLoad(&staged[place + WIDTH]),
    atomicLoad(&staged[place + 2u * WIDTH]),
    atomicLoad(&staged[place + 3u * WIDTH])
  );
}

// Where the keys at places `place`, `place` + WIDTH … of the ordered tile belong in the output.
fn targetsOf(place: u32, inTile: u32, words: vec4u) -> vec4u {
  return vec4u(
    targetOf(place, inTile, words.x),
    targetOf(place + WIDTH, inTile, words.y),
    targetOf(place + 2u * WIDTH, inTile, words.z),
    targetOf(place + 3u * WIDTH, inTile, words.w)
  );
}

fn targetOf(place: u32, inTile: u32, word: u32) -> u32 {
  return select(NOWHERE, digitShift[digitOf(word)] + place, place < inTile);
}

fn writeKeys(targets: vec4u, words: vec4u, word: u32) {
  if (targets.x != NOWHERE) { sortedKeys[targets.x * KEY_WORDS + word] = words.x; }
  if (targets.y != NOWHERE) { sortedKeys[targets.y * KEY_WORDS + word] = words.y; }
  if (targets.z != NOWHERE) { sortedKeys[targets.z * KEY_WORDS + word] = words.z; }
  if (targets.w != NOWHERE) { sortedKeys[targets.w * KEY_WORDS + word] = words.w; }
}

fn writeValues(targets: vec4u, items: vec4u) {
  if (targets.x != NOWHERE) { sortedValues[targets.x] = items.x; }
  if (targets.y != NOWHERE) { sortedValues[targets.y] = items.y; }
  if (targets.z != NOWHERE) { sortedValues[targets.z] = items.z; }
  if (targets.w != NOWHERE) { sortedValues[targets.w] = items.w; }
}

// Moves a tile's keys and values to their places in the output. `words` are the digit words of this invocation's keys, `places`
// their places in the tile; key k of the invocation is number `first` + k · `step`.
fn moveTile(lane: u32, begin: u32, end: u32, first: u32, step: u32, words: Items, places: Items) {
  let inTile = min(begin + tileLength(), end) - min(begin, end);
  // Under way while the keys are moved.
  let items = loadValues(first, step, end);
  var ordered = exchange(lane, places, words);
  var targets: Items;
  targets.a = targetsOf(lane, inTile, ordered.a);
  writeKeys(targets.a, ordered.a, params.word);
  if (QUADS == 2u) {
    targets.b = targetsOf(lane + 4u * WIDTH, inTile, ordered.b);
    writeKeys(targets.b, ordered.b, params.word);
  }
  if (VALUES != 0u) {
    ordered = exchange(lane, places, items);
    writeValues(targets.a, ordered.a);
    if (QUADS == 2u) { writeValues(targets.b, ordered.b); }
  }
  if (KEY_WORDS == 1u) { return; }
  let other = 1u - params.word;
  ordered = exchange(lane, places, loadKeys(first, step, end, other));
  writeKeys(targets.a, ordered.a, other);
  if (QUADS == 2u) { writeKeys(targets.b, ordered.b, other); }
}
