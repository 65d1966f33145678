// Scatter of a radix sort whose teams are subgroups: lanes with the same digit find one another by ballots, one a bit.
// Source: Ashkiani et al. 2016, GPU Multisplit, §5.3 (warp-level multisplit).
//
// Invariant: a team's counters are touched by its own lanes only, each by one atomicAdd of the lowest lane with that digit. The
// shuffle that hands the sum to the others ends the row: no lane can begin the next row before it, so a lane adds after every
// earlier row has added. Lanes are numbered through their subgroups; how the device numbers them in the workgroup does not matter.
import gpu::dispatch::linearWorkgroup;
import package::count::elementCount;
import package::radixDigits::{DIGIT_BITS, Items, QUADS, WIDTH, loadKeys, params, tileLength};
import package::radixScatter::{addTeams, counterOf, digitCounts, digitOrLast, halfOf, moveTile, placeDigit, placeQuad, staged};

enable subgroups;

// Whether a subgroup may have more than 32 lanes.
override IS_WIDE: bool = false;
// Subgroups of a workgroup at most.
override TEAMS: u32 = 8u;

var<workgroup> teamTotals: array<vec2u, TEAMS>;

// The lanes of this subgroup whose digit is the same.
fn lanesWithDigit(digit: u32) -> vec4u {
  var same = subgroupBallot(true);
  for (var bit = 0u; bit < DIGIT_BITS; bit++) {
    let isSet = ((digit >> bit) & 1u) == 1u;
    let votes = subgroupBallot(isSet);
    same &= select(~votes, votes, isSet);
  }
  return same;
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

// How many keys with this digit the team has before this lane's, in this row and earlier ones.
fn rankInTeam(team: u32, below: vec4u, digit: u32) -> u32 {
  let same = lanesWithDigit(digit);
  let rank = countLanes(same & below);
  var counts = 0u;
  if (rank == 0u) { counts = atomicAdd(&staged[counterOf(team, digit)], countLanes(same) << halfOf(digit)); }
  counts = subgroupShuffle(counts, lowestLane(same));
  return ((counts >> halfOf(digit)) & 0xffffu) + rank;
}

// The same for a quad, row after row.
fn rankQuad(team: u32, below: vec4u, words: vec4u, i: u32, teamSize: u32, end: u32) -> vec4u {
  var ranks: vec4u;
  ranks.x = rankInTeam(team, below, digitOrLast(words.x, i < end));
  ranks.y = rankInTeam(team, below, digitOrLast(words.y, i + teamSize < end));
  ranks.z = rankInTeam(team, below, digitOrLast(words.z, i + 2u * teamSize < end));
  ranks.w = rankInTeam(team, below, digitOrLast(words.w, i + 3u * teamSize < end));
  return ranks;
}

// Sums over all lower lanes of the workgroup.
fn scanLanes(team: u32, teamLane: u32, teamSize: u32, terms: vec2u) -> vec2u {
  var before = subgroupExclusiveAdd(terms);
  if (teamLane == teamSize - 1u) { teamTotals[team] = before + terms; }
  workgroupBarrier();
  for (var t = 0u; t < TEAMS; t++) { before += select(vec2u(0u), teamTotals[t], t < team); }
  return before;
}

@compute @workgroup_size(WIDTH)
fn scatterTiles(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(subgroup_id) team: u32,
  @builtin(subgroup_size) teamSize: u32,
  @builtin(subgroup_invocation_id) teamLane: u32
) {
  let tile = linearWorkgroup(groupId, groupCount);
  if (tile >= params.tiles) { return; }
  let end = elementCount(params.atMost, params.countWord);
  let lane = team * teamSize + teamLane;
  let begin = tile * tileLength();
  let first = begin + team * teamSize * 4u * QUADS + teamLane;
  // All loads are under way before anything waits for one.
  let words = loadKeys(first, teamSize, end, params.word);
  let counts = digitCounts(lane, tile);

  let below = lanesBelow(teamLane);
  var places: Items;
  places.a = rankQuad(team, below, words.a, first, teamSize, end);
  if (QUADS == 2u) { places.b = rankQuad(team, below, words.b, first + 4u * teamSize, teamSize, end); }
  let total = addTeams(lane, TEAMS, 0u);
  let before = scanLanes(team, teamLane, teamSize, vec2u(total, counts.x));
  placeDigit(lane, before.x, before.y + counts.y);
  places.a = placeQuad(team, 0u, words.a, places.a, first, teamSize, end);
  if (QUADS == 2u) { places.b = placeQuad(team, 0u, words.b, places.b, first + 4u * teamSize, teamSize, end); }
  moveTile(lane, begin, end, first, teamSize, words, places);
}
