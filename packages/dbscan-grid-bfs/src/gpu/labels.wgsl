// One word per point, by position: the cluster in the low 30 bits, above them two flags. So a claim is one
// compare-and-swap, and its old value shows whether the point is core. A device holds fewer than 2^30 points.

const CORE: u32 = 0x80000000u;
// The point is on the list of points with undecided pairs.
const IS_LISTED: u32 = 0x40000000u;
const UNCLAIMED: u32 = 0x3fffffffu;

fn clusterOf(label: u32) -> u32 {
  return label & UNCLAIMED;
}

fn isUnclaimed(label: u32) -> bool {
  return clusterOf(label) == UNCLAIMED;
}
