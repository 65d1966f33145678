// Scatter of a radix sort whose teams are subgroups: lanes with the same digit find one another by ballots, one a bit.
// Source: Ashkiani et al. 2016, GPU Multisplit, §5.3 (warp-level multisplit).
//
// Invariant: a team's counters are touched by its own lanes only, each by one atomicAdd of the lowest lane with that digit. The
// shuffle that hands the sum to the others ends the row: no lane can begin the next row before it, so a lane adds after every
// earlier row has added. Nothing depends on how lanes of a subgroup are numbered in the workgroup.
import gpu::dispatch::linearWorkgroup;
import package::count::elementCount;
import package::radixDigits::{DIGIT_BITS, ITEMS, MAX_ITEMS, WIDTH, digitWord, params};
import package::radixScatter::{counterOf, digitOrLast, firstPlace, halfOf, moveTile, placeInTile, placeTeams, staged};

enable subgroups;

// Whether a subgroup may have more than 32 lanes.
override IS_WIDE: bool = false;

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

@compute @workgroup_size(256)
fn scatterTiles(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(subgroup_id) team: u32,
  @builtin(num_subgroups) teams: u32,
  @builtin(subgroup_size) teamSize: u32,
  @builtin(subgroup_invocation_id) teamLane: u32
) {
  let group = linearWorkgroup(groupId, groupCount);
  if (group >= params.groups) { return; }
  let count = elementCount(params.atMost, params.countWord);
  let span = params.tilesPerGroup * WIDTH * ITEMS;
  let begin = min(group * span, count);
  let end = min(begin + span, count);
  let below = lanesBelow(teamLane);
  var place = firstPlace(lane, group);
  for (var tile = begin; tile < end; tile += WIDTH * ITEMS) {
    for (var slot = lane; slot < teams << (DIGIT_BITS - 1u); slot += WIDTH) { atomicStore(&staged[slot], 0u); }
    workgroupBarrier();
    let first = tile + team * teamSize * ITEMS + teamLane;
    var words: array<u32, MAX_ITEMS>;
    for (var k = 0u; k < ITEMS; k++) {
      let i = first + k * teamSize;
      if (i < end) { words[k] = digitWord(i); }
    }
    var places: array<u32, MAX_ITEMS>;
    for (var k = 0u; k < ITEMS; k++) {
      let digit = digitOrLast(words[k], first + k * teamSize < end);
      let same = lanesWithDigit(digit);
      let rank = countLanes(same & below);
      var counts = 0u;
      if (rank == 0u) { counts = atomicAdd(&staged[counterOf(team, digit)], countLanes(same) << halfOf(digit)); }
      counts = subgroupShuffle(counts, lowestLane(same));
      places[k] = ((counts >> halfOf(digit)) & 0xffffu) + rank;
    }
    place = placeTeams(lane, teams, 0u, place);
    for (var k = 0u; k < ITEMS; k++) {
      let digit = digitOrLast(words[k], first + k * teamSize < end);
      places[k] = placeInTile(team, 0u, digit, places[k]);
    }
    moveTile(lane, tile, end, first, teamSize, &words, &places);
  }
}
