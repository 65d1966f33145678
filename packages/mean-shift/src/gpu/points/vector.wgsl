// Places of up to 16 coordinates, as quads: BLOCKS of them a position, filled up with zeros. With BLOCKS known when the pipeline is
// made, quads beyond it fall away.

// Quads a position, 1 to 4.
override BLOCKS: u32 = 1u;

struct Vector {
  a: vec4f,
  b: vec4f,
  c: vec4f,
  d: vec4f,
}

// The same as it lies in memory: the bits of floats, or whole numbers. These never pass as floats, of which small negative ones would be
// NaN: a compiler may take it that there is none.
struct VectorBits {
  a: vec4i,
  b: vec4i,
  c: vec4i,
  d: vec4i,
}

// Weighted differences of some points from a position, added up.
struct WeightedSum {
  vector: Vector,
  weight: f32,
}

fn zeroSum() -> WeightedSum {
  return WeightedSum(Vector(vec4f(), vec4f(), vec4f(), vec4f()), 0.0);
}

fn addSums(one: WeightedSum, other: WeightedSum) -> WeightedSum {
  var sum = one;
  sum.vector.a += other.vector.a;
  if (BLOCKS > 1u) { sum.vector.b += other.vector.b; }
  if (BLOCKS > 2u) { sum.vector.c += other.vector.c; }
  if (BLOCKS > 3u) { sum.vector.d += other.vector.d; }
  sum.weight += other.weight;
  return sum;
}
