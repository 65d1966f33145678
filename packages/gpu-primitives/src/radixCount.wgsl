// The first two dispatches of a radix sort's pass.
//   countDigits  how often each digit occurs in the tiles of a workgroup
//   scanDigits   one workgroup a digit: how often it occurs in the workgroups before each, and in all
//   scanFewDigits  the same by one workgroup, an invocation a digit, where the workgroups are few
// Source: Satish, Harris and Garland 2009, §3, with many tiles a workgroup, so that the counts stay few at any length.

import gpu::dispatch::linearWorkgroup;
import package::count::elementCount;
import package::radixDigits::{DIGIT_BITS, ITEMS, MAX_DIGITS, MAX_ITEMS, WIDTH, digitOf, digitTotals, digitWord, groupCounts, params};
import package::workgroupScan::scanWorkgroup;

// Neighbouring lanes often meet the same digit; copies keep them from queueing for one counter.
const COPIES: u32 = 4u;
const TALLIES: u32 = MAX_DIGITS * COPIES;
var<workgroup> tally: array<atomic<u32>, TALLIES>;

@compute @workgroup_size(256)
fn countDigits(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let group = linearWorkgroup(groupId, groupCount);
  let count = elementCount(params.atMost, params.countWord);
  let span = params.tilesPerGroup * WIDTH * ITEMS;
  let begin = min(group * span, count);
  let end = min(begin + span, count);
  let copy = (lane % COPIES) * MAX_DIGITS;
  var i = begin + lane;
  for (; i + (ITEMS - 1u) * WIDTH < end; i += WIDTH * ITEMS) {
    var words: array<u32, MAX_ITEMS>;
    for (var k = 0u; k < ITEMS; k++) { words[k] = digitWord(i + k * WIDTH); }
    for (var k = 0u; k < ITEMS; k++) { atomicAdd(&tally[copy + digitOf(words[k])], 1u); }
  }
  for (; i < end; i += WIDTH) { atomicAdd(&tally[copy + digitOf(digitWord(i))], 1u); }
  workgroupBarrier();
  if (group >= params.groups || lane >= 1u << DIGIT_BITS) { return; }
  var total = 0u;
  for (var c = 0u; c < COPIES; c++) { total += atomicLoad(&tally[c * MAX_DIGITS + lane]); }
  groupCounts[lane * params.groups + group] = total;
}

@compute @workgroup_size(256)
fn scanFewDigits(@builtin(local_invocation_index) lane: u32) {
  if (lane >= 1u << DIGIT_BITS) { return; }
  var running = 0u;
  for (var group = 0u; group < params.groups; group++) {
    let count = groupCounts[lane * params.groups + group];
    groupCounts[lane * params.groups + group] = running;
    running += count;
  }
  digitTotals[lane] = running;
}

// Counts that a workgroup scans at a time.
const ROW: u32 = WIDTH * 16u;

@compute @workgroup_size(256)
fn scanDigits(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let row = groupId.x * params.groups;
  var carry = 0u;
  for (var start = 0u; start < params.groups; start += ROW) {
    let first = start + lane * 16u;
    var counts: array<u32, 16>;
    var sum = 0u;
    for (var k = 0u; k < 16u; k++) {
      if (first + k < params.groups) { counts[k] = groupCounts[row + first + k]; }
      sum += counts[k];
    }
    let scanned = scanWorkgroup(lane, sum);
    var running = carry + scanned.before;
    for (var k = 0u; k < 16u && first + k < params.groups; k++) {
      groupCounts[row + first + k] = running;
      running += counts[k];
    }
    carry += scanned.total;
  }
  if (lane == 0u) { digitTotals[groupId.x] = carry; }
}
