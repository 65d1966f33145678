// Places of up to 16 coordinates, as quads: BLOCKS of them a place, filled up with zeros. With BLOCKS known when the pipeline is
// made, quads beyond it fall away.

// Quads a place, 1 to 4.
override BLOCKS: u32 = 1u;

struct Place {
  a: vec4f,
  b: vec4f,
  c: vec4f,
  d: vec4f,
}

// The same as it lies in memory: the bits of floats, or whole numbers. These never pass as floats, of which small negative ones would be
// NaN: a compiler may take it that there is none.
struct Words {
  a: vec4i,
  b: vec4i,
  c: vec4i,
  d: vec4i,
}

// Weighted differences of some points from a place, added up.
struct Pull {
  to: Place,
  weight: f32,
}

fn noPull() -> Pull {
  return Pull(Place(vec4f(), vec4f(), vec4f(), vec4f()), 0.0);
}

fn bothPulls(one: Pull, other: Pull) -> Pull {
  var sum = one;
  sum.to.a += other.to.a;
  if (BLOCKS > 1u) { sum.to.b += other.to.b; }
  if (BLOCKS > 2u) { sum.to.c += other.to.c; }
  if (BLOCKS > 3u) { sum.to.d += other.to.d; }
  sum.weight += other.weight;
  return sum;
}
