// A directory by quantiles (Böhm et al. 2009, section 6) for searches in kernels. Points are stored in the order of the
// directory, and a position is a place in it. With fan-out F, node c of level l has the children c · F … c · F + F − 1
// on level l + 1. The nodes of the last level are the leaves. The interval of a node is the range of its points on the
// axis of its level. The intervals of a node and of its ancestors are its bounding rectangle.
//
// A query skips a node only if `mayHold(gap2)` is false, where gap2 is the squared distance to the rectangle so far.
// The limit covers every rounding (directoryLimit.ts), so no neighbour is missed. Keys and intervals are clamped to
// ±2^60 to prevent overflow. Clamping does not increase distances.
//
// Uses bindings 70 to 72 of group 0.

override DIRECTORY_LEVELS: u32 = 3u;
override DIRECTORY_FANOUT: u32 = 16u;

struct DirectoryParams {
  n: u32,
  // Words between the first keys of consecutive points.
  keyStride: u32,
  limit2: f32,
  // Element of `nodes` at which the starts of the leaves begin.
  leavesAt: u32,
}

@group(0) @binding(70) var<uniform> directory: DirectoryParams;
// Interval of each node as two float32 words, level by level: F of level 0, F² of level 1, … Then the starts of the
// leaves, two an element. One buffer, because a device need not bind more than eight storage buffers a kernel.
@group(0) @binding(71) var<storage, read> nodes: array<vec2u>;
// Float32 keys by position, `keyStride` words a point.
@group(0) @binding(72) var<storage, read> directoryKeys: array<u32>;

const KEY_LIMIT: f32 = 0x1p60f;

// CSR: leaf c holds positions [leafStart(c), leafStart(c + 1)).
fn leafStart(leaf: u32) -> u32 {
  let pair = nodes[directory.leavesAt + leaf / 2u];
  return select(pair.x, pair.y, leaf % 2u == 1u);
}

// Interval of a node, by its number over all levels.
fn nodeBounds(node: u32) -> vec2f {
  return bitcast<vec2f>(nodes[node]);
}

// Keys of the point at a position; components from DIRECTORY_LEVELS on are 0.
fn keysAt(position: u32) -> vec4f {
  let at = position * directory.keyStride;
  var keys = vec4f();
  keys.x = bitcast<f32>(directoryKeys[at]);
  if (DIRECTORY_LEVELS > 1u) { keys.y = bitcast<f32>(directoryKeys[at + 1u]); }
  if (DIRECTORY_LEVELS > 2u) { keys.z = bitcast<f32>(directoryKeys[at + 2u]); }
  if (DIRECTORY_LEVELS > 3u) { keys.w = bitcast<f32>(directoryKeys[at + 3u]); }
  return clamp(keys, vec4f(-KEY_LIMIT), vec4f(KEY_LIMIT));
}

// Nodes of a level: F ^ (level + 1).
fn nodeCount(level: u32) -> u32 {
  var count = DIRECTORY_FANOUT;
  for (var l = 0u; l < level; l++) { count *= DIRECTORY_FANOUT; }
  return count;
}

fn leafCount() -> u32 {
  return nodeCount(DIRECTORY_LEVELS - 1u);
}

// Number of the first node of a level: F + F² + … + F^level.
fn levelStart(level: u32) -> u32 {
  var start = 0u;
  var count = DIRECTORY_FANOUT;
  for (var l = 0u; l < level; l++) {
    start += count;
    count *= DIRECTORY_FANOUT;
  }
  return start;
}

// Positions [x, y) of the points in node `node` of level `level`.
fn nodeRange(level: u32, node: u32) -> vec2u {
  let span = leafCount() / nodeCount(level);
  return vec2u(leafStart(node * span), leafStart((node + 1u) * span));
}

// Squared distance from a key to the interval of a node on the axis of `level`; 0 inside.
fn axisGap2(level: u32, node: u32, key: f32) -> f32 {
  let interval = nodeBounds(levelStart(level) + node);
  let gap = max(max(interval.x - key, key - interval.y), 0.0);
  return gap * gap;
}

// Whether a node at distance √gap2 may contain neighbours.
fn mayHold(gap2: f32) -> bool {
  return gap2 <= directory.limit2;
}

// Squared distance from the query to the rectangle of node `node` of level `level`.
fn nodeGap2(level: u32, node: u32, keys: vec4f) -> f32 {
  var ancestor = node;
  var gap2 = 0.0;
  if (level > 2u) {
    gap2 += axisGap2(3u, ancestor, keys.w);
    ancestor /= DIRECTORY_FANOUT;
  }
  if (level > 1u) {
    gap2 += axisGap2(2u, ancestor, keys.z);
    ancestor /= DIRECTORY_FANOUT;
  }
  if (level > 0u) {
    gap2 += axisGap2(1u, ancestor, keys.y);
    ancestor /= DIRECTORY_FANOUT;
  }
  return gap2 + axisGap2(0u, ancestor, keys.x);
}

// Number of leaves from `leaf` on that the query can skip: the rest of the highest node above the leaf that is too far
// away. 0 if the leaf may contain neighbours.
fn emptyLeaves(leaf: u32, keys: vec4f) -> u32 {
  var span = leafCount();
  var gap2 = 0.0;
  for (var level = 0u; level < DIRECTORY_LEVELS; level++) {
    span /= DIRECTORY_FANOUT;
    // On some GPUs a vector with a run-time index, keys[level], is stored in memory.
    var key = keys.x;
    if (level == 1u) { key = keys.y; }
    if (level == 2u) { key = keys.z; }
    if (level == 3u) { key = keys.w; }
    gap2 += axisGap2(level, leaf / span, key);
    if (!mayHold(gap2)) { return span - leaf % span; }
  }
  return 0u;
}

// One step of a walk over the leaves within reach, for one invocation: the next run of such leaves from `leaf` on, as
// positions [x, y), and in z the leaf of the next step. The walk begins with leaf 0 and ends when z ≥ leafCount() and
// the run is empty.
fn nextCandidates(leaf: u32, keys: vec4f) -> vec3u {
  let leaves = leafCount();
  var first = leaf;
  while (first < leaves) {
    let skipped = emptyLeaves(first, keys);
    if (skipped == 0u) { break; }
    first += skipped;
  }
  if (first >= leaves) { return vec3u(directory.n, directory.n, leaves); }
  var end = first + 1u;
  while (end < leaves && emptyLeaves(end, keys) == 0u) { end++; }
  return vec3u(leafStart(first), leafStart(end), end);
}
