// The counters of a radix sort's teams of lanes: first the count of each digit in a team's keys, then the place in the
// tile where the team's keys of the digit begin. The tile itself later uses the same memory.

import package::radixDigits::{DIGIT_BITS, MAX_DIGITS, WIDTH, digitCount};

// Words of workgroup memory: for a tile, or for the counters that rank it.
override STAGED: u32 = 4096u;
// Counters per word, 1 or 2: a tile holds fewer than 2^16 keys.
override COUNTERS_PER_WORD: u32 = 2u;

// First the teams' counters, which start at zero as all workgroup memory does; then the tile. One array, because more
// workgroups run at a time if each takes less memory.
var<workgroup> staged: array<atomic<u32>, STAGED>;
// Where a digit begins in the ordered tile, and the distance from there to its place in the output.
var<workgroup> digitStart: array<u32, MAX_DIGITS>;
var<workgroup> digitShift: array<u32, MAX_DIGITS>;

fn counterOf(team: u32, digit: u32) -> u32 {
  return ((team << DIGIT_BITS) + digit) / COUNTERS_PER_WORD;
}

// The addend to a counter's word that counts `found` keys of a digit.
fn counting(found: u32, digit: u32) -> u32 {
  if (COUNTERS_PER_WORD == 1u) { return found; }
  return found << (16u * (digit & 1u));
}

fn counted(word: u32, digit: u32) -> u32 {
  if (COUNTERS_PER_WORD == 1u) { return word; }
  return (word >> (16u * (digit & 1u))) & 0xffffu;
}

// Counter words per team, one per column.
fn columns() -> u32 {
  return digitCount() / COUNTERS_PER_WORD;
}

// Invocations per column: each sums the column over a part of the teams. A single one would wait for workgroup memory
// once per team, while the others idle.
fn parts() -> u32 {
  return max(1u, WIDTH / columns());
}

fn teamsOfPart(teams: u32) -> u32 {
  return (teams + parts() - 1u) / parts();
}

// Words of column `column` of teams `team`, `team` + 1 …, if below `end`.
fn teamQuad(firstCounter: u32, column: u32, team: u32, end: u32) -> vec4u {
  let slot = firstCounter + team * columns() + column;
  var quad = vec4u(0u);
  if (team < end) { quad.x = atomicLoad(&staged[slot]); }
  if (team + 1u < end) { quad.y = atomicLoad(&staged[slot + columns()]); }
  if (team + 2u < end) { quad.z = atomicLoad(&staged[slot + 2u * columns()]); }
  if (team + 3u < end) { quad.w = atomicLoad(&staged[slot + 3u * columns()]); }
  return quad;
}

struct TeamSums {
  total: u32,
  // Column of this invocation's part, its first team, its end, and the column's sum over earlier parts.
  column: u32,
  begin: u32,
  end: u32,
  before: u32,
}

// Sums the teams' counters. Begins with a barrier.
fn addTeams(lane: u32, teams: u32, firstCounter: u32) -> TeamSums {
  let part = lane / columns();
  var sums: TeamSums;
  sums.column = lane % columns();
  sums.begin = min(part * teamsOfPart(teams), teams);
  sums.end = min(sums.begin + teamsOfPart(teams), teams);
  workgroupBarrier();
  var sum = 0u;
  for (var t = 0u; t < teamsOfPart(teams); t += 4u) {
    let quad = teamQuad(firstCounter, sums.column, sums.begin + t, sums.end);
    sum += quad.x + quad.y + quad.z + quad.w;
  }
  if (parts() == 1u && COUNTERS_PER_WORD == 1u) {
    sums.total = select(0u, sum, lane < digitCount());
    return sums;
  }
  // `digitStart` and `digitShift` are free until digits are placed; together they have one word per invocation.
  if (lane < MAX_DIGITS) { digitStart[lane] = sum; } else { digitShift[lane - MAX_DIGITS] = sum; }
  workgroupBarrier();
  for (var p = 0u; p < parts(); p++) { sums.before += select(0u, partSum(p * columns() + sums.column), p < part); }
  if (lane < digitCount()) {
    var total = 0u;
    for (var p = 0u; p < parts(); p++) { total += partSum(p * columns() + lane / COUNTERS_PER_WORD); }
    sums.total = counted(total, lane);
  }
  return sums;
}

fn partSum(k: u32) -> u32 {
  if (k < MAX_DIGITS) { return digitStart[k]; }
  return digitShift[k - MAX_DIGITS];
}

// Places digit `lane`: from `start` on in the tile, from `place` on in the output. Ends with a barrier.
fn placeDigit(lane: u32, start: u32, place: u32) {
  if (lane < digitCount()) {
    digitStart[lane] = start;
    digitShift[lane] = place - start;
  }
  workgroupBarrier();
}

// Replaces the teams' counters by the places in the tile where their keys of a digit begin. Ends with a barrier.
fn startTeams(sums: TeamSums, teams: u32, firstCounter: u32) {
  var start = sums.before + digitStart[sums.column];
  if (COUNTERS_PER_WORD == 2u) {
    start = sums.before + (digitStart[2u * sums.column] | (digitStart[2u * sums.column + 1u] << 16u));
  }
  for (var t = 0u; t < teamsOfPart(teams); t += 4u) {
    let team = sums.begin + t;
    let quad = teamQuad(firstCounter, sums.column, team, sums.end);
    let slot = firstCounter + team * columns() + sums.column;
    if (team < sums.end) { atomicStore(&staged[slot], start); }
    start += quad.x;
    if (team + 1u < sums.end) { atomicStore(&staged[slot + columns()], start); }
    start += quad.y;
    if (team + 2u < sums.end) { atomicStore(&staged[slot + 2u * columns()], start); }
    start += quad.z;
    if (team + 3u < sums.end) { atomicStore(&staged[slot + 3u * columns()], start); }
    start += quad.w;
  }
  workgroupBarrier();
}

// Place in the tile of a key with `rank` earlier keys of its digit in its team.
fn placeInTile(team: u32, firstCounter: u32, digit: u32, rank: u32) -> u32 {
  return counted(atomicLoad(&staged[firstCounter + counterOf(team, digit)]), digit) + rank;
}
