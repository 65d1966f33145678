// The state of Borůvka's rounds on the device. A component is named by its smallest position.
//
// `lightest` has three words for each component: the high word of the lightest weight that leaves it, the low word, and
// the position with that edge. Each is found by a minimum of its own, in a dispatch behind the one before, so 64 bits
// need no 64-bit atomics. A weight that is not negative has the order of its words.
//
// Uses bindings 84 to 88 of group 0.

import package::gpu::boxTree::{NONE, tree};

// A light edge from a position to another component: weight (low, high), the other end, and the high word of a bound:
// no edge from the position to another component is lighter. Bounds hold in later rounds, too: components only grow.
@group(0) @binding(84) var<storage, read_write> found: array<vec4u>;
@group(0) @binding(85) var<storage, read> component: array<u32>;
// The component of all points of a node, or NONE.
@group(0) @binding(86) var<storage, read> nodeComponent: array<u32>;
@group(0) @binding(87) var<storage, read> core: array<vec2u>;
@group(0) @binding(88) var<storage, read_write> lightest: array<atomic<u32>>;

fn hasEdge(edge: vec4u) -> bool {
  return edge.z != NONE;
}
