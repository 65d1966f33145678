// Arithmetic without an effect, which keeps the clock of a GPU up.

const ROUNDS: u32 = 60000u;

@group(0) @binding(0) var<storage, read_write> sink: array<f32>;

@compute @workgroup_size(256)
fn spin(@builtin(global_invocation_id) id: vec3u) {
  var x = f32(id.x & 255u);
  for (var round = 0u; round < ROUNDS; round++) { x = fma(x, 0.999, 0.5); }
  // x stays within 0 … 500. Without a use the compiler would drop the loop.
  if x < 0.0 { sink[0] = x; }
}
