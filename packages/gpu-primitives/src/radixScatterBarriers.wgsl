// Scatter of a radix sort without subgroups: each lane of a team of 32 sets its bit in the mask of its digit in
// workgroup memory, with three barriers per row.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::radixDigits::{DIGIT_BITS, Items, QUADS, loadKeys, params, tileLength};
import package::radixScatter::{Tile, digitCounts, digitsOfQuad, moveTile, placeKeys};
import package::radixTeams::{addTeams, counted, counterOf, counting, placeDigit, staged, startTeams};
import package::workgroupScan::scanWorkgroup;

const TEAM: u32 = 32u;
// Teams per workgroup; scanWorkgroup requires 256 invocations.
const TEAMS: u32 = 256u / TEAM;

// Number of the team's keys with this digit before this lane's key, in this row and earlier ones. Ends with a barrier.
fn rankInTeam(team: u32, teamLane: u32, digit: u32) -> u32 {
  let mask = (team << DIGIT_BITS) + digit;
  // The counters follow the masks.
  let counter = (TEAMS << DIGIT_BITS) + counterOf(team, digit);
  atomicOr(&staged[mask], 1u << teamLane);
  workgroupBarrier();
  let same = atomicLoad(&staged[mask]);
  let rank = countOneBits(same & ((1u << teamLane) - 1u));
  let counts = atomicLoad(&staged[counter]);
  workgroupBarrier();
  if (rank == 0u) {
    atomicAdd(&staged[counter], counting(countOneBits(same), digit));
    atomicStore(&staged[mask], 0u);
  }
  workgroupBarrier();
  return counted(counts, digit) + rank;
}

fn rankKeys(tile: Tile, team: u32, teamLane: u32, words: Items) -> Items {
  var ranks: Items;
  ranks.a = rankQuad(team, teamLane, digitsOfQuad(tile, 0u, words.a));
  if (QUADS > 1u) { ranks.b = rankQuad(team, teamLane, digitsOfQuad(tile, 4u, words.b)); }
  if (QUADS > 2u) { ranks.c = rankQuad(team, teamLane, digitsOfQuad(tile, 8u, words.c)); }
  return ranks;
}

fn rankQuad(team: u32, teamLane: u32, digits: vec4u) -> vec4u {
  var ranks: vec4u;
  ranks.x = rankInTeam(team, teamLane, digits.x);
  ranks.y = rankInTeam(team, teamLane, digits.y);
  ranks.z = rankInTeam(team, teamLane, digits.z);
  ranks.w = rankInTeam(team, teamLane, digits.w);
  return ranks;
}

@compute @workgroup_size(256)
fn scatterTiles(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let number = workgroupNumber(at);
  if (number >= params.tiles) { return; }
  let team = lane / TEAM;
  let teamLane = lane % TEAM;
  let begin = number * tileLength();
  let first = begin + team * TEAM * 4u * QUADS + teamLane;
  // Starts all loads before the first use, before the number of valid keys is known.
  let words = loadKeys(first, TEAM, params.atMost, params.word);
  let counts = digitCounts(lane, number);
  let tile = Tile(begin, first, elementCount(params.atMost, params.countWord), TEAM);

  let ranks = rankKeys(tile, team, teamLane, words);
  let firstCounter = TEAMS << DIGIT_BITS;
  let sums = addTeams(lane, TEAMS, firstCounter);
  let start = scanWorkgroup(lane, sums.total).before;
  placeDigit(lane, start, scanWorkgroup(lane, counts.x).before + counts.y);
  startTeams(sums, TEAMS, firstCounter);
  moveTile(tile, lane, words, placeKeys(tile, team, firstCounter, words, ranks));
}
