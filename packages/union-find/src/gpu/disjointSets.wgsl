// Disjoint sets on the device, for kernels to import: findRoot and unite, for any number of invocations at the same time.
//
// Invariant: parent[i] <= i at all times, and a word leaves the state parent[r] = r once, by the exchange that hooks r.
// From then on it only falls, from one member of its set to a smaller one. So no race can close a cycle, every walk
// ends, and the root of a set is its smallest member.
//
// Why each race is harmless:
// - Two hooks of one root: the exchange compares, so one fails and searches on from where the root went.
// - An old value was a member of the same set, and sets only grow; a root that is none any more is found out by the
//   exchange. Only single words count, so relaxed atomics suffice and no order between words is relied on.
// - Halving takes the minimum: a late writer cannot lift a pointer that another invocation has lowered, least of all
//   one that flattening has written, by a minimum too. Nothing else may write to words while walks halve them: SwiftShader
//   locks minima against each other, not against stores, exchanges and sums. The exchange in unite is safe there, since it
//   writes to roots, which no minimum touches.
//
// The words come from makeSets of unionFind.wgsl. After the last unite: flattenSets, in a dispatch of its own.
// Takes binding 50 of group 0.
// Source: Jaiganesh and Burtscher 2018 (ECL-CC), intermediate pointer jumping and hooking by compare-and-swap.

@group(0) @binding(50) var<storage, read_write> parent: array<atomic<u32>>;

// The root of i's set at some moment of the call; halves the path.
fn findRoot(i: u32) -> u32 {
  var node = i;
  var up = atomicLoad(&parent[node]);
  loop {
    let above = atomicLoad(&parent[up]);
    // Before the write: short paths are read only.
    if (above == up) { return up; }
    atomicMin(&parent[node], above);
    node = above;
    up = atomicLoad(&parent[node]);
  }
}

// Joins the sets of a and b: hooks the larger root to the smaller. Waits for nobody: an exchange fails because another
// invocation hooked that root, which happens once a root, or spuriously.
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
