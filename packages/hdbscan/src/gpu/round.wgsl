// The state of Borůvka's rounds on the device. A component is named by its smallest position.
//
// `lightest` has three words for each component: the high word of the lightest weight that leaves it, the low word, and
// the position with that edge. Each is found by a minimum of its own, in a dispatch behind the one before, so 64 bits
// need no 64-bit atomics. A weight that is not negative has the order of its words. Behind them stand the positions
// that search in this round, n words, and their number.
//
// Uses bindings 84 to 87 of group 0.

import package::gpu::boxTree::{FANOUT, NONE, nodeCount, tree};

// A light edge from a position to another component: weight (low, high), the other end, and the high word of a bound:
// no edge from the position to another component is lighter. Bounds hold in later rounds, too: components only grow.
@group(0) @binding(84) var<storage, read_write> found: array<vec4u>;
// The component of each position; of each node, if all of its points are in one, or NONE; and a float32 of `relative`
// that is at most the squared core distance of any point of the node.
@group(0) @binding(85) var<storage, read> names: array<u32>;
@group(0) @binding(86) var<storage, read> core: array<vec2u>;
@group(0) @binding(87) var<storage, read_write> lightest: array<atomic<u32>>;

fn hasEdge(edge: vec4u) -> bool {
  return edge.z != NONE;
}

fn component(position: u32) -> u32 {
  return names[position];
}

fn nodeComponent(node: u32) -> u32 {
  return names[tree.n + node];
}

fn nodeCore(node: u32) -> f32 {
  return bitcast<f32>(names[tree.n + nodeCount() + node]);
}

// A bit for each of FANOUT nodes in a row: whether it holds other components, and core distances up to a limit.
fn nodesBelow(node: u32, mine: u32, limit: f32) -> u32 {
  var bits = 0u;
  // Both are loaded in any case, so that all loads are under way at once.
  for (var k = 0u; k < FANOUT; k++) {
    let isOther = nodeComponent(node + k) != mine;
    let isBelow = nodeCore(node + k) <= limit;
    bits |= select(0u, 1u << k, isOther & isBelow);
  }
  return bits;
}

// Whether one component is left.
fn isDone() -> bool {
  return nodeComponent(0u) != NONE;
}

// The k-th position that searches.
fn searcher(k: u32) -> u32 {
  return 3u * tree.n + k;
}

fn searchers() -> u32 {
  return 4u * tree.n;
}
