// Bounds of the runs of equal keys in a sorted list, without atomics: only the first and the last element of a run
// write. Source: Milanesi, GPU-DBSCAN, §3.4 (buildBinExtreme).

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;

struct RunParams {
  atMost: u32,
  countWord: u32,
  // Keys ≥ `keyCount` are ignored.
  keyCount: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;
// By key: first position, and position after the last. Entries of absent keys are not written.
@group(0) @binding(1) var<storage, read_write> starts: array<u32>;
@group(0) @binding(2) var<storage, read_write> ends: array<u32>;
@group(0) @binding(3) var<uniform> params: RunParams;

@compute @workgroup_size(256)
fn writeRunBounds(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  let count = elementCount(params.atMost, params.countWord);
  if (i >= count) { return; }
  let key = keys[i];
  if (key >= params.keyCount) { return; }
  // cellStart[c] = i  where i = 0 or the key before differs
  if (i == 0u || keys[i - 1u] != key) { starts[key] = i; }
  // cellEnd[c] = i + 1  where i is last or the key after differs
  if (i == count - 1u || keys[i + 1u] != key) { ends[key] = i + 1u; }
}
