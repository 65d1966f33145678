// One word a point, by position: the cluster in the low 30 bits, two flags on top. So a claim is one compare-and-swap
// and tells at once whether the claimed point goes on to the frontier. A device holds fewer than 2^30 points.

const CORE: u32 = 0x80000000u;
// The point is on the list of those with pairs that float32 cannot decide.
const IS_LISTED: u32 = 0x40000000u;
const UNCLAIMED: u32 = 0x3fffffffu;

fn clusterOf(label: u32) -> u32 {
  return label & UNCLAIMED;
}

fn isUnclaimed(label: u32) -> bool {
  return clusterOf(label) == UNCLAIMED;
}
