// Vectors of up to 16 coordinates as BLOCKS quads, padded with zeros: points, positions, means and sums. BLOCKS is
// known when the pipeline is created, so the compiler removes the unused quads.

override BLOCKS: u32 = 1u;

struct Vector {
  a: vec4f,
  b: vec4f,
  c: vec4f,
  d: vec4f,
}

// A vector in memory: the bits of floats, or integers. Integers are never passed as floats: the bits of small negative
// integers are NaNs, and a compiler may assume that there are none.
struct VectorBits {
  a: vec4i,
  b: vec4i,
  c: vec4i,
  d: vec4i,
}

// Σ w · (x − position) over some points, and Σ w.
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
