// Disjoint sets on the device, for kernels to import: findRoot and unite, for any number of invocations at a time.
//
// Invariant: parent[i] <= i at all times, and a word leaves the state parent[r] = r once, by the exchange that hooks r.
// From then on it only decreases, from one member of its set to a smaller one. So no race can close a cycle, every walk
// ends, and the root of a set is its smallest member.
//
// Why each race is harmless:
// - Two hooks of one root: the exchange compares, so one fails and continues from the new parent of the root.
// - A stale value was a member of the same set, and sets only grow; the exchange detects a root that is no longer
//   one. The proof uses single words only, so relaxed atomics suffice, and no order between words is needed.
// - Halving takes the minimum: a late writer cannot raise a pointer that another invocation has lowered, nor one that
//   flattening has written, also by a minimum. Nothing else may write to a word while walks halve it: SwiftShader
//   locks minima against each other, but not against stores, exchanges and sums. The exchange in unite is safe there,
//   because it writes to roots, which no minimum changes.
//
// makeSets of unionFind.wgsl fills the words. After the last unite, flattenSets runs in a dispatch of its own.
// Uses binding 50 of group 0.
// Source: Jaiganesh and Burtscher 2018 (ECL-CC), intermediate pointer jumping and hooking by compare-and-swap.

@group(0) @binding(50) var<storage, read_write> parent: array<atomic<u32>>;

// Returns the root of i's set at some moment of the call. Halves the path.
fn findRoot(i: u32) -> u32 {
  var node = i;
  var up = atomicLoad(&parent[node]);
  loop {
    let above = atomicLoad(&parent[up]);
    // Before the write: short paths are only read.
    if (above == up) { return up; }
    atomicMin(&parent[node], above);
    node = above;
    up = atomicLoad(&parent[node]);
  }
}

// Unites the sets of a and b: hooks the larger root to the smaller. Never waits: an exchange fails because another
// invocation hooked that root, which happens once for each root, or spuriously.
fn unite(a: u32, b: u32) {
  var low = findRoot(a);
  var high = findRoot(b);
  while (low != high) {
    if (low > high) {
      let swapped = low;
      low = high;
      high = swapped;
    }
    let exchange = atomicCompareExchangeWeak(&parent[high], high, low);
    if (exchange.exchanged) { return; }
    high = findRoot(exchange.old_value);
    low = findRoot(low);
  }
}
