// Scatter of a radix sort whose teams are subgroups: ballots, one per bit, find the lanes with the same digit.
// Source: Ashkiani et al. 2016, GPU Multisplit, §5.3 (warp-level multisplit).
//
// Invariant: only a team's own lanes change its counters. The lowest lane with a digit does one atomicAdd and shuffles
// the sum to the others. The shuffle ends the row: no lane begins the next row before it, so a lane adds after every
// earlier row has added. Lanes are numbered through their subgroups; their numbering in the workgroup does not matter.
import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::radixDigits::{DIGIT_BITS, Items, QUADS, WIDTH, loadKeys, params, tileLength};
import package::radixScatter::{Tile, digitCounts, digitsOfQuad, moveTile, placeKeys};
import package::radixTeams::{addTeams, counted, counterOf, counting, placeDigit, staged, startTeams};

enable subgroups;

// Whether a subgroup may have more than 32 lanes.
override IS_WIDE: bool = false;
// Maximum number of subgroups per workgroup.
override TEAMS: u32 = 8u;
// Number of subgroups with a lane that owns a digit.
override DIGIT_TEAMS: u32 = 8u;

var<workgroup> teamTotals: array<vec2u, TEAMS>;

struct Lanes {
  all: vec4u,
  below: vec4u,
}

// The lanes of this subgroup with the same digit: those that differ in no bit. Written without a loop, because drivers
// do not unroll it. Subgroups of four lanes take 6 bits, larger ones more.
fn lanesWithDigit(lanes: Lanes, digit: u32) -> vec4u {
  var others = lanesThatDiffer(digit, 0u) | lanesThatDiffer(digit, 1u) | lanesThatDiffer(digit, 2u);
  others |= lanesThatDiffer(digit, 3u) | lanesThatDiffer(digit, 4u) | lanesThatDiffer(digit, 5u);
  if (DIGIT_BITS > 6u) { others |= lanesThatDiffer(digit, 6u); }
  if (DIGIT_BITS > 7u) { others |= lanesThatDiffer(digit, 7u); }
  return lanes.all & ~others;
}

fn lanesThatDiffer(digit: u32, bit: u32) -> vec4u {
  return subgroupBallot((digit & (1u << bit)) != 0u) ^ vec4u(0u - ((digit >> bit) & 1u));
}

fn countLanes(lanes: vec4u) -> u32 {
  if (!IS_WIDE) { return countOneBits(lanes.x); }
  let counts = countOneBits(lanes);
  return counts.x + counts.y + counts.z + counts.w;
}

fn lanesBelow(lane: u32) -> vec4u {
  if (!IS_WIDE) { return vec4u((1u << lane) - 1u, 0u, 0u, 0u); }
  let first = vec4u(0u, 32u, 64u, 96u);
  let within = (vec4u(1u) << (vec4u(lane) % 32u)) - 1u;
  return select(select(vec4u(0u), within, vec4u(lane) >= first), vec4u(0xffffffffu), vec4u(lane) >= first + 32u);
}

fn lowestLane(lanes: vec4u) -> u32 {
  if (!IS_WIDE || lanes.x != 0u) { return firstTrailingBit(lanes.x); }
  if (lanes.y != 0u) { return 32u + firstTrailingBit(lanes.y); }
  if (lanes.z != 0u) { return 64u + firstTrailingBit(lanes.z); }
  return 96u + firstTrailingBit(lanes.w);
}

// Number of the team's keys with this digit before this lane's key, in this row and earlier ones.
fn rankInTeam(team: u32, lanes: Lanes, digit: u32) -> u32 {
  let same = lanesWithDigit(lanes, digit);
  let rank = countLanes(same & lanes.below);
  var counts = 0u;
  if (rank == 0u) { counts = atomicAdd(&staged[counterOf(team, digit)], counting(countLanes(same), digit)); }
  counts = subgroupShuffle(counts, lowestLane(same));
  return counted(counts, digit) + rank;
}

fn rankKeys(tile: Tile, team: u32, lanes: Lanes, words: Items) -> Items {
  var ranks: Items;
  ranks.a = rankQuad(team, lanes, digitsOfQuad(tile, 0u, words.a));
  if (QUADS > 1u) { ranks.b = rankQuad(team, lanes, digitsOfQuad(tile, 4u, words.b)); }
  if (QUADS > 2u) { ranks.c = rankQuad(team, lanes, digitsOfQuad(tile, 8u, words.c)); }
  return ranks;
}

fn rankQuad(team: u32, lanes: Lanes, digits: vec4u) -> vec4u {
  var ranks: vec4u;
  ranks.x = rankInTeam(team, lanes, digits.x);
  ranks.y = rankInTeam(team, lanes, digits.y);
  ranks.z = rankInTeam(team, lanes, digits.z);
  ranks.w = rankInTeam(team, lanes, digits.w);
  return ranks;
}

// Exclusive sums over the lanes of the workgroup, for the lanes that own a digit. The other lanes pass 0.
fn scanLanes(team: u32, teamLane: u32, teamSize: u32, terms: vec2u) -> vec2u {
  var before = subgroupExclusiveAdd(terms);
  if (teamLane == teamSize - 1u) { teamTotals[team] = before + terms; }
  workgroupBarrier();
  for (var t = 0u; t < DIGIT_TEAMS; t++) { before += select(vec2u(0u), teamTotals[t], t < team); }
  return before;
}

@compute @workgroup_size(WIDTH)
fn scatterTiles(
  at: Workgroup,
  @builtin(subgroup_id) team: u32,
  @builtin(subgroup_size) teamSize: u32,
  @builtin(subgroup_invocation_id) teamLane: u32
) {
  let number = workgroupNumber(at);
  if (number >= params.tiles) { return; }
  let lane = team * teamSize + teamLane;
  let begin = number * tileLength();
  let first = begin + team * teamSize * 4u * QUADS + teamLane;
  // Starts all loads before the first use, before the number of valid keys is known.
  let words = loadKeys(first, teamSize, params.atMost, params.word);
  let counts = digitCounts(lane, number);
  let tile = Tile(begin, first, elementCount(params.atMost, params.countWord), teamSize);

  let lanes = Lanes(subgroupBallot(true), lanesBelow(teamLane));
  let ranks = rankKeys(tile, team, lanes, words);
  let sums = addTeams(lane, TEAMS, 0u);
  let before = scanLanes(team, teamLane, teamSize, vec2u(sums.total, counts.x));
  placeDigit(lane, before.x, before.y + counts.y);
  startTeams(sums, TEAMS, 0u);
  moveTile(tile, lane, words, placeKeys(tile, team, 0u, words, ranks));
}
