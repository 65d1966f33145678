// One pass of a radix sort with one invocation per tile. An invocation takes its keys one by one, so it needs no
// ranking and no barrier. For CPUs, which are slow at barriers and take seconds to compile the other kernels.
//   countAlone    counts each digit in a tile
//   placeAlone    with one invocation: computes where in the output each tile's keys of a digit begin
//   scatterAlone  moves keys and values to those places
// `tileCounts` holds the counts, then the places, by tile and digit.
//
// Invariant: an invocation writes only its own tile's words of `tileCounts`. Keys of a digit follow in order of tiles,
// and within a tile in input order, so the sort is stable.

import package::count::elementCount;
import package::radixDigits::{KEY_WORDS, digitCount, digitOf, keys, params, tileCounts};
import package::radixScatter::{VALUES, sortedKeys, sortedValues, values};
import package::tiles::spanOf;

@compute @workgroup_size(16)
fn countAlone(@builtin(global_invocation_id) id: vec3u) {
  let tile = id.x;
  if (tile >= params.tiles) { return; }
  for (var digit = 0u; digit <= params.digitMask; digit++) { tileCounts[tile * digitCount() + digit] = 0u; }
  let span = spanOf(tile, params.tileLength, elementCount(params.atMost, params.countWord));
  for (var i = span.begin; i < span.end; i++) {
    tileCounts[tile * digitCount() + digitOf(keys[i * KEY_WORDS + params.word])] += 1u;
  }
}

@compute @workgroup_size(1)
fn placeAlone() {
  var place = 0u;
  for (var digit = 0u; digit <= params.digitMask; digit++) {
    for (var tile = 0u; tile < params.tiles; tile++) {
      let count = tileCounts[tile * digitCount() + digit];
      tileCounts[tile * digitCount() + digit] = place;
      place += count;
    }
  }
}

@compute @workgroup_size(16)
fn scatterAlone(@builtin(global_invocation_id) id: vec3u) {
  let tile = id.x;
  if (tile >= params.tiles) { return; }
  let span = spanOf(tile, params.tileLength, elementCount(params.atMost, params.countWord));
  for (var i = span.begin; i < span.end; i++) {
    let slot = tile * digitCount() + digitOf(keys[i * KEY_WORDS + params.word]);
    let place = tileCounts[slot];
    tileCounts[slot] = place + 1u;
    for (var w = 0u; w < KEY_WORDS; w++) { sortedKeys[place * KEY_WORDS + w] = keys[i * KEY_WORDS + w]; }
    if (VALUES == 1u) { sortedValues[place] = values[i]; }
    if (VALUES == 2u) { sortedValues[place] = i; }
  }
}
