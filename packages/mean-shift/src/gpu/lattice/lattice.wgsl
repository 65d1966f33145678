// A lattice of nodes over the box of the points. The four nodes around a position on each axis have shares in it: cubic
// B-splines, which are positive, sum to 1 and have two continuous derivatives.

// Axes, 1 to 3.
override DIM: u32 = 3u;

// The first node around a position, and the shares of four nodes on each axis.
struct Stencil {
  node: u32,
  x: vec4f,
  y: vec4f,
  z: vec4f,
}

fn shares(f: f32) -> vec4f {
  let g = 1.0 - f;
  return vec4f(
    g * g * g,
    fma(f * f, fma(3.0, f, -6.0), 4.0),
    fma(g * g, fma(3.0, g, -6.0), 4.0),
    f * f * f
  ) * (1.0 / 6.0);
}

// First of the four nodes on an axis. A position outside the box is moved to its border.
fn firstNode(t: f32, count: u32) -> u32 { return min(u32(max(t, 1.0)), count - 3u) - 1u; }

// The nodes and shares of a position. `counts` nodes on each axis, 1 on an unused one; `origin` is node 0; `perUnit`
// nodes in a device unit.
fn stencilAt(at: vec4f, counts: vec4u, origin: vec4f, perUnit: f32) -> Stencil {
  let t = (at - origin) * perUnit;
  let x = firstNode(t.x, counts.x);
  var stencil = Stencil(x, shares(saturate(t.x - f32(x + 1u))), vec4f(), vec4f());
  if (DIM > 1u) {
    let y = firstNode(t.y, counts.y);
    stencil.node += y * counts.x;
    stencil.y = shares(saturate(t.y - f32(y + 1u)));
  }
  if (DIM > 2u) {
    let z = firstNode(t.z, counts.z);
    stencil.node += z * counts.x * counts.y;
    stencil.z = shares(saturate(t.z - f32(z + 1u)));
  }
  return stencil;
}
