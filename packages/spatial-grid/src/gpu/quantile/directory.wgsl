// A directory by quantiles (Böhm et al. 2009, section 6) for searches in kernels. Points are stored in the order of the
// directory, and a position is a place in it. With fan-out F, node c of level l has the children c · F … c · F + F − 1
// on level l + 1. The nodes of the last level are the leaves. The interval of a node is the range of its points on the
// axis of its level. The intervals of a node and of its ancestors are its bounding rectangle.
//
// A query skips a node only if the squared distance to its rectangle exceeds `limit2`, which covers every rounding
// (directoryLimit.ts), so no neighbour is missed. Keys and intervals are clamped to ±2^60 to prevent overflow. Clamping
// does not increase distances.
//
// Uses bindings 70 to 72 of group 0.

// Not overrides: one pipeline serves all shapes.
struct DirectoryParams {
  // 0 without a directory.
  levels: u32,
  fanout: u32,
  leaves: u32,
  // Words between the first keys of consecutive points.
  keyStride: u32,
  // Number of the first node of each level.
  levelStarts: vec4u,
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

// Interval of a node of a level.
fn nodeBounds(level: u32, node: u32) -> vec2f {
  return bitcast<vec2f>(nodes[directory.levelStarts[level] + node]);
}

// Key of the point at a position on the axis of a level; 0 beyond the levels of the directory.
fn keyOn(level: u32, position: u32) -> f32 {
  if (level >= directory.levels) { return 0.0; }
  return clamp(bitcast<f32>(directoryKeys[position * directory.keyStride + level]), -KEY_LIMIT, KEY_LIMIT);
}
