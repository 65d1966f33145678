// Claims points for the cluster that is being expanded. A label is claimed once, by compare-and-swap from unclaimed. If
// the swap fails, another invocation has claimed the point for the same cluster. Source: Milanesi, GPU-DBSCAN, §3.6.2.
// Takes binding 0 of group 0.

import gpu_primitives::frontier::pushFrontier;
import package::gpu::labels::{CORE, isUnclaimed};
import package::gpu::search::currentCluster;

@group(0) @binding(0) var<storage, read_write> labels: array<atomic<u32>>;

// Claims the point at position b, whose unclaimed label was `label`.
fn claim(b: u32, label: u32) {
  let claimed = (label & CORE) | currentCluster();
  loop {
    // 3. atomicCAS
    let attempt = atomicCompareExchangeWeak(&labels[b], label, claimed);
    if (attempt.exchanged) {
      // 4. only core points enter the next frontier
      if ((label & CORE) != 0u) { pushFrontier(b); }
      return;
    }
    // The swap may fail spuriously; then the old value is still unclaimed.
    if (attempt.old_value != label) { return; }
  }
}
