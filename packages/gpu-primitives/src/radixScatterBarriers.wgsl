// Scatter of a radix sort without subgroups: teams of 32 lanes meet in workgroup memory, where each sets its bit in the mask
// of its digit, with three barriers a row.

import gpu::dispatch::linearWorkgroup;
import package::count::elementCount;
import package::radixDigits::{DIGIT_BITS, Items, QUADS, loadKeys, params, tileLength};
import package::radixScatter::{addTeams, counterOf, digitCounts, digitOrLast, halfOf, moveTile, placeDigit, placeQuad, staged};
import package::workgroupScan::scanWorkgroup;

const TEAM: u32 = 32u;
// Teams of a workgroup; scanWorkgroup wants 256 invocations.
const TEAMS: u32 = 256u / TEAM;

// How many keys with this digit the team has before this lane's, in this row and earlier ones. Ends with a barrier.
fn rankInTeam(team: u32, teamLane: u32, digit: u32) -> u32 {
  let mask = (team << DIGIT_BITS) + digit;
  // The counters lie behind the masks.
  let counter = (TEAMS << DIGIT_BITS) + counterOf(team, digit);
  atomicOr(&staged[mask], 1u << teamLane);
  workgroupBarrier();
  let same = atomicLoad(&staged[mask]);
  let rank = countOneBits(same & ((1u << teamLane) - 1u));
  let counts = atomicLoad(&staged[counter]);
  workgroupBarrier();
  if (rank == 0u) {
    atomicAdd(&staged[counter], countOneBits(same) << halfOf(digit));
    atomicStore(&staged[mask], 0u);
  }
  workgroupBarrier();
  return ((counts >> halfOf(digit)) & 0xffffu) + rank;
}

// The same for a quad, row after row.
fn rankQuad(team: u32, teamLane: u32, words: vec4u, i: u32, end: u32) -> vec4u {
  var ranks: vec4u;
  ranks.x = rankInTeam(team, teamLane, digitOrLast(words.x, i < end));
  ranks.y = rankInTeam(team, teamLane, digitOrLast(words.y, i + TEAM < end));
  ranks.z = rankInTeam(team, teamLane, digitOrLast(words.z, i + 2u * TEAM < end));
  ranks.w = rankInTeam(team, teamLane, digitOrLast(words.w, i + 3u * TEAM < end));
  return ranks;
}

@compute @workgroup_size(256)
fn scatterTiles(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let tile = linearWorkgroup(groupId, groupCount);
  if (tile >= params.tiles) { return; }
  let end = elementCount(params.atMost, params.countWord);
  let team = lane / TEAM;
  let teamLane = lane % TEAM;
  let begin = tile * tileLength();
  let first = begin + team * TEAM * 4u * QUADS + teamLane;
  // All loads are under way before anything waits for one.
  let words = loadKeys(first, TEAM, end, params.word);
  let counts = digitCounts(lane, tile);

  var places: Items;
  places.a = rankQuad(team, teamLane, words.a, first, end);
  if (QUADS == 2u) { places.b = rankQuad(team, teamLane, words.b, first + 4u * TEAM, end); }
  let firstCounter = TEAMS << DIGIT_BITS;
  let total = addTeams(lane, TEAMS, firstCounter);
  let start = scanWorkgroup(lane, total).before;
  placeDigit(lane, start, scanWorkgroup(lane, counts.x).before + counts.y);
  places.a = placeQuad(team, firstCounter, words.a, places.a, first, TEAM, end);
  if (QUADS == 2u) { places.b = placeQuad(team, firstCounter, words.b, places.b, first + 4u * TEAM, TEAM, end); }
  moveTile(lane, begin, end, first, TEAM, words, places);
}
