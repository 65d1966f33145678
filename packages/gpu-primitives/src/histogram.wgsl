// Counts words by bin: the word is the number of its bin, or ascending edges bound the bins.
//   clearBins       sets the counts to 0
//   countInGroups   for few bins: every workgroup counts in workgroup memory, then adds its counts to the bins
//   countInBins     for many bins: adds to the bins directly
// Source: Podlozhnyuk 2007, Histogram calculation in CUDA (private counts); CUB's run-length compression of equal
// neighbours, which avoids contention on one counter for data of few distinct values.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::order::keyOfWord;

struct HistogramParams {
  atMost: u32,
  countWord: u32,
  groups: u32,
  bins: u32,
  // Copies of the counts in workgroup memory: 2^copyShift.
  copyShift: u32,
}

@group(0) @binding(0) var<storage, read> input: array<u32>;
// One more than bins; bin k holds edges[k] <= word < edges[k + 1].
@group(0) @binding(1) var<storage, read> edges: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> params: HistogramParams;

// Type of words and edges: 0 = u32, 1 = i32, 2 = f32.
override ELEMENT: u32 = 0u;
override HAS_EDGES: bool = false;

const WIDTH: u32 = 256u;
// Words per invocation and tile, at most the length of the arrays.
override ITEMS: u32 = 16u;
const MAX_ITEMS: u32 = 16u;
const OUTSIDE: u32 = 0xffffffffu;
// 4096 counters take 16 KiB, which every device has.
override TALLIES: u32 = 4096u;
var<workgroup> tally: array<atomic<u32>, TALLIES>;

// The bin of a word, or a number ≥ `bins`.
fn binOf(word: u32) -> u32 {
  if (!HAS_EDGES) { return word; }
  let key = keyOfWord(word, ELEMENT);
  // Number of edges ≤ the word. Invariant: edges before `low` are ≤ the word, edges from `high` on are not.
  var low = 0u;
  var high = params.bins + 1u;
  while (low < high) {
    let middle = low + (high - low) / 2u;
    if (keyOfWord(edges[middle], ELEMENT) <= key) { low = middle + 1u; } else { high = middle; }
  }
  // With no edge ≤ the word this is 2^32 − 1: outside.
  return low - 1u;
}

struct Run {
  bin: u32,
  length: u32,
}

fn loadBins(first: u32, end: u32) -> array<u32, MAX_ITEMS> {
  var words: array<u32, MAX_ITEMS>;
  for (var k = 0u; k < ITEMS; k++) {
    let i = first + k * WIDTH;
    if (i < end) { words[k] = input[i]; }
  }
  for (var k = 0u; k < ITEMS; k++) { words[k] = select(OUTSIDE, binOf(words[k]), first + k * WIDTH < end); }
  return words;
}

@compute @workgroup_size(256)
fn clearBins(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let bin = workgroupNumber(at) * WIDTH + lane;
  if (bin < params.bins) { atomicStore(&counts[bin], 0u); }
}

@compute @workgroup_size(256)
fn countInGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let count = elementCount(params.atMost, params.countWord);
  let copies = 1u << params.copyShift;
  // The copies of a bin are adjacent, each in its own memory bank.
  let copy = lane & (copies - 1u);
  var run = Run(OUTSIDE, 0u);
  let step = params.groups * (WIDTH * ITEMS);
  for (var tile = group * (WIDTH * ITEMS); tile < count; tile += step) {
    let bins = loadBins(tile + lane, count);
    for (var k = 0u; k < ITEMS; k++) {
      if (bins[k] != run.bin) {
        if (run.bin < params.bins) { atomicAdd(&tally[(run.bin << params.copyShift) + copy], run.length); }
        run = Run(bins[k], 0u);
      }
      run.length++;
    }
    // The begin of the next tile may overflow u32.
    if (count - tile <= step) { break; }
  }
  if (run.bin < params.bins) { atomicAdd(&tally[(run.bin << params.copyShift) + copy], run.length); }
  workgroupBarrier();
  for (var bin = lane; bin < params.bins; bin += WIDTH) {
    var total = 0u;
    // Lanes start at different copies, so that neighbouring lanes read from different banks.
    for (var c = 0u; c < copies; c++) {
      total += atomicLoad(&tally[(bin << params.copyShift) + ((c + lane) & (copies - 1u))]);
    }
    if (total > 0u) { atomicAdd(&counts[bin], total); }
  }
}

@compute @workgroup_size(256)
fn countInBins(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let count = elementCount(params.atMost, params.countWord);
  let step = params.groups * WIDTH;
  for (var i = workgroupNumber(at) * WIDTH + lane; i < count; i += step) {
    let bin = binOf(input[i]);
    if (bin < params.bins) { atomicAdd(&counts[bin], 1u); }
    // The next number may overflow u32.
    if (count - i <= step) { break; }
  }
}
