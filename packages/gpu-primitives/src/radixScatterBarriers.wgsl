// Scatter of a radix sort without subgroups: teams of 32 lanes meet in workgroup memory, where each sets its bit in the mask
// of its digit, with three barriers a row.

import gpu::dispatch::linearWorkgroup;
import package::count::elementCount;
import package::radixDigits::{DIGIT_BITS, ITEMS, MAX_ITEMS, STAGED, WIDTH, digitWord, params};
import package::radixScatter::{counterOf, digitOrLast, firstPlace, halfOf, moveTile, placeInTile, placeTeams, staged};

const TEAM: u32 = 32u;
const TEAMS: u32 = WIDTH / TEAM;

@compute @workgroup_size(256)
fn scatterTiles(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let group = linearWorkgroup(groupId, groupCount);
  if (group >= params.groups) { return; }
  let count = elementCount(params.atMost, params.countWord);
  let span = params.tilesPerGroup * WIDTH * ITEMS;
  let begin = min(group * span, count);
  let end = min(begin + span, count);
  let team = lane / TEAM;
  let below = (1u << (lane % TEAM)) - 1u;
  // Masks first, a word a digit; then the counters, a word for two.
  let firstCounter = TEAMS << DIGIT_BITS;
  var place = firstPlace(lane, group);
  for (var tile = begin; tile < end; tile += WIDTH * ITEMS) {
    for (var slot = lane; slot < STAGED; slot += WIDTH) { atomicStore(&staged[slot], 0u); }
    workgroupBarrier();
    let first = tile + team * TEAM * ITEMS + lane % TEAM;
    var words: array<u32, MAX_ITEMS>;
    for (var k = 0u; k < ITEMS; k++) {
      let i = first + k * TEAM;
      if (i < end) { words[k] = digitWord(i); }
    }
    var places: array<u32, MAX_ITEMS>;
    for (var k = 0u; k < ITEMS; k++) {
      let digit = digitOrLast(words[k], first + k * TEAM < end);
      let mask = (team << DIGIT_BITS) + digit;
      let counter = firstCounter + counterOf(team, digit);
      atomicOr(&staged[mask], 1u << (lane % TEAM));
      workgroupBarrier();
      let same = atomicLoad(&staged[mask]);
      let rank = countOneBits(same & below);
      places[k] = ((atomicLoad(&staged[counter]) >> halfOf(digit)) & 0xffffu) + rank;
      workgroupBarrier();
      if (rank == 0u) {
        atomicAdd(&staged[counter], countOneBits(same) << halfOf(digit));
        atomicStore(&staged[mask], 0u);
      }
      workgroupBarrier();
    }
    place = placeTeams(lane, TEAMS, firstCounter, place);
    for (var k = 0u; k < ITEMS; k++) {
      let digit = digitOrLast(words[k], first + k * TEAM < end);
      places[k] = placeInTile(team, firstCounter, digit, places[k]);
    }
    moveTile(lane, tile, end, first, TEAM, &words, &places);
  }
}
