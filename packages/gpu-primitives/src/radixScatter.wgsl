// The last dispatch of a radix sort pass, except the ranking. A tile is ordered by digit in workgroup memory first, so
// that the writes to the output are contiguous.
// Teams of lanes rank their keys among themselves, row by row. The rows of a team are consecutive in memory, and so are
// the teams. Ranks in this order keep the sort stable.
// Source: Ashkiani et al. 2016, GPU Multisplit, §5 (reordering within the workgroup).

import package::radixDigits::{
  Items, KEY_WORDS, QUADS, WIDTH, chunkStarts, digitCount, digitOf, digitTotals, loadKeys, params, tileCounts,
  tileLength
};
import package::radixTeams::{digitShift, placeInTile, staged};

@group(0) @binding(4) var<storage, read> values: array<u32>;
@group(0) @binding(5) var<storage, read_write> sortedKeys: array<u32>;
@group(0) @binding(6) var<storage, read_write> sortedValues: array<u32>;

// 0 = keys only, 1 = with a word per key from `values`, 2 = with the key's own index.
override VALUES: u32 = 1u;
struct Tile {
  // Numbers of the tile's first key, of the invocation's first key, and of the key after the last one of the input.
  begin: u32,
  first: u32,
  end: u32,
  // Distance between an invocation's keys.
  step: u32,
}

fn isInside(tile: Tile, i: u32) -> bool {
  return i < tile.end;
}

fn keyNumber(tile: Tile, k: u32) -> u32 {
  return tile.first + k * tile.step;
}

// Digits of the invocation's keys k, k + 1 …. Keys past the end get the largest digit and come last within it.
fn digitsOfQuad(tile: Tile, k: u32, words: vec4u) -> vec4u {
  return vec4u(
    digitOrLast(tile, k, words.x),
    digitOrLast(tile, k + 1u, words.y),
    digitOrLast(tile, k + 2u, words.z),
    digitOrLast(tile, k + 3u, words.w)
  );
}

fn digitOrLast(tile: Tile, k: u32, word: u32) -> u32 {
  return select(digitCount() - 1u, digitOf(word), isInside(tile, keyNumber(tile, k)));
}

// Count of digit `lane` in the whole input, and in the tiles before this one.
fn digitCounts(lane: u32, tile: u32) -> vec2u {
  if (lane >= digitCount()) { return vec2u(0u); }
  let chunk = tile / params.chunkTiles;
  return vec2u(digitTotals[lane], chunkStarts[chunk * digitCount() + lane] + tileCounts[tile * digitCount() + lane]);
}

fn placeKeys(tile: Tile, team: u32, firstCounter: u32, words: Items, ranks: Items) -> Items {
  var places: Items;
  places.a = placeQuad(tile, 0u, team, firstCounter, words.a, ranks.a);
  if (QUADS > 1u) { places.b = placeQuad(tile, 4u, team, firstCounter, words.b, ranks.b); }
  if (QUADS > 2u) { places.c = placeQuad(tile, 8u, team, firstCounter, words.c, ranks.c); }
  return places;
}

fn placeQuad(tile: Tile, k: u32, team: u32, firstCounter: u32, words: vec4u, ranks: vec4u) -> vec4u {
  let digits = digitsOfQuad(tile, k, words);
  return vec4u(
    placeInTile(team, firstCounter, digits.x, ranks.x),
    placeInTile(team, firstCounter, digits.y, ranks.y),
    placeInTile(team, firstCounter, digits.z, ranks.z),
    placeInTile(team, firstCounter, digits.w, ranks.w)
  );
}

fn loadValues(tile: Tile) -> Items {
  var items: Items;
  items.a = loadValueQuad(tile, 0u);
  if (QUADS > 1u) { items.b = loadValueQuad(tile, 4u); }
  if (QUADS > 2u) { items.c = loadValueQuad(tile, 8u); }
  return items;
}

fn loadValueQuad(tile: Tile, k: u32) -> vec4u {
  var quad = vec4u(keyNumber(tile, k), keyNumber(tile, k + 1u), keyNumber(tile, k + 2u), keyNumber(tile, k + 3u));
  if (VALUES != 1u) { return quad; }
  if (isInside(tile, quad.x)) { quad.x = values[quad.x]; }
  if (isInside(tile, quad.y)) { quad.y = values[quad.y]; }
  if (isInside(tile, quad.z)) { quad.z = values[quad.z]; }
  if (isInside(tile, quad.w)) { quad.w = values[quad.w]; }
  return quad;
}

// Reorders one column of the tile: takes this invocation's items with their places, and returns the items at the
// invocation's own places. Has two barriers, the first one before it writes.
fn exchange(lane: u32, places: Items, items: Items) -> Items {
  workgroupBarrier();
  stageQuad(places.a, items.a);
  if (QUADS > 1u) { stageQuad(places.b, items.b); }
  if (QUADS > 2u) { stageQuad(places.c, items.c); }
  workgroupBarrier();
  var ordered: Items;
  ordered.a = stagedQuad(lane);
  if (QUADS > 1u) { ordered.b = stagedQuad(lane + 4u * WIDTH); }
  if (QUADS > 2u) { ordered.c = stagedQuad(lane + 8u * WIDTH); }
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

// Whether this place of the ordered tile holds a key.
fn isTaken(tile: Tile, place: u32) -> bool {
  return place < min(tile.begin + tileLength(), tile.end) - min(tile.begin, tile.end);
}

// Output places of the keys at places `lane`, `lane` + WIDTH … of the ordered tile.
fn targetsOf(lane: u32, words: Items) -> Items {
  var targets: Items;
  targets.a = targetQuad(lane, words.a);
  if (QUADS > 1u) { targets.b = targetQuad(lane + 4u * WIDTH, words.b); }
  if (QUADS > 2u) { targets.c = targetQuad(lane + 8u * WIDTH, words.c); }
  return targets;
}

fn targetQuad(place: u32, words: vec4u) -> vec4u {
  return vec4u(
    digitShift[digitOf(words.x)] + place,
    digitShift[digitOf(words.y)] + place + WIDTH,
    digitShift[digitOf(words.z)] + place + 2u * WIDTH,
    digitShift[digitOf(words.w)] + place + 3u * WIDTH
  );
}

fn writeKeys(tile: Tile, lane: u32, targets: Items, words: Items, word: u32) {
  writeKeyQuad(tile, lane, targets.a, words.a, word);
  if (QUADS > 1u) { writeKeyQuad(tile, lane + 4u * WIDTH, targets.b, words.b, word); }
  if (QUADS > 2u) { writeKeyQuad(tile, lane + 8u * WIDTH, targets.c, words.c, word); }
}

fn writeKeyQuad(tile: Tile, place: u32, targets: vec4u, words: vec4u, word: u32) {
  if (isTaken(tile, place)) { sortedKeys[targets.x * KEY_WORDS + word] = words.x; }
  if (isTaken(tile, place + WIDTH)) { sortedKeys[targets.y * KEY_WORDS + word] = words.y; }
  if (isTaken(tile, place + 2u * WIDTH)) { sortedKeys[targets.z * KEY_WORDS + word] = words.z; }
  if (isTaken(tile, place + 3u * WIDTH)) { sortedKeys[targets.w * KEY_WORDS + word] = words.w; }
}

fn writeValues(tile: Tile, lane: u32, targets: Items, items: Items) {
  writeValueQuad(tile, lane, targets.a, items.a);
  if (QUADS > 1u) { writeValueQuad(tile, lane + 4u * WIDTH, targets.b, items.b); }
  if (QUADS > 2u) { writeValueQuad(tile, lane + 8u * WIDTH, targets.c, items.c); }
}

fn writeValueQuad(tile: Tile, place: u32, targets: vec4u, items: vec4u) {
  if (isTaken(tile, place)) { sortedValues[targets.x] = items.x; }
  if (isTaken(tile, place + WIDTH)) { sortedValues[targets.y] = items.y; }
  if (isTaken(tile, place + 2u * WIDTH)) { sortedValues[targets.z] = items.z; }
  if (isTaken(tile, place + 3u * WIDTH)) { sortedValues[targets.w] = items.w; }
}

// Moves a tile's keys and values to their places in the output. `words` are the digit words of this invocation's keys,
// `places` their places in the tile.
fn moveTile(tile: Tile, lane: u32, words: Items, places: Items) {
  // Starts the loads of the values before the keys move.
  let items = loadValues(tile);
  var ordered = exchange(lane, places, words);
  let targets = targetsOf(lane, ordered);
  writeKeys(tile, lane, targets, ordered, params.word);
  if (VALUES != 0u) {
    ordered = exchange(lane, places, items);
    writeValues(tile, lane, targets, ordered);
  }
  if (KEY_WORDS == 1u) { return; }
  let other = 1u - params.word;
  ordered = exchange(lane, places, loadKeys(tile.first, tile.step, tile.end, other));
  writeKeys(tile, lane, targets, ordered, other);
}
